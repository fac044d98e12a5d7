import { describe, expect, it } from 'vitest';
import { unmetEnds } from '../../../src/admin/preview/unmet-ends.ts';
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
const warned = (...samples: Parameters<typeof unmetEnds>[0]) => unmetEnds(samples).map((one) => one.length);

describe('an end', () => {
  it('that a firing sample has a beginning for is none to warn of', () => {
    expect(warned(sample('a', false), sample('a', true))).toEqual([0, 0]);
  });

  it('that no firing sample begins is warned of, with its key', () => {
    const [, warnings = []] = unmetEnds([sample('a', false), sample('a at noon', true)]);
    expect(warnings).toEqual([
      {
        route: 'on-call',
        parameter: 'incident.key',
        message: '`a at noon` ends nothing: no sample fires with this key',
      },
    ]);
  });

  it('is not compared where no sample fires', () => {
    expect(warned(sample('a', true))).toEqual([0]);
    expect(warned()).toEqual([]);
  });
});
