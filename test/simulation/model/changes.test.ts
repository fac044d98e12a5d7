import { describe, expect, it } from 'vitest';
import { History, HOUR, MINUTE, NOON, RULES } from './history.ts';

const EXPIRING = { ...RULES, expiresMs: 3 * HOUR };

/** It fired at noon, its phone was notified, and nobody spoke of it since. */
const forgotten = (rules = EXPIRING): History =>
  new History(rules).is('firing', NOON).shows('+k1', NOON + MINUTE);

/** It fired again when it had expired. */
const firedAgain = (): History => forgotten().is('firing', NOON + 4 * HOUR);

describe('an incident of which nobody speaks', () => {
  it('expires, and nobody is notified of it any more', () => {
    const rule = 'nobody is notified of what expired';
    expect([...forgotten().shows('~k1', NOON + 2.9 * HOUR).rules]).toEqual([]);
    for (const word of ['~k1', '=k1', '-k1'])
      expect([...forgotten().shows(word, NOON + 3.1 * HOUR).rules]).toEqual([rule]);
    const waited = forgotten();
    waited.model.heldUp(NOON + 3 * HOUR);
    expect([...waited.shows('=k1', NOON + 3.1 * HOUR).rules]).toEqual([
      'delayed notifications leave out expired incidents',
    ]);
  });

  it('is not open, and nothing of it is due', () => {
    expect(forgotten().broken()).toEqual([]);
    expect(forgotten().broken(['k1'])).toEqual(['the API says which incidents are open']);
    expect(new History(EXPIRING).is('firing', NOON).broken()).toEqual([]);
  });

  it('is another one when it fires again', () => {
    const overdue = firedAgain();
    overdue.model.flows(NOON + 6.5 * HOUR);
    expect([...overdue.rules]).toEqual(['what is open is notified in time']);
    expect([...firedAgain().shows('+k1', NOON + 4.1 * HOUR).rules]).toEqual([]);
    const resolved = firedAgain().is('resolved', NOON + 5 * HOUR);
    expect([...resolved.shows('-k1', NOON + 5 * HOUR + 20).rules]).toEqual([
      'only receivers of the opening get the resolution',
    ]);
  });

  it('goes on when somebody speaks of it in time', () => {
    const history = forgotten().is('firing', NOON + 2.5 * HOUR);
    expect([...history.shows('~k1', NOON + 5 * HOUR).rules]).toEqual([]);
    history.is('resolved', NOON + 5.2 * HOUR).shows('-k1', NOON + 5.3 * HOUR);
    expect(history.broken()).toEqual([]);
  });

  it('may be either one when that is nearly too late', () => {
    const history = forgotten({ ...EXPIRING, repeatMs: 4 * HOUR }).is('firing', NOON + 3 * HOUR + MINUTE);
    expect([...history.shows('+k1', NOON + 3 * HOUR + 2 * MINUTE).rules]).toEqual([]);
    expect(history.broken(['k1'])).toEqual([]);
  });

  it('may have opened again when nobody saw the answer', () => {
    const { changes } = new History(EXPIRING).is('firing', NOON).model;
    const later = NOON + 5 * HOUR;
    expect(changes.overSince('k1', later)).toBeLessThan(later);
    changes.said('k1', { status: 'firing', requestedAt: later - 10, acceptedAt: null });
    expect(changes.overSince('k1', later)).toBeNull();
  });

  it('inhibits nothing once it has expired', () => {
    const history = new History({ ...EXPIRING, inhibitor: 'k1' }).is('firing', NOON);
    const later = NOON + 4 * HOUR;
    history.is('firing', later, 'k2').shows('+k2', later + MINUTE);
    history.model.flows(later + 2.5 * HOUR);
    expect([...history.rules]).toEqual([]);
    history.is('firing', later + MINUTE, 'k3').is('firing', later + 2 * HOUR, 'k3');
    history.model.flows(later + 2.6 * HOUR);
    expect([...history.rules]).toEqual(['what is open is notified in time']);
  });
});
