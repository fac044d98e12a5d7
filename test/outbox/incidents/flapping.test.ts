import { describe, expect, it } from 'vitest';
import {
  arrive,
  maybeNotified,
  pendingOf,
  pendingSince,
  stable,
  stableAt,
  statementOf,
  type Incident,
} from '../../../src/outbox/incidents/incident.ts';
import { outcomesOf, saidNow, sent } from './said.ts';

const MINUTE = 60_000;

const flaps = { changes: 4, perMs: 30 * MINUTE };

const item = (known: Incident | null, isResolved: boolean, minute: number): Incident =>
  arrive(known, { isResolved, isLone: false }, { flaps, held: null, now: minute * MINUTE });

/** Fires and is resolved in turns, a minute apart. */
const flapping = (changes: number): Incident => {
  let incident: Incident | null = null;
  for (let n = 0; n < changes; n += 1) incident = item(incident, n % 2 === 1, n);
  if (incident === null) throw new Error('no change');
  return incident;
};

/** Its receiver was notified in minute 5 that it flaps. It is resolved. */
const muted = (): Incident => sent(flapping(4), 1, 5 * MINUTE);

describe('an incident that flaps', () => {
  it('is notified so once, and its receiver is notified of no change after that', () => {
    expect(pendingOf(flapping(3))).toBe('opened');
    expect(pendingOf(flapping(4))).toBe('flaps');
    expect(statementOf(flapping(4))).toBe('flapping');
    expect(pendingSince(flapping(4))).toBe(3 * MINUTE);
    expect(pendingOf(muted())).toBe('muted');
    expect(pendingOf(item(muted(), false, 6))).toBe('muted');
    // It has nothing new; a message about others keeps the interval of their group by it.
    expect(saidNow(item(muted(), false, 6))).toEqual({ statement: 'flapping', n: 4, about: null });
  });

  it('is notified once more when it has been stable for long enough: as it is then', () => {
    const open = item(muted(), false, 6);
    expect(stableAt(open, flaps)).toBe(36 * MINUTE);
    expect(pendingOf(stable(open, null))).toBe('opened');
    expect(outcomesOf(sent(stable(open, null), 2, 37 * MINUTE)).at(-1)).toBe('notified in 2');
    expect(stableAt(muted(), flaps)).toBe(33 * MINUTE);
    expect(pendingOf(stable(muted(), null))).toBe('resolved');
  });

  it('and of which its receiver was never notified is closed without a word', () => {
    const closed = stable(flapping(4), null);
    expect(pendingOf(closed)).toBe('nothing');
    expect(new Set(outcomesOf(closed))).toEqual(new Set(['resolved']));
    expect(pendingOf(stable(flapping(5), null))).toBe('opened');
  });

  it('is notified so again when it is uncertain whether its receiver was', () => {
    expect(pendingOf(maybeNotified(flapping(4), 'flapping'))).toBe('flaps');
  });

  it('and may have been notified so is owed its resolution when it is stable', () => {
    expect(pendingOf(stable(maybeNotified(flapping(4), 'flapping'), null))).toBe('resolved');
  });

  it('is to be notified so when the message that its receiver got said only that it is open', () => {
    const open = sent(flapping(1), 1, 0);
    const next = [1, 2, 3].reduce((incident, n) => item(incident, n % 2 === 1, n), open);
    expect(pendingOf(next)).toBe('flaps');
    expect(next.notifiedIn).toBe(1);
  });

  it('is not looked for without the key', () => {
    expect(stableAt(flapping(1), null)).toBeNull();
  });
});
