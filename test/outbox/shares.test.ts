import fc from 'fast-check';
import { expect } from 'vitest';
import { Bench } from './bench.ts';
import { it } from './it.ts';
import {
  addMany,
  addMessage,
  allRows,
  DAY,
  draft,
  empty,
  HOUR,
  MINUTE,
  rowOf,
  SECOND,
  to,
} from './support.ts';

/** So many messages for one receiver. */
const many = (count: number, phone = 'owner') => to(...Array.from({ length: count }, () => phone));
const urgent = (phone = 'owner') => draft({ phone, priority: 'high' });

/** The sources of the messages that were called so far. */
const sources = (rig: Bench, sql: SqlStorage): readonly (string | null)[] =>
  rig.called.map((seq) => rowOf(sql, seq).source);

/** Answers what is called for a while, and returns how many of each source were sent. */
async function sentIn(rig: Bench, sql: SqlStorage, ms: number): Promise<Record<string, number>> {
  const end = rig.now + ms;
  await rig.answerAll();
  for (let next = rig.nextRun; next !== null && next <= end; next = rig.nextRun) {
    await rig.pass(Math.max(0, next - rig.now));
    await rig.answerAll();
  }
  rig.now = end;
  const counts = new Map<string, number>();
  for (const source of sources(rig, sql)) counts.set(source ?? '', (counts.get(source ?? '') ?? 0) + 1);
  return Object.fromEntries(counts);
}

it('a receiver’s hour is half of open sources at most, and urgent messages have their own', async ({
  storage,
  sql,
}) => {
  const rig = new Bench(storage, { perRecipient: { perHour: 6 } });
  await rig.acceptFrom('open-a', ...many(20));
  await rig.acceptFrom('open-b', ...many(20));
  await rig.acceptFrom('shop', ...many(2));
  await rig.acceptFrom('ward', ...Array.from({ length: 8 }, () => urgent()));
  expect(rig.timing.waitOf(rowOf(sql, 30), rig.policy, rig.now)).toMatchObject({ for: 'turn' });
  const sent = await sentIn(rig, sql, MINUTE);
  expect(sent).toEqual({ 'open-a': 3, shop: 2, ward: 6 });
  expect(rig.timing.waitOf(rowOf(sql, 20), rig.policy, rig.now)).toMatchObject({
    for: 'receiver',
    per_hour: 3,
  });
});

it('an urgent message waits for no pace that open sources use up, nor for their calls', async ({
  storage,
  sql,
}) => {
  for (const [rate, callsPerRun] of [
    [{ perMinute: 30, burst: 5 }, undefined],
    [null, undefined],
    [null, 20],
  ] as const) {
    empty(sql);
    const rig = new Bench(storage, { rate }, callsPerRun);
    // For a while at twice the pace, to receivers of their own.
    for (let minute = 0; minute < (rate === null ? 1 : 10); minute += 1) {
      await rig.acceptFrom('open', ...to(...Array.from({ length: 60 }, (_, n) => `${minute}-${n}`)));
      if (rate !== null) await sentIn(rig, sql, MINUTE);
    }
    // The last call of a run that they may make hangs.
    const hanging = callsPerRun === undefined ? rig.open.length : 1;
    while (rig.open.length > hanging) await rig.answer(rig.open[0]?.seq ?? 0, 'sent');
    const from = rig.made.length;
    await rig.acceptFrom('ward', urgent());
    expect(sources(rig, sql).slice(from)).toContain('ward');
    await rig.answerAll();
  }
});

it('signed and open sources take turns, however many open ones there are', async ({ storage, sql }) => {
  const rig = new Bench(storage);
  for (let n = 0; n < 10; n += 1) await rig.acceptFrom(`open-${n}`, ...many(5));
  await rig.acceptFrom('shop', ...many(5));
  await rig.answerAll();
  expect(
    sources(rig, sql)
      .slice(0, 11)
      .filter((source) => source === 'shop'),
  ).toHaveLength(5);
});

