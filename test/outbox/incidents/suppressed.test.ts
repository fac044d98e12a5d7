import { describe, expect, it } from 'vitest';
import { lazyConfig } from '../../../src/config/load.ts';
import { isSuppressedIn, isWholeRouteSuppressed } from '../../../src/outbox/incidents/rules.ts';
import { open, routeWith, setOf } from '../../config/support.ts';

const [ANNA, BEN] = ['4915112345671', '4915112345672'] as const;
/** Anna has the first week, Ben the second. */
const FROM = Date.UTC(2026, 0, 5, 9); // fixed date: the rotation begins then
const WEEK = 7 * 86_400_000;

const configOf = (out: readonly string[], route: object = {}) =>
  lazyConfig(
    setOf({
      recipients: {
        'on-call': {
          people: { anna: ANNA, ben: BEN },
          rotation: { order: ['anna', 'ben'], every: '1w', from: '2026-01-05T09:00', timezone: 'UTC' }, // fixed date: as above
        },
        team: { numbers: [ANNA, BEN] },
      },
      sources: { alerts: open({ routes: [routeWith({ name: 'all', to: ['team'], ...route })] }) },
    }),
    1,
    { suppressions: out.join('\n') },
  );
const row = (phone: string) => ({ source: 'alerts', route: 'all', phone });
const isWhole = (out: readonly string[], route: object, now = FROM) =>
  isWholeRouteSuppressed(configOf(out, route), row(ANNA), now);

describe('a message to somebody who has opted out', () => {
  it('is suppressed, unless its route is transactional', () => {
    expect(isSuppressedIn(configOf([ANNA]), row(ANNA))).toBe(true);
    expect(isSuppressedIn(configOf([ANNA]), row(BEN))).toBe(false);
    expect(isSuppressedIn(configOf([ANNA], { transactional: true }), row(ANNA))).toBe(false);
  });
});

describe('the receivers of a route', () => {
  it('have all opted out if everybody of its lists has', () => {
    expect(isWhole([ANNA], { to: ['team'] })).toBe(false);
    expect(isWhole([ANNA, BEN], { to: ['team'] })).toBe(true);
    expect(isWhole([ANNA, BEN], { to: '{{ payload.phone }}' })).toBe(false);
  });

  it('have all opted out if the one on call has: the others of the rotation get nothing now', () => {
    const route = { to: ['on-call'] };
    expect(isWhole([ANNA], route, FROM)).toBe(true);
    expect(isWhole([ANNA], route, FROM + WEEK)).toBe(false);
    expect(isWhole([BEN], route, FROM)).toBe(false);
    expect(isWhole([ANNA], { to: ['on-call', 'team'] }, FROM)).toBe(false);
  });
});
