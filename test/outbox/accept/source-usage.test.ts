import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SourceLimit } from '../../../src/config/source-limit.ts';
import type { WebhookSize } from '../../../src/outbox/state/acceptance.ts';
import { SourceUsage } from '../../../src/outbox/accept/source-usage.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MIB = 1_048_576;

const limitOf = (perMinute: number, burst = perMinute, bytesPerHour: number | null = null): SourceLimit => ({
  perMinute,
  burst,
  bytesPerHour,
  messagesPerMinute: null,
});

const ofMessages = (messagesPerMinute: number): SourceLimit => ({
  ...limitOf(1_000_000),
  messagesPerMinute,
});

const bytesOf = (bytes: number): WebhookSize => ({ bytes, messages: 0 });
const NOTHING = bytesOf(0);

/** Takes a webhook unless it is over the limit. True if it was taken. */
function post(usage: SourceUsage, limit: SourceLimit, now: number, size: Partial<WebhookSize> = {}): boolean {
  const whole = { ...NOTHING, ...size };
  if (usage.over(limit, whole, now) !== null) return false;
  usage.take(limit, whole, now);
  return true;
}

const times = fc
  .array(fc.nat(9_000), { minLength: 1, maxLength: 200 })
  .map((gaps) => gaps.reduce<number[]>((list, gap) => [...list, (list.at(-1) ?? 1_000_000) + gap], []));

