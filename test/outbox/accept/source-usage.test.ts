import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SourceLimit } from '../../../src/config/compiled/source-limit.ts';
import type { WebhookSize } from '../../../src/outbox/state/acceptance.ts';
import { SourceUsage } from '../../../src/outbox/accept/source-usage.ts';
import { HOUR, MINUTE } from '../support.ts';

const MIB = 1_048_576;
const NOW = 50 * HOUR;

const limitOf = (perMinute: number, over: Partial<SourceLimit> = {}): SourceLimit => ({
  perMinute,
  burst: perMinute,
  bytesPerHour: null,
  messagesPerMinute: null,
  ...over,
});

const NOTHING: WebhookSize = { bytes: 0, messages: 0 };

/** Takes a webhook unless it is over the limit. True if it was taken. */
function post(usage: SourceUsage, limit: SourceLimit, now = NOW, size: Partial<WebhookSize> = {}): boolean {
  const whole = { ...NOTHING, ...size };
  if (usage.over(limit, whole, now) !== null) return false;
  usage.take(limit, whole, now);
  return true;
}

/** How many of these webhooks are taken at once. */
const takenOf = (usage: SourceUsage, limit: SourceLimit, count: number, now = NOW): number =>
  Array.from({ length: count }, () => post(usage, limit, now)).filter(Boolean).length;

const small = fc.integer({ min: 1, max: 30 });

it('no minute has more than its worth, nor any time more than the bucket gives; the wait is exact', () => {
  const gaps = fc.array(fc.nat(9_000), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(gaps, small, small, (all, perMinute, burst) => {
      const usage = new SourceUsage();
      const limit = limitOf(perMinute, { burst });
      let now = NOW;
      const taken: number[] = [];
      for (const gap of all) {
        now += gap;
        if (post(usage, limit, now)) taken.push(now);
      }
      const most = (ms: number): number =>
        Math.max(...taken.map((from) => taken.filter((at) => at >= from && at < from + ms).length));
      expect(most(MINUTE)).toBeLessThanOrEqual(Math.max(perMinute, burst));
      for (const ms of [1, 5_000, 30_000])
        expect(most(ms)).toBeLessThanOrEqual(burst + Math.ceil((ms * perMinute) / MINUTE));
      const over = usage.over(limit, NOTHING, now);
      if (over === null) return;
      expect(over.waitMs).toBeGreaterThan(0);
      expect(over.waitMs).toBeLessThanOrEqual(MINUTE * 12);
      expect(usage.over(limit, NOTHING, now + over.waitMs)).toBeNull();
    }),
  );
});

it('the whole burst is given at once, also one beyond a minute’s worth, and then the pace', () => {
  expect(takenOf(new SourceUsage(), limitOf(60), 300)).toBe(60);
  const usage = new SourceUsage();
  const limit = limitOf(10, { burst: 100 });
  expect([takenOf(usage, limit, 200), takenOf(usage, limit, 20, NOW + MINUTE)]).toEqual([100, 10]);
});

it('what was used counts for whatever limit comes next: raised at once, lowered at once, not given anew', () => {
  const usage = new SourceUsage();
  expect([takenOf(usage, limitOf(10), 20), takenOf(usage, limitOf(15), 20)]).toEqual([10, 5]);
  expect(takenOf(usage, limitOf(5), 1, NOW + 30_000)).toBe(0);
  const changed = new SourceUsage();
  takenOf(changed, limitOf(10), 10);
  changed.over(limitOf(1_000), NOTHING, NOW);
  changed.over(limitOf(1), NOTHING, NOW);
  expect(takenOf(changed, limitOf(10), 1)).toBe(0);
});

it('bodies are stopped at the bytes of an hour; smaller ones that fit are taken, and the wait is exact', () => {
  const usage = new SourceUsage();
  const limit = limitOf(1_000, { bytesPerHour: 3 * MIB });
  const taken = [0, 1, 2, 3, 4].map((minutes) =>
    post(usage, limit, NOW + minutes * MINUTE, { bytes: MIB - 10 }),
  );
  expect(taken).toEqual([true, true, true, false, false]);
  const late = NOW + 5 * MINUTE;
  const over = (bytes: number, at = late) => usage.over(limit, { ...NOTHING, bytes }, at);
  expect(over(MIB)).toMatchObject({ by: 'bytes', waitMs: HOUR - 5 * MINUTE });
  expect([over(MIB, NOW + HOUR), over(30), over(0)]).toEqual([null, null, null]);
});

it('messages are stopped at those of a minute; smaller webhooks are taken, and the wait is exact', () => {
  const usage = new SourceUsage();
  const limit = limitOf(1_000_000, { messagesPerMinute: 120 });
  const late = NOW + 10_000;
  expect(post(usage, limit, NOW, { messages: 100 })).toBe(true);
  expect(usage.over(limit, { bytes: 0, messages: 21 }, late)).toEqual({ by: 'messages', waitMs: 50_000 });
  expect([20, 1, 0].map((messages) => post(usage, limit, late, { messages }))).toEqual([true, false, true]);
  expect(usage.over(limit, { bytes: 0, messages: 100 }, NOW + 60_000)).toBeNull();
});

/** What is taken of webhooks of this size, one after the other: when, and how much. */
const amounts = fc.array(fc.record({ ms: fc.nat(20_000), amount: fc.nat(40) }), { maxLength: 80 });

it('no hour has more bytes, and no minute more messages, than the limit says; none that fits is refused', () => {
  fc.assert(
    fc.property(amounts, fc.integer({ min: 1, max: 60 }), (all, most) => {
      const [ofBytes, ofMessages] = [new SourceUsage(), new SourceUsage()];
      const bytes: { readonly at: number; readonly amount: number }[] = [];
      const messages: typeof bytes = [];
      const sum = (taken: typeof bytes, from: number, to: number): number =>
        taken.reduce((all, { at, amount }) => (at > from && at <= to ? all + amount : all), 0);
      let now = NOW;
      for (const { ms, amount } of all) {
        now += ms;
        const size = amount * (MIB / 40);
        const hour = NOW + (now - NOW) * 60;
        if (post(ofBytes, limitOf(10_000, { bytesPerHour: 2 * MIB }), hour, { bytes: size }))
          bytes.push({ at: hour, amount: size });
        if (post(ofMessages, limitOf(1_000_000, { messagesPerMinute: most }), now, { messages: amount }))
          messages.push({ at: now, amount });
        // Webhooks that came within a tenth of a second leave the window together.
        else expect(sum(messages, now - MINUTE - 100, now) + amount).toBeGreaterThan(most);
      }
      for (const { at } of bytes) expect(sum(bytes, at - HOUR, at)).toBeLessThanOrEqual(2 * MIB);
      for (const { at } of messages) expect(sum(messages, at - MINUTE, at)).toBeLessThanOrEqual(most);
    }),
  );
});
