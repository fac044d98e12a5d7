import fc from 'fast-check';
import { expect } from 'vitest';
import type { SourceLimit } from '../../../src/config/compiled/source-limit.ts';
import type { Acceptance, AcceptedEvent, Quota, WebhookSize } from '../../../src/outbox/state/acceptance.ts';
import { SourceLimits } from '../../../src/outbox/accept/source-limits.ts';
import type { Outbox } from '../../../src/outbox/outbox.ts';
import { it } from '../it.ts';
import { acceptanceTo, column, countRows, HOUR, MINUTE } from '../support.ts';

const MIB = 1_048_576;

const quota = (perMinute: number, bytes = 10, bytesPerHour: number | null = 64 * MIB): Quota => ({
  limit: { perMinute, burst: perMinute, bytesPerHour, messagesPerMinute: null },
  bytes,
  messages: 1,
});

/** A webhook of this many messages, of 120 a minute. */
const ofMessages = (messages: number): Quota => ({
  ...quota(1_000),
  limit: { ...quota(1_000).limit, messagesPerMinute: 120 },
  messages,
});

const limited = (one: Quota, extra: Partial<AcceptedEvent> = {}, phones: (string | null)[] = [null]) => ({
  ...acceptanceTo(phones, extra),
  quota: one,
});

const making = (count: number, extra: Partial<AcceptedEvent> = {}): Acceptance =>
  limited(
    ofMessages(count),
    extra,
    Array.from({ length: count }, (_, n) => `4917139${20_000 + n}`),
  );

const refusal = async (outbox: Outbox, one: Acceptance) => (await outbox.accept(one)).refused?.by ?? null;

/** How many of these, handed in at once, are taken. */
const takenOf = async (outbox: Outbox, count: number, one: () => Acceptance): Promise<number> =>
  (await Promise.all(Array.from({ length: count }, () => refusal(outbox, one())))).filter((by) => by === null)
    .length;

it('what is refused leaves nothing behind, and is new when there is room', async ({ outbox, sql }) => {
  const dedupe = { key: 'k2', windowMs: MINUTE };
  await outbox.accept(limited(quota(1)));
  const counted = countRows(sql);
  expect(await refusal(outbox, limited(quota(1), { dedupe }))).toBe('requests');
  expect(counted.written()).toBe(0);
  const taken = await outbox.accept(limited(quota(2), { dedupe }));
  expect(taken).toMatchObject({ duplicate: false });
  expect(taken.refused).toBeUndefined();
});

it('a source is held to its limits within one commit of many', async ({ outbox }) => {
  expect(await takenOf(outbox, 30, () => limited(quota(7)))).toBe(7);
  expect(await takenOf(outbox, 20, () => making(30, { source: 'other' }))).toBe(4);
});

it('a source at its limit holds up no other, nor one without a limit', async ({ outbox }) => {
  for (let n = 0; n < 3; n += 1) await outbox.accept(limited(quota(1)));
  expect(await refusal(outbox, limited(quota(1), { source: 'other' }))).toBeNull();
  expect(await refusal(outbox, acceptanceTo([null]))).toBeNull();
});

it.for(['dedupe', 'signed'])(
  'a duplicate by `%s` is answered like the first, and counts, but not its bytes',
  async (by, { outbox }) => {
    const same = { [by]: { key: 'k', keys: ['k'], windowMs: MINUTE } };
    const whole = quota(3, MIB, MIB);
    const first = await outbox.accept(limited(whole, same));
    expect(await outbox.accept(limited(whole, same))).toMatchObject({ ...first, duplicate: true });
    expect(await refusal(outbox, limited(whole))).toBe('bytes');
    expect((await outbox.accept(limited(whole, same))).duplicate).toBe(true);
    expect(await refusal(outbox, limited(whole, same))).toBe('requests');
  },
);