describe('what a source has used of its limit', () => {
  it('is never more than a minute’s worth in any minute, nor more than the bucket gives', () => {
    fc.assert(
      fc.property(
        times,
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 30 }),
        (all, perMinute, burst) => {
          const usage = new SourceUsage();
          const taken = all.filter((now) => post(usage, limitOf(perMinute, burst), now));
          for (const [index, from] of taken.entries()) {
            const within = (ms: number): number => taken.slice(index).filter((at) => at < from + ms).length;
            expect(within(MINUTE)).toBeLessThanOrEqual(Math.max(perMinute, burst));
            for (const ms of [1, 5_000, 30_000])
              expect(within(ms)).toBeLessThanOrEqual(burst + Math.ceil((ms * perMinute) / MINUTE));
          }
        },
      ),
    );
  });

  it('gives the whole burst at once', () => {
    const usage = new SourceUsage();
    const taken = Array.from({ length: 300 }, (_, n) => post(usage, limitOf(60), 1_000_000 + n * 10));
    expect(taken.filter(Boolean)).toHaveLength(60);
  });

  it('gives a burst beyond a minute’s worth where that is written, and then the pace', () => {
    const usage = new SourceUsage();
    const limit = limitOf(10, 100);
    const taken = Array.from({ length: 200 }, () => post(usage, limit, 1_000_000));
    expect(taken.filter(Boolean)).toHaveLength(100);
    const later = Array.from({ length: 20 }, () => post(usage, limit, 1_000_000 + MINUTE));
    expect(later.filter(Boolean)).toHaveLength(10);
  });

  it('says the moment when the next one is really taken, and not a moment too late', () => {
    fc.assert(
      fc.property(
        times,
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 12 }),
        (all, perMinute, burst) => {
          const usage = new SourceUsage();
          const limit = limitOf(perMinute, burst);
          for (const now of all) post(usage, limit, now);
          const now = all.at(-1) ?? 0;
          const over = usage.over(limit, NOTHING, now);
          if (over === null) return;
          expect(over.waitMs).toBeGreaterThan(0);
          expect(over.waitMs).toBeLessThanOrEqual(MINUTE * 12);
          expect(usage.over(limit, NOTHING, now + over.waitMs)).toBeNull();
        },
      ),
    );
  });

  it('counts on whatever limit comes with the next webhook: raised at once, lowered at once', () => {
    const usage = new SourceUsage();
    const now = 1_000_000;
    for (let n = 0; n < 10; n += 1) expect(post(usage, limitOf(10), now)).toBe(true);
    expect(post(usage, limitOf(10), now)).toBe(false);
    for (let n = 0; n < 5; n += 1) expect(post(usage, limitOf(15), now)).toBe(true);
    expect(post(usage, limitOf(15), now)).toBe(false);
    expect(post(usage, limitOf(5), now + 30_000)).toBe(false);
  });

  it('is not given anew by the same limit, nor by a change there and back', () => {
    const usage = new SourceUsage();
    const now = 1_000_000;
    for (let n = 0; n < 10; n += 1) post(usage, limitOf(10), now);
    usage.over(limitOf(1_000), NOTHING, now);
    usage.over(limitOf(1), NOTHING, now);
    expect(post(usage, limitOf(10), now)).toBe(false);
  });

  it('stops bodies at the bytes of an hour, takes smaller ones that fit, and says when the large one fits again', () => {
    const usage = new SourceUsage();
    const limit = limitOf(1_000, 1_000, 3 * MIB);
    const now = 50 * HOUR;
    const taken = Array.from({ length: 5 }, (_, n) =>
      post(usage, limit, now + n * MINUTE, { bytes: MIB - 10 }),
    );
    expect(taken).toEqual([true, true, true, false, false]);
    const late = now + 5 * MINUTE;
    const over = usage.over(limit, bytesOf(MIB), late);
    expect(over).toMatchObject({ by: 'bytes' });
    expect(over?.waitMs).toBe(HOUR - 5 * MINUTE);
    expect(usage.over(limit, bytesOf(MIB), late + (over?.waitMs ?? 0))).toBeNull();
    expect(usage.over(limit, bytesOf(30), late)).toBeNull();
    expect(usage.over(limit, NOTHING, late)).toBeNull();
  });

  it('never takes more bytes in any hour than the limit says', () => {
    const bodies = fc.array(fc.record({ ms: fc.nat(20 * MINUTE), bytes: fc.nat(MIB) }), { maxLength: 60 });
    fc.assert(
      fc.property(bodies, (all) => {
        const usage = new SourceUsage();
        const limit = limitOf(10_000, 10_000, 2 * MIB);
        let now = 50 * HOUR;
        const taken: { at: number; bytes: number }[] = [];
        for (const { ms, bytes } of all) {
          now += ms;
          if (post(usage, limit, now, { bytes })) taken.push({ at: now, bytes });
        }
        for (const { at: from } of taken) {
          const sum = taken
            .filter(({ at }) => at >= from && at < from + HOUR)
            .reduce((total, { bytes }) => total + bytes, 0);
          expect(sum).toBeLessThanOrEqual(2 * MIB);
        }
      }),
    );
  });

  it('never makes more messages in any minute than the limit says, and refuses none that fits', () => {
    const webhooks = fc.array(fc.record({ ms: fc.nat(20_000), messages: fc.nat(40) }), { maxLength: 80 });
    fc.assert(
      fc.property(webhooks, fc.integer({ min: 1, max: 60 }), (all, most) => {
        const usage = new SourceUsage();
        const limit = ofMessages(most);
        const taken: { at: number; messages: number }[] = [];
        const since = (from: number, to: number): number =>
          taken.filter(({ at }) => at > from && at <= to).reduce((sum, { messages }) => sum + messages, 0);
        let now = 50 * HOUR;
        for (const { ms, messages } of all) {
          now += ms;
          if (post(usage, limit, now, { messages })) taken.push({ at: now, messages });
          // Webhooks that came within a tenth of a second leave the window together.
          else expect(since(now - MINUTE - 100, now) + messages).toBeGreaterThan(most);
        }
        for (const { at } of taken) expect(since(at - MINUTE, at)).toBeLessThanOrEqual(most);
      }),
    );
  });

  it('says when a webhook fits with its messages, and takes smaller ones and those without any until then', () => {
    const usage = new SourceUsage();
    const limit = ofMessages(120);
    const now = 50 * HOUR;
    expect(post(usage, limit, now, { messages: 100 })).toBe(true);
    const over = usage.over(limit, { bytes: 0, messages: 21 }, now + 10_000);
    expect(over).toEqual({ by: 'messages', waitMs: 50_000 });
    expect(post(usage, limit, now + 10_000, { messages: 20 })).toBe(true);
    expect(post(usage, limit, now + 10_000, { messages: 1 })).toBe(false);
    expect(post(usage, limit, now + 10_000)).toBe(true);
    expect(usage.over(limit, { bytes: 0, messages: 100 }, now + 60_000)).toBeNull();
  });
});
