import { expect } from 'vitest';
import { canaryPolicy } from '../../../src/config/compiled/account-policy.ts';
import { Canary } from '../../../src/outbox/canary/canary.ts';
import { it } from '../it.ts';
import { HOUR } from '../support.ts';
import { iso } from '../../../src/lib/time.ts';

const POLICY = canaryPolicy({ to: '4915112345678', timezone: 'Europe/Berlin', language: 'de' });
/** The canary's time. */
const SENT = Date.parse('2026-06-01T08:00:00Z'); // fixed date: a change of the clock

function setUp(sql: SqlStorage) {
  const queued: string[] = [];
  const reported: number[] = [];
  let canary = new Canary(sql);
  const disk = { isFull: false };
  return {
    disk,
    queued,
    reported,
    restart: () => void (canary = new Canary(sql)),
    get canary() {
      return canary;
    },
    look: (policy: ReturnType<typeof canaryPolicy> | null, now: number): void =>
      canary.look(
        policy,
        now,
        ({ phone, params }) =>
          disk.isFull ? null : queued.push(`${phone} ${params['message']?.split(':')[0]}`),
        (_, seq) => void reported.push(seq),
      ),
  };
}

/** One that was sent. */
function sent(sql: SqlStorage) {
  const world = setUp(sql);
  world.look(POLICY, SENT - HOUR);
  world.look(POLICY, SENT);
  return world;
}

it('a canary is sent at its time of day in its zone, over a change of the clock and restarts', ({ sql }) => {
  const world = setUp(sql);
  const times: (string | null)[] = [];
  let now = Date.parse('2026-03-27T12:00:00Z'); // fixed date: a change of the clock
  world.look(POLICY, now);
  for (let day = 0; day < 3; day += 1) {
    now = world.canary.nextAt(POLICY) ?? 0;
    times.push(iso(now));
    world.restart();
    world.look(POLICY, now);
    world.canary.answer(world.queued.length, now);
  }
  expect(times).toEqual([
    '2026-03-28T09:00:00.000Z', // fixed date: a change of the clock
    '2026-03-29T08:00:00.000Z', // fixed date: a change of the clock
    '2026-03-30T08:00:00.000Z', // fixed date: a change of the clock
  ]);
  expect(world.queued[0]).toBe('4915112345678 Bestätige, dass Nachrichten ankommen');
});

it('a canary goes on at its time although it was late', ({ sql }) => {
  const world = setUp(sql);
  world.look(POLICY, SENT - 8 * HOUR);
  world.look(POLICY, SENT + 12 * HOUR);
  expect(world.canary.nextAt(null)).toBe(1);
  world.canary.answer(1, SENT + 13 * HOUR);
  expect(world.canary.nextAt(POLICY)).toBe(SENT + 24 * HOUR);
});

it('a canary that nobody answers in time is reported once, and the next one again', ({ sql }) => {
  const world = sent(sql);
  expect(world.canary.nextAt(POLICY)).toBe(SENT + 2 * HOUR);
  world.look(POLICY, SENT + 2 * HOUR);
  world.restart();
  world.look(POLICY, SENT + 3 * HOUR);
  expect(world.reported).toEqual([1]);
  world.canary.answer(1, SENT + 4 * HOUR);
  const [sent_at, answered_at, next_at] = [0, 4, 24].map((hours) => iso(SENT + hours * HOUR));
  expect(world.canary.status()).toEqual({ canary: { sent_at, answered_at, next_at } });
  world.look(POLICY, SENT + 24 * HOUR);
  world.look(POLICY, SENT + 27 * HOUR);
  expect(world.reported).toEqual([1, 2]);
});

it('a canary for which there is no space was not sent: nobody is blamed, and the next day brings one', ({
  sql,
}) => {
  const world = setUp(sql);
  world.disk.isFull = true;
  const weekly = canaryPolicy({ to: '4915112345678', timezone: 'Europe/Berlin', every: 168 * HOUR });
  for (const hours of [-1, 0, 3]) world.look(weekly, SENT + hours * HOUR);
  const next_at = iso(SENT + 24 * HOUR);
  expect([world.canary.status(), world.reported]).toEqual([{ canary: { next_at } }, []]);
  world.disk.isFull = false;
  world.look(weekly, SENT + 24 * HOUR);
  expect([world.queued.length, world.canary.nextAt(weekly)]).toEqual([1, SENT + 26 * HOUR]);
});

it('a canary is proved by its own link alone', ({ sql }) => {
  const { canary } = sent(sql);
  canary.answer(7, SENT);
  expect(canary.answeredAt(1)).toBeNull();
  canary.answer(1, SENT);
  expect([canary.answeredAt(1), canary.answeredAt(7)]).toEqual([SENT, null]);
});

it('a canary has a new time when that is published, and ends when it is removed', ({ sql }) => {
  const world = sent(sql);
  const later = canaryPolicy({ to: '4915112345678', at: '12:30' });
  expect(world.canary.nextAt(later)).toBe(1);
  world.look(later, SENT + HOUR);
  expect(world.canary.nextAt(later)).toBe(SENT + 2 * HOUR);
  world.look(later, SENT + 2 * HOUR);
  expect(world.reported).toEqual([1]);
  expect(world.canary.nextAt(later)).toBe(SENT + 4.5 * HOUR);
  world.look(null, SENT + 5 * HOUR);
  expect([world.canary.nextAt(null), world.canary.isOn]).toEqual([null, false]);
});
