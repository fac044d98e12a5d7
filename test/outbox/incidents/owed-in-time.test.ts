import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GroupRule, Quiet, Throttle } from '../../../src/config/compiled/config.ts';
import { dueOf, owed, saidOf, saysOf } from '../../../src/outbox/incidents/owed.ts';
import { arrive, notified, pendingOf } from '../../../src/outbox/incidents/incident.ts';
import { OpenIncidents } from '../../../src/outbox/incidents/open-incidents.ts';
import { NONE_MISSED } from '../../../src/render/notification-scope.ts';
import { refOf } from './said.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** The time when the last item has come, and the time when all of it has been said. */
const LAST = 8 * MINUTE;
const END = 20 * MINUTE;

interface Change {
  readonly at: number;
  readonly key: string;
  readonly isResolved: boolean;
}

interface Policy {
  readonly group: GroupRule | null;
  readonly quiets: readonly Quiet[];
  readonly throttle: readonly Throttle[];
  readonly repeatMs: number | null;
  readonly digestAbove: number | null;
}

interface Sent {
  readonly at: number;
  readonly isFree: boolean;
  readonly text: string;
}

/** One receiver to whom all that is owed is sent at once. */
class Phone {
  readonly sent: Sent[] = [];
  readonly #open = new OpenIncidents();
  readonly #receiver = this.#open.subscribers.of(refOf(''));
  readonly #known = new Map<string, ReturnType<typeof arrive>>();
  readonly #policy: Policy;

  constructor(policy: Policy) {
    this.#policy = policy;
  }

  change({ at: now, key, isResolved }: Change): void {
    const known = this.#known.get(key) ?? null;
    if (known === null && isResolved) return;
    this.#put(key, arrive(known, { isResolved, isLone: false }, { flaps: null, held: null, now }), now);
  }