it('a commit that came to nothing counts nothing, a call that the Worker repeats once', async ({
  outbox,
  sql,
}) => {
  sql.exec("CREATE TRIGGER fault BEFORE INSERT ON messages BEGIN SELECT RAISE(ABORT, 'a fault'); END");
  await expect(outbox.accept(limited(quota(1)))).rejects.toThrow('a fault');
  sql.exec('DROP TRIGGER fault');
  const acceptance = limited(quota(1));
  const first = await outbox.accept(acceptance);
  expect(first.refused).toBeUndefined();
  expect(await outbox.accept(acceptance)).toEqual(first);
});

it('a source may make so many messages a minute, also after a restart', async ({ outbox, sql }) => {
  expect((await outbox.accept(making(100))).messages).toHaveLength(100);
  expect(await refusal(outbox, making(21))).toBe('messages');
  const fits = (messages: number): boolean =>
    new SourceLimits(sql).over('shop', ofMessages(messages), Date.now()) === null;
  expect([fits(20), fits(21)]).toEqual([true, false]);
  expect((await outbox.accept(making(20))).messages).toHaveLength(20);
  expect(await refusal(outbox, making(1))).toBe('messages');
  expect(await refusal(outbox, making(0))).toBeNull();
});

it('messages of a duplicate, or that an earlier event made, do not count again', async ({ outbox }) => {
  const list = (source: string): Acceptance => {
    const whole = making(50, { source });
    return { ...whole, messages: whole.messages.map((one, n) => ({ ...one, once: `${n}` })) };
  };
  expect((await outbox.accept(list('lists'))).messages).toHaveLength(50);
  for (let n = 0; n < 5; n += 1) expect((await outbox.accept(list('lists'))).messages).toEqual([]);
  expect((await outbox.accept(making(70, { source: 'lists' }))).messages).toHaveLength(70);
  const dedupe = { key: 'k', windowMs: MINUTE };
  const first = await outbox.accept(making(120, { dedupe }));
  expect(await outbox.accept(making(120, { dedupe }))).toEqual({ ...first, duplicate: true });
});

it('the last minute’s webhooks are read back from the events; replays are none', async ({ outbox, sql }) => {
  for (let n = 0; n < 5; n += 1) await outbox.accept(limited(quota(5)));
  await outbox.accept(acceptanceTo([null], { source: 'other', replay: { of: 'evt_1', by: 'token' } }));
  const limits = new SourceLimits(sql);
  expect(limits.over('shop', quota(5), Date.now())).toMatchObject({ by: 'requests' });
  expect(limits.over('shop', quota(5), Date.now() + 2 * MINUTE)).toBeNull();
  expect(new SourceLimits(sql).over('other', quota(1), Date.now())).toBeNull();
});

it('the last hour’s bytes are known to within a MiB, at a row for each MiB', ({ sql }) => {
  const limits = new SourceLimits(sql);
  const half = quota(10_000, MIB / 2, 4 * MIB);
  const counted = countRows(sql);
  for (let n = 0; n < 7; n += 1) limits.within(() => limits.take('shop', half, MINUTE));
  expect(counted.written()).toBe(3);
  const again = new SourceLimits(sql);
  expect(again.over('shop', { ...half, bytes: MIB }, MINUTE)).toBeNull();
  expect(again.over('shop', { ...half, bytes: MIB + 1 }, MINUTE)).toMatchObject({ by: 'bytes' });
});

it('bytes have rows only for sources that are limited by them', async ({ outbox, sql }) => {
  const keys = () => column(sql, "SELECT key FROM meta WHERE key LIKE 'bytes:%'");
  await outbox.accept(acceptanceTo([null]));
  for (let n = 0; n < 3; n += 1) await outbox.accept(limited(quota(100, MIB, null)));
  expect(keys()).toEqual([]);
  const limits = new SourceLimits(sql);
  for (const source of ['kept', 'gone']) limits.within(() => limits.take(source, quota(10, 2 * MIB), MINUTE));
  limits.forgetSources((source) => source === 'kept');
  expect(keys()).toEqual(['bytes:kept']);
});

const NOW = 50 * HOUR;

const limitOf = (perMinute: number, over: Partial<SourceLimit> = {}): SourceLimit => ({
  perMinute,
  burst: perMinute,
  bytesPerHour: null,
  messagesPerMinute: null,
  ...over,
});

