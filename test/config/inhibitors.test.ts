import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import { inhibitorsIn } from '../../src/config/inhibitors.ts';
import { open, routeWith, setOf } from './support.ts';

const routeOf = (name: string, key: string, inhibitedBy?: string) =>
  routeWith({ name, incident: { key, ...(inhibitedBy !== undefined && { inhibited_by: inhibitedBy }) } });

/** The warnings about inhibitors when these sources are published, by path. */
function warnings(sources: Readonly<Record<string, readonly object[]>>): readonly string[] {
  const documents = Object.fromEntries(Object.entries(sources).map(([id, routes]) => [id, open({ routes })]));
  const { warnings: all, errors } = compileConfig(setOf({ sources: documents }), 1);
  expect(errors).toEqual([]);
  return all
    .map(({ path, message }) => `${path}: ${message}`)
    .filter((line) => line.includes('inhibited_by'));
}

describe('incidents that inhibit each other', () => {
  it('are warned about at each of them, with the way that leads back', () => {
    const found = warnings({
      shop: [routeOf('web', 'down', 'db/down')],
      infra: [routeOf('db', 'down', 'shop/web/down'), routeOf('net', 'down', 'infra/db/down')],
    });
    expect(found).toEqual([]);
    const circle = warnings({
      shop: [routeOf('web', 'down', 'infra/db/down')],
      infra: [routeOf('db', 'down', 'net/down'), routeOf('net', 'down', 'shop/web/down')],
    });
    expect(circle).toHaveLength(3);
    expect(circle[0]).toContain(
      'sources.shop.routes[0].incident.inhibited_by: leads back to its own incident: `shop/web/down` → `infra/db/down` → `infra/net/down` → `shop/web/down`',
    );
  });

  it('are not, where a chain has an end or a key comes from the payload', () => {
    expect(warnings({ shop: [routeOf('web', 'down', 'db/down'), routeOf('db', 'down')] })).toEqual([]);
    expect(
      warnings({ shop: [routeOf('web', '{{ payload.id }}', 'db/down'), routeOf('db', 'down', 'web/down')] }),
    ).toEqual([]);
    expect(
      warnings({ shop: [routeOf('web', 'down', 'db/{{ payload.id }}'), routeOf('db', 'down', 'web/down')] }),
    ).toEqual([]);
  });

  it('are one incident that names itself', () => {
    expect(warnings({ shop: [routeOf('web', 'down', 'down')] })).toEqual([
      'sources.shop.routes[0].incident.inhibited_by: names its own incident, `shop/web/down`, which inhibits nothing',
    ]);
  });
});

describe('an `inhibited_by`', () => {
  it('means a key of its route, of another route, or of another source', () => {
    expect(inhibitorsIn('a/b/c/d', 'shop', 'web')).toEqual([
      ['shop', 'web', 'a/b/c/d'],
      ['shop', 'a', 'b/c/d'],
      ['a', 'b', 'c/d'],
    ]);
    expect(inhibitorsIn('down', 'shop', 'web')).toEqual([['shop', 'web', 'down']]);
    expect(inhibitorsIn('', 'shop', 'web')).toEqual([]);
  });
});
