import { describe, expect, it } from 'vitest';
import { canaryPolicy } from '../../../src/config/canary.ts';
import { Canary } from '../../../src/outbox/canary/canary.ts';
import { inOutbox } from '../bare-outbox.ts';

const HOUR = 3_600_000;
const at = (text: string): number => Date.parse(text);
const shown = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

function setUp(sql: SqlStorage) {
  sql.exec("DELETE FROM meta WHERE key = 'canary'");
  const queued: string[] = [];
  const reported: number[] = [];
  let canary = new Canary(sql);
  return {
    queued,
    reported,
    restart: () => void (canary = new Canary(sql)),
    get canary() {
      return canary;
    },
    look: (policy: ReturnType<typeof canaryPolicy> | null, now: number): void =>
      canary.look(policy, now, {
        queue: ({ phone, params }) => queued.push(`${phone} ${params['message']?.split(':')[0]}`),
        unanswered: (seq) => void reported.push(seq),
      }),
  };
}

const POLICY = canaryPolicy({ to: '4915112345678', timezone: 'Europe/Berlin', language: 'de' });

describe('a canary', () => {
  it('is sent at its time of day in its zone, over a change of the clock, and after a restart', () =>
    inOutbox((_outbox, { sql }) => {
      const bench = setUp(sql);
      const times: (string | null)[] = [];
      let now = at('2026-03-27T12:00:00Z'); // fixed date: a change of the clock
      bench.look(POLICY, now);
      for (let day = 0; day < 3; day += 1) {
        now = bench.canary.nextAt(POLICY) ?? 0;
        times.push(shown(now));
        bench.restart();
        bench.look(POLICY, now);
        bench.canary.answer(bench.queued.length, now);
      }
      expect(times).toEqual([
        '2026-03-28T09:00:00.000Z', // fixed date: a change of the clock
        '2026-03-29T08:00:00.000Z', // fixed date: a change of the clock
        '2026-03-30T08:00:00.000Z', // fixed date: a change of the clock
      ]);
      expect(bench.queued[0]).toBe('4915112345678 Bestätige, dass Nachrichten ankommen');
    }));

  it('goes on at its time although it was late', () =>
    inOutbox((_outbox, { sql }) => {
      const bench = setUp(sql);
      bench.look(POLICY, at('2026-06-01T00:00:00Z')); // fixed date: a change of the clock
      bench.look(POLICY, at('2026-06-01T20:00:00Z')); // fixed date: a change of the clock
      expect(shown(bench.canary.nextAt(null))).toBe('1970-01-01T00:00:00.001Z'); // fixed date: a change of the clock
      bench.canary.answer(1, at('2026-06-01T20:01:00Z')); // fixed date: a change of the clock
      expect(shown(bench.canary.nextAt(POLICY))).toBe('2026-06-02T08:00:00.000Z'); // fixed date: a change of the clock
    }));

  it('that nobody answers in time is reported once, and the next one again', () =>
    inOutbox((_outbox, { sql }) => {
      const bench = setUp(sql);
      const sent = at('2026-06-01T08:00:00Z'); // fixed date: a change of the clock
      bench.look(POLICY, sent - HOUR);
      bench.look(POLICY, sent);
      expect(bench.canary.nextAt(POLICY)).toBe(sent + 2 * HOUR);
      bench.look(POLICY, sent + 2 * HOUR);
      bench.restart();
      bench.look(POLICY, sent + 3 * HOUR);
      expect(bench.reported).toEqual([1]);
      bench.canary.answer(1, sent + 4 * HOUR);
      expect(bench.canary.status()).toEqual({
        canary: {
          sent_at: '2026-06-01T08:00:00.000Z', // fixed date: a change of the clock
          answered_at: '2026-06-01T12:00:00.000Z', // fixed date: a change of the clock
          next_at: '2026-06-02T08:00:00.000Z', // fixed date: a change of the clock
        },
      });
      bench.look(POLICY, sent + 24 * HOUR);
      bench.look(POLICY, sent + 27 * HOUR);
      expect(bench.reported).toEqual([1, 2]);
    }));

  it('is proved by its own link alone', () =>
    inOutbox((_outbox, { sql }) => {
      const bench = setUp(sql);
      const sent = at('2026-06-01T08:00:00Z'); // fixed date: a change of the clock
      bench.look(POLICY, sent - HOUR);
      bench.look(POLICY, sent);
      bench.canary.answer(7, sent);
      expect(bench.canary.answeredAt(1)).toBeNull();
      bench.canary.answer(1, sent);
      expect(bench.canary.answeredAt(1)).toBe(sent);
      expect(bench.canary.answeredAt(7)).toBeNull();
    }));

  it('has another time when that is published, keeps what it knows, and ends when it is removed', () =>
    inOutbox((_outbox, { sql }) => {
      const bench = setUp(sql);
      const sent = at('2026-06-01T08:00:00Z'); // fixed date: a change of the clock
      bench.look(POLICY, sent - HOUR);
      bench.look(POLICY, sent);
      const later = canaryPolicy({ to: '4915112345678', at: '12:30' });
      expect(bench.canary.nextAt(later)).toBe(1);
      bench.look(later, sent + HOUR);
      expect(shown(bench.canary.nextAt(later))).toBe('2026-06-01T10:00:00.000Z'); // fixed date: a change of the clock
      bench.look(later, sent + 2 * HOUR);
      expect(bench.reported).toEqual([1]);
      expect(shown(bench.canary.nextAt(later))).toBe('2026-06-01T12:30:00.000Z'); // fixed date: a change of the clock
      bench.look(null, sent + 3 * HOUR);
      expect(bench.canary.nextAt(null)).toBeNull();
      expect(bench.canary.isOn).toBe(false);
    }));
});