const NOTHING: WebhookSize = { bytes: 0, messages: 0 };

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a store without rows, in which none is kept
const NO_ROWS = { exec: () => ({ toArray: () => [] }) } as unknown as SqlStorage;

/** One source's use of its limit. */
function newUsage() {
  const limits = new SourceLimits(NO_ROWS);
  return {
    over: (limit: SourceLimit, size: WebhookSize, now: number) => limits.over('a', { limit, ...size }, now),
    take: (limit: SourceLimit, size: WebhookSize, now: number) => limits.take('a', { limit, ...size }, now),
  };
}

type SourceUsage = ReturnType<typeof newUsage>;

/** Takes a webhook unless it is over the limit. True if it was taken. */
function post(usage: SourceUsage, limit: SourceLimit, now = NOW, size: Partial<WebhookSize> = {}): boolean {
  const whole = { ...NOTHING, ...size };
  if (usage.over(limit, whole, now) !== null) return false;
  usage.take(limit, whole, now);
  return true;
}

/** How many of these webhooks are taken at once. */
const takenAtOnce = (usage: SourceUsage, limit: SourceLimit, count: number, now = NOW): number =>
  Array.from({ length: count }, () => post(usage, limit, now)).filter(Boolean).length;

const small = fc.integer({ min: 1, max: 30 });

it('no minute has more than its worth, nor any time more than the bucket gives; the wait is exact', () => {
  const gaps = fc.array(fc.nat(9_000), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(gaps, small, small, (all, perMinute, burst) => {
      const usage = newUsage();
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
  expect(takenAtOnce(newUsage(), limitOf(60), 300)).toBe(60);
  const usage = newUsage();
  const limit = limitOf(10, { burst: 100 });
  expect([takenAtOnce(usage, limit, 200), takenAtOnce(usage, limit, 20, NOW + MINUTE)]).toEqual([100, 10]);
});

it('what was used counts for whatever limit comes next: raised at once, lowered at once, not given anew', () => {
  const usage = newUsage();
  expect([takenAtOnce(usage, limitOf(10), 20), takenAtOnce(usage, limitOf(15), 20)]).toEqual([10, 5]);
  expect(takenAtOnce(usage, limitOf(5), 1, NOW + 30_000)).toBe(0);
  const changed = newUsage();
  takenAtOnce(changed, limitOf(10), 10);
  changed.over(limitOf(1_000), NOTHING, NOW);
  changed.over(limitOf(1), NOTHING, NOW);
  expect(takenAtOnce(changed, limitOf(10), 1)).toBe(0);
});

it('bodies are stopped at the bytes of an hour; smaller ones that fit are taken, and the wait is exact', () => {
  const usage = newUsage();
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
  const usage = newUsage();
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
      const [ofBytes, ofMessages] = [newUsage(), newUsage()];
      const bytes: { readonly at: number; readonly amount: number }[] = [];
      const messages: typeof bytes = [];
      const sum = (taken: typeof bytes, from: number, to: number): number =>
        taken.reduce((all, { at, amount }) => (at > from && at <= to ? all + amount : all), 0);
      let now = NOW;
      for (const { ms, amount } of all) {
        now += ms;
        const size = amount * Math.floor(MIB / 40);
        const hour = NOW + (now - NOW) * 60;
        if (post(ofBytes, limitOf(10_000, { bytesPerHour: 2 * MIB }), hour, { bytes: size }))
          bytes.push({ at: hour, amount: size });
        if (post(ofMessages, limitOf(1_000_000, { messagesPerMinute: most }), now, { messages: amount }))
          messages.push({ at: now, amount });
        // Webhooks that came within a second leave the window together.
        else expect(sum(messages, now - MINUTE - 1_000, now) + amount).toBeGreaterThan(most);
      }
      for (const { at } of bytes) expect(sum(bytes, at - HOUR, at)).toBeLessThanOrEqual(2 * MIB);
      for (const { at } of messages) expect(sum(messages, at - MINUTE, at)).toBeLessThanOrEqual(most);
    }),
  );
});