  #put(key: string, incident: ReturnType<typeof arrive>, now: number): void {
    this.#known.set(key, incident);
    const grouped = this.#policy.group === null ? null : `of ${key < 'd' ? 'abc' : 'def'}`;
    this.#open.put(refOf(key), incident, { grouped, inhibitedBy: [] }, now);
  }

  /** Sends what is owed now. Returns when to ask again. */
  ask(now: number): number {
    const receiver = this.#receiver;
    for (let n = 0; ; n += 1) {
      if (n > 100) throw new Error('owed for ever');
      for (const group of receiver.groups.values()) group.due ??= dueOf(group.entries, this.#policy);
      const { digestAbove } = this.#policy;
      const by = { rules: { ...this.#policy, hasLeft: false }, updateAt: now, digestAbove, turn: null };
      const { message, held, lookAt } = owed(receiver, by, now);
      if (held !== receiver.held && (held !== null || message === null)) {
        if (held === null || receiver.held === null) receiver.missed = NONE_MISSED;
        receiver.held = held;
      }
      if (message === null) {
        expect(lookAt).toBeGreaterThan(now);
        return lookAt;
      }
      const { form, groups, isFree, endsHold, missed } = message;
      const says = saysOf(groups, new Set());
      for (const one of says) {
        const known = this.#known.get(one[0]);
        if (known !== undefined) this.#put(one[0], notified(known, saidOf(one), this.sent.length, now), now);
      }
      const text = `${form} ${says.map(([key, statement]) => `${key} ${statement}`).join(', ')} missed ${missed.resolved}`;
      this.sent.push({ at: now, isFree, text });
      if (!isFree) receiver.sentAt = [...receiver.sentAt, now];
      if (endsHold) Object.assign(receiver, { held: null, missed: NONE_MISSED });
    }
  }

  get pending(): readonly string[] {
    return [...this.#known.values()].map(pendingOf);
  }
}

/** Asks each second: nobody says when. */
function eachSecond(policy: Policy, changes: readonly Change[]): Phone {
  const phone = new Phone(policy);
  for (let now = 0; now <= END; now += SECOND) {
    for (const change of changes) if (change.at === now) phone.change(change);
    phone.ask(now);
  }
  return phone;
}

/** Asks when something has come, and when it was said to. */
function whenSaid(policy: Policy, changes: readonly Change[]): Phone {
  const phone = new Phone(policy);
  const waiting = [...changes];
  for (let lookAt = Infinity; ;) {
    const now = Math.min(waiting[0]?.at ?? Infinity, lookAt);
    if (now > END) return phone;
    while (waiting[0]?.at === now) phone.change(waiting.shift() ?? { at: now, key: '', isResolved: true });
    lookAt = phone.ask(now);
  }
}

const seconds = (least: number, most: number) => fc.integer({ min: least, max: most }).map((n) => n * SECOND);

const changes = fc
  .array(
    fc.record({
      at: seconds(0, LAST / SECOND),
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      isResolved: fc.boolean(),
    }),
    { maxLength: 30, size: 'max' },
  )
  .map((all) => all.toSorted((one, other) => one.at - other.at));

const policies: fc.Arbitrary<Policy> = fc.record({
  group: fc.oneof(
    fc.constant(null),
    fc.record({
      by: fc.constant([]),
      waitMs: seconds(0, 40),
      intervalMs: seconds(0, 90),
      max: fc.constant(20),
    }),
  ),
  quiets: fc.oneof(
    fc.constant([]),
    fc
      .record({
        from: fc.integer({ min: 1, max: 5 }),
        minutes: fc.integer({ min: 1, max: 4 }),
        do: fc.constantFrom('hold' as const, 'digest' as const),
        resolved: fc.constantFrom('hold' as const, 'send' as const),
      })
      .map(({ from, minutes, ...rest }) => [
        { ...rest, hours: { from, to: from + minutes, days: [0, 1, 2, 3, 4, 5, 6], timezone: 'UTC' } },
      ]),
  ),
  throttle: fc.array(fc.record({ max: fc.integer({ min: 1, max: 3 }), perMs: seconds(5, 90) }), {
    maxLength: 2,
  }),
  repeatMs: fc.oneof(fc.constant(null), seconds(30, 200)),
  digestAbove: fc.constantFrom(null, 1, 2),
});

/** Holds whatever comes, by whatever rules. */
const holds = (check: (policy: Policy, changed: readonly Change[]) => void, numRuns = 150): void =>
  fc.assert(fc.property(policies, changes, check), { numRuns });

describe('what is owed, by whatever rules', () => {
  it('is the same at the same time, whether it is asked each second or only when it says', () => {
    holds((policy, all) => {
      expect(whenSaid(policy, all).sent).toEqual(eachSecond(policy, all).sent);
      // Twelve hundred questions each take long.
    }, 50);
  });

  it('counts what a throttle held back when quiet hours began, and was over before they ended', () => {
    const hours = { from: 2, to: 4, days: [0, 1, 2, 3, 4, 5, 6], timezone: 'UTC' };
    const quiets = [{ hours, do: 'hold' as const, resolved: 'hold' as const }];
    const policy = {
      group: null,
      quiets,
      throttle: [{ max: 1, perMs: 90 * SECOND }],
      repeatMs: null,
      digestAbove: null,
    };
    const all = [
      { at: 110 * SECOND, key: 'a', isResolved: false },
      { at: 115 * SECOND, key: 'b', isResolved: false },
      { at: 180 * SECOND, key: 'b', isResolved: true },
    ];
    expect(whenSaid(policy, all).sent.map(({ at, text }) => [at / MINUTE, text.slice(-8)])).toEqual([
      [110 / 60, 'missed 0'],
      [4, 'missed 1'],
    ]);
  });

  it('leaves nothing unsaid in the end, and says all of it within the throttle', () => {
    holds((policy, all) => {
      const { sent, pending } = whenSaid(policy, all);
      expect(pending.filter((one) => one !== 'known' && one !== 'nothing')).toEqual([]);
      const times = sent.filter(({ isFree }) => !isFree).map(({ at }) => at);
      for (const { max, perMs } of policy.throttle)
        for (const [index, at] of times.entries())
          expect(at - (times[index - max] ?? -Infinity)).toBeGreaterThanOrEqual(perMs);
    });
  });

  it('is nothing in quiet hours but resolutions, where they may be sent', () => {
    holds((policy, all) => {
      for (const { hours, resolved } of policy.quiets)
        for (const { at, text } of whenSaid(policy, all).sent)
          if (at >= hours.from * MINUTE && at < hours.to * MINUTE)
            expect([resolved, text]).toEqual(['send', expect.not.stringMatching(/ open/)]);
    });
  });
});