it('among many urgent messages another signed source has turns, and open ones wait', async ({
  storage,
  sql,
}) => {
  const rig = new Bench(storage, { rate: { perMinute: 60, burst: 1 } });
  await rig.acceptFrom('first', ...to('a'));
  await rig.acceptFrom('open', ...to('b', 'c'));
  await rig.acceptFrom('shop', ...to('d'));
  await rig.acceptFrom('ward', ...Array.from({ length: 10 }, (_, n) => urgent(`p${n}`)));
  await sentIn(rig, sql, MINUTE / 2);
  expect(sources(rig, sql).join(' ')).toBe(
    'first ward ward ward ward shop ward ward ward ward ward ward open open',
  );
});

it('first messages of open sources have a third of a day, and expire with it', async ({ storage, sql }) => {
  const rig = new Bench(storage, { newContacts: { perDay: 6 } });
  await rig.acceptFrom('open', ...to('a', 'b', 'c', 'd'));
  await rig.acceptFrom('shop', ...to('e', 'f', 'g', 'h', 'i'));
  expect(new Set(await rig.answerAll())).toEqual(new Set(['a', 'b', 'e', 'f', 'g', 'h']));
  const tomorrow = (Math.floor(rig.now / DAY) + 1) * DAY;
  expect(rig.timing.waitOf(rowOf(sql, 3), rig.policy, rig.now)).toEqual({
    for: 'contact',
    until: tomorrow,
    per_day: 2,
  });
  await rig.pass(tomorrow - rig.now);
  expect(await rig.answerAll()).toEqual(['i']);
  const ended = allRows(sql).filter(({ phone }) => phone === 'c' || phone === 'd');
  expect(ended.map(({ state, reason }) => [state, /"open":"2","per_day":"6"/.test(reason ?? '')])).toEqual([
    ['expired', true],
    ['expired', true],
  ]);
  await rig.acceptFrom('open', ...to('j'));
  expect(await rig.answerAll()).toEqual(['j']);
});

/** Answers all calls as the gateway answers these sources; `sent` otherwise. */
async function answering(
  rig: Bench,
  sql: SqlStorage,
  outcome: 'forbidden' | 'server_error',
  ...bad: readonly string[]
): Promise<void> {
  for (let [call] = rig.open; call !== undefined; [call] = rig.open)
    await rig.answer(call.seq, bad.includes(rowOf(sql, call.seq).source ?? '') ? outcome : 'sent');
}

const texts = (...messages: readonly string[]) =>
  messages.map((message, n) => draft({ phone: `p${n}`, params: { message } }));

it.for<readonly [string, readonly (readonly [source: string, text: string])[], boolean]>([
  [
    'two texts of an open source',
    [
      ['open', 'x'],
      ['open', 'y'],
      ['open', 'z'],
    ],
    false,
  ],
  [
    'texts of several open sources',
    [
      ['open-a', 'x'],
      ['open-b', 'y'],
      ['open-c', 'z'],
    ],
    false,
  ],
  [
    'one text of several sources',
    [
      ['shop', 'x'],
      ['bank', 'x'],
      ['ward', 'x'],
    ],
    false,
  ],
  [
    'two sources, and no third answer',
    [
      ['shop', 'x'],
      ['bank', 'y'],
    ],
    false,
  ],
  [
    'two sources, then a text of a stranger',
    [
      ['shop', 'x'],
      ['bank', 'y'],
      ['open', 'z'],
    ],
    false,
  ],
  [
    'three events of a source, where another one sends',
    [
      ['shop', 'x'],
      ['shop', 'y'],
      ['shop', 'z'],
    ],
    false,
  ],
  [
    'an open source and a signed one, then a third',
    [
      ['open', 'x'],
      ['shop', 'y'],
      ['bank', 'z'],
    ],
    true,
  ],
  [
    'two sources, then a third',
    [
      ['shop', 'x'],
      ['bank', 'y'],
      ['ward', 'z'],
    ],
    true,
  ],
])('403s pause the account by witnesses: %s', async ([, calls, isPaused], { rig, sql }) => {
  await rig.acceptFrom('other', ...texts('hello'));
  await answering(rig, sql, 'forbidden');
  for (const [source, text] of calls) {
    await rig.acceptFrom(source, ...texts(text));
    await answering(rig, sql, 'forbidden', source);
  }
  expect(rig.meta.pause !== null).toBe(isPaused);
});

