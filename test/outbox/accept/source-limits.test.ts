import { expect } from 'vitest';
import type { Acceptance, AcceptedEvent, Quota } from '../../../src/outbox/state/acceptance.ts';
import { SourceLimits } from '../../../src/outbox/accept/source-limits.ts';
import type { Outbox } from '../../../src/outbox/outbox.ts';
import { it } from '../it.ts';
import { acceptanceTo, column, countRows, MINUTE } from '../support.ts';

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

it('a duplicate is answered like the first, and counts, but not its bytes', async ({ outbox }) => {
  const dedupe = { key: 'k', windowMs: MINUTE };
  const whole = quota(3, MIB, MIB);
  const first = await outbox.accept(limited(whole, { dedupe }));
  expect(await outbox.accept(limited(whole, { dedupe }))).toEqual({ ...first, duplicate: true });
  expect(await refusal(outbox, limited(whole))).toBe('bytes');
  expect((await outbox.accept(limited(whole, { dedupe }))).duplicate).toBe(true);
  expect(await refusal(outbox, limited(whole, { dedupe }))).toBe('requests');
});

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
