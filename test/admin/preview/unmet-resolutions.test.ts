import { describe, expect, it } from 'vitest';
import { unmetResolutions } from '../../../src/admin/preview/unmet-resolutions.ts';
import { routeEvent } from '../../../src/ingest/routing/match.ts';
import { eventOf, PHONE, sourceOf } from '../../ingest/support.ts';

const source = sourceOf({
  routes: [
    {
      name: 'on-call',
      to: PHONE,
      incident: { key: '{{ payload.key }}', resolved: 'payload.over' },
      send: { kind: 'text', message: 'x' },
    },
    { name: 'plain', to: PHONE, send: { kind: 'text', message: 'x' } },
  ],
});
const sample = (key: string, over: boolean) =>
  routeEvent(eventOf(source, { payload: { key, over: over || null } }));
const warned = (...samples: Parameters<typeof unmetResolutions>[0]) =>
  unmetResolutions(samples).map((one) => one.length);

describe('a resolution', () => {
  it('of what a firing sample opens is none to warn of', () => {
    expect(warned(sample('a', false), sample('a', true))).toEqual([0, 0]);
  });

  it('of what no firing sample opens is warned of, with its key', () => {
    const [, warnings = []] = unmetResolutions([sample('a', false), sample('a at noon', true)]);
    expect(warnings).toEqual([
      {
        route: 'on-call',
        parameter: 'incident.key',
        message: '`a at noon` resolves nothing: no firing sample has this key',
      },
    ]);
  });

  it('is not compared where no sample fires', () => {
    expect(warned(sample('a', true))).toEqual([0]);
    expect(warned()).toEqual([]);
  });
});