it('403s pause no account whose most urgent message is sent', async ({ rig, sql }) => {
  await rig.acceptFrom('shop', ...texts('x'));
  await rig.acceptFrom('bank', ...texts('y'));
  await answering(rig, sql, 'forbidden', 'shop', 'bank');
  await rig.acceptFrom('shop', ...texts('z'));
  await rig.acceptFrom('ward', urgent());
  await answering(rig, sql, 'forbidden', 'shop', 'bank');
  expect([rig.meta.pause, rig.meta.forbidden]).toEqual([null, null]);
});

it('the circuit is not opened by one open source alone; two sources that fail open it', async ({
  rig,
  sql,
}) => {
  rig.policy = { ...rig.policy, retryMs: [HOUR] };
  await rig.acceptFrom('open', ...many(20, 'a'));
  await answering(rig, sql, 'server_error', 'open');
  // People read how often it failed all the same.
  expect([rig.called.length, rig.meta.circuit]).toMatchObject([20, { failures: 20, probeAt: null }]);
  await rig.acceptFrom('ward', urgent());
  expect(rig.calling).toEqual([21]);
  await answering(rig, sql, 'server_error');
  await rig.acceptFrom('open', ...many(3, 'b'));
  await rig.acceptFrom('shop', ...many(3, 'c'));
  await answering(rig, sql, 'server_error', 'open', 'shop');
  expect(rig.meta.circuit.probeAt).not.toBeNull();
});

it('an urgent message probes an open circuit soon after the last failure, whoever waits', async ({
  rig,
  sql,
}) => {
  rig.policy = { ...rig.policy, retryMs: [HOUR], circuit: { failures: 2, probeMs: 10 * MINUTE } };
  await rig.acceptFrom('shop', ...many(3));
  await answering(rig, sql, 'server_error', 'shop');
  expect(rig.called).toHaveLength(2);
  await rig.pass(4 * SECOND);
  await rig.acceptFrom('ward', urgent('nurse'));
  expect(sources(rig, sql).at(-1)).toBe('ward');
  await rig.answerAll();
  expect(rig.meta.circuit.probeAt).toBeNull();
});

it('whatever strangers do, an urgent message is called within five seconds', async ({ storage, sql }) => {
  const steps = fc.array(
    fc.record({
      source: fc.constantFrom('open-a', 'open-b', 'open-c'),
      phones: fc.array(fc.constantFrom('owner', 'nurse', 'n1', 'n2', 'n3', 'n4'), {
        minLength: 1,
        maxLength: 12,
      }),
      priority: fc.constantFrom('normal', 'high'),
      outcome: fc.constantFrom('sent', 'forbidden', 'server_error', 'uncertain', 'busy', 'refused'),
      ms: fc.oneof(fc.constant(0), fc.nat(10 * SECOND), fc.nat(HOUR)),
      restarts: fc.boolean(),
    }),
    { minLength: 1, maxLength: 25 },
  );
  const rates = fc.constantFrom(null, { perMinute: 30, burst: 5 }, { perMinute: 60, burst: 1 });
  await fc.assert(
    fc.asyncProperty(steps, rates, async (list, rate) => {
      empty(sql);
      sql.exec('DELETE FROM contacts');
      const limits = { perRecipient: { perHour: 4 }, newContacts: { perDay: 3 } };
      const rig = new Bench(storage, { rate, ...limits, retryMs: [SECOND, MINUTE, HOUR] });
      for (const { source, phones, priority, outcome, ms, restarts } of list) {
        await rig.acceptFrom(
          source,
          ...phones.map((phone) => draft({ phone, priority, params: { message: source } })),
        );
        for (let [call] = rig.open; call !== undefined; [call] = rig.open)
          await rig.answer(call.seq, outcome);
        if (restarts) rig.restart();
        await rig.pass(ms);
      }
      expect(rig.meta.pause).toBeNull();
      await rig.answerAll();
      const [seq = 0] = await rig.acceptFrom('ward', urgent());
      const end = rig.now + 5 * SECOND;
      while (!rig.called.includes(seq)) {
        await rig.answerAll();
        const next = rig.called.includes(seq) ? null : rig.nextRun;
        if (next === null || next > end) break;
        await rig.pass(Math.max(1, next - rig.now));
      }
      expect(rig.called).toContain(seq);
    }),
    { numRuns: 60 },
  );
});

it('a flood for one receiver holds up no other receiver of open sources, and keeps its order', async ({
  storage,
  sql,
}) => {
  addMany(sql, 6_000, { phone: 'a', source: 'open-a', standing: 2 });
  for (const [seq, phone] of [
    [6_001, 'b'],
    [6_002, 'a'],
    [6_003, 'c'],
  ] as const)
    addMessage(sql, { seq, phone, source: 'open-b', standing: 2 });
  const rig = new Bench(storage, { perRecipient: { perHour: 30 } });
  await rig.wake();
  await rig.answerAll();
  expect(rig.called).toEqual(expect.arrayContaining([6_001, 6_003]));
  rig.policy = { ...rig.policy, perRecipient: null };
  while (rig.called.length < 6_003) {
    const [call] = rig.open;
    await (call === undefined ? rig.wake() : rig.answer(call.seq, 'sent'));
  }
  const toA = rig.called.filter((seq) => seq !== 6_001 && seq !== 6_003);
  expect(toA).toEqual(toA.toSorted((one, other) => one - other));
});

it('strangers’ messages become a digest of their own', async ({ storage }) => {
  const rig = new Bench(storage, { perRecipient: { perHour: 1 } });
  await rig.acceptFrom('open', ...many(5));
  await rig.acceptFrom('shop', ...many(3));
  const { turns } = rig.claims.queue;
  expect([turns.crowded(4).size, turns.waitingFor('owner')]).toEqual([0, [2, 3, 4, 5]]);
});

it('a flood of open sources leaves memory to others, and is sent whole, in order', async ({
  storage,
  sql,
}) => {
  addMany(sql, 11_000, { phone: 'a', source: 'open', standing: 2 });
  sql.exec("UPDATE messages SET phone = 'r' || (seq % 5000)");
  addMessage(sql, { seq: 11_001, phone: 'owner', source: 'shop' });
  const rig = new Bench(storage);
  await rig.wake();
  let most = 0;
  while (rig.called.length < 11_001) {
    const [call] = rig.open;
    most = Math.max(most, rig.claims.queue.turns.open);
    await (call === undefined ? rig.wake() : rig.answer(call.seq, 'sent'));
  }
  expect(most).toBeLessThanOrEqual(10_000);
  expect(rig.called.slice(0, 100)).toContain(11_001);
  expect(new Set(rig.called).size).toBe(11_001);
  for (const ofOne of Map.groupBy(rig.called, (seq) => (seq > 11_000 ? -1 : seq % 5_000)).values())
    expect(ofOne).toEqual(ofOne.toSorted((one, other) => one - other));
});

it('a slow pace, too, leaves something of each minute to an urgent message', async ({ storage, sql }) => {
  for (const perMinute of [2, 3]) {
    const rig = new Bench(storage, { rate: { perMinute, burst: 5 } });
    await rig.acceptFrom('open', ...to(...Array.from({ length: 30 }, (_, n) => `${n}`)));
    await sentIn(rig, sql, 3 * MINUTE);
    for (let second = 0; second < 60; second += 7) {
      await sentIn(rig, sql, 2 * MINUTE + 7 * SECOND);
      await rig.acceptFrom('ward', urgent());
      expect(sources(rig, sql).at(-1)).toBe('ward');
    }
    sql.exec('DELETE FROM messages');
  }
});
