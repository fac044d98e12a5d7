import { afterEach, describe, expect, vi } from 'vitest';
import { DEFAULT_ACCOUNT } from '../../src/config/compiled/account-policy.ts';
import { Counters } from '../../src/outbox/counters/counters.ts';
import type { Acceptance, DraftItem } from '../../src/outbox/state/acceptance.ts';
import { route, setOf } from './incidents/bench.ts';
import { eventSample, itemSample } from './samples.ts';
import { tables } from './in-storage.ts';
import { configKv, it, LOGIN, openOutbox } from './it.ts';
import { acceptanceTo, addMessage, column, countRows, DAY, draft, draftTo, HOUR } from './support.ts';

const PHONE = '4915112345678';

afterEach(() => vi.restoreAllMocks());

/** Its event and its first message are written when the second one is refused. */
const unwritable = (): Acceptance => {
  const acceptance = acceptanceTo([PHONE]);
  return { ...acceptance, messages: [...acceptance.messages, draftTo(PHONE, { kind: 'voice' })] };
};

const seqs = (sql: SqlStorage) => column(sql, 'SELECT seq FROM messages ORDER BY seq');

it('what comes together is committed with two flushes', async ({ outbox, storage }) => {
  const flushes = vi.spyOn(storage, 'sync');
  const commits = vi.spyOn(storage, 'transactionSync');
  const together = Array.from({ length: 50 }, () => outbox.accept(acceptanceTo([PHONE])));
  const receipts = await Promise.all(together);
  expect(new Set(receipts.flatMap(({ messages }) => messages)).size).toBe(50);
  expect([flushes, commits].map(({ mock }) => mock.calls.length)).toEqual([2, 2]);
});

it('a message costs two rows; what cannot go yet sets hardly an alarm', async ({ storage }) => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => new Promise(() => undefined));
  const outbox = openOutbox(storage, LOGIN);
  const set = vi.spyOn(storage, 'setAlarm');
  // The burst of five goes at once, then one message each two seconds.
  for (let event = 0; event < 60; event += 1) await outbox.accept(acceptanceTo([`49151124${event}`]));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(set.mock.calls.length).toBeGreaterThan(0);
  expect(set.mock.calls.length).toBeLessThan(60 / 4);
  outbox.pause('token');
  // What was set before the pause.
  await outbox.alarm();
  await outbox.accept(acceptanceTo([PHONE]));
  set.mockClear();
  const rows = countRows(storage.sql);
  for (let event = 0; event < 60; event += 1) await outbox.accept(acceptanceTo([`49151125${event}`]));
  expect([set.mock.calls.length, rows.written()]).toEqual([0, 2 * 60]);
});

it('a bad event fails alone: no number is skipped or given twice', async ({ outbox, sql }) => {
  // As a full disk or a row too large would.
  sql.exec(
    "CREATE TRIGGER refuse BEFORE INSERT ON messages WHEN NEW.kind = 'voice' BEGIN SELECT RAISE(ABORT, 'refused'); END",
  );
  const group = [acceptanceTo([PHONE]), acceptanceTo([PHONE, PHONE]), unwritable(), acceptanceTo([PHONE])];
  const settled = await Promise.allSettled(group.map((one) => outbox.accept(one)));
  expect(settled.map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, true]);
  const ids = settled.flatMap((one) => (one.status === 'fulfilled' ? one.value.messages : []));
  const views = await Promise.all(ids.map((id) => outbox.readMessage(id)));
  expect(views.map((view) => view?.id)).toEqual(ids);
  await outbox.accept(acceptanceTo([PHONE]));
  expect(seqs(sql)).toEqual([1, 2, 3, 4, 5]);
});

it('numbers of events are apart from those of messages sent by hand meanwhile', async ({ outbox, sql }) => {
  const accepted = outbox.accept(acceptanceTo([PHONE, PHONE]));
  const byHand = outbox.send(draftTo(PHONE), 3);
  const { messages } = await accepted;
  const sent = await byHand;
  expect(sent).toMatchObject({ event: null, source: null, config_version: 3 });
  expect(new Set([...messages, sent?.id]).size).toBe(3);
  expect(seqs(sql)).toEqual([1, 2, 3]);
});

it('a fault after the row of a fallback is written gives its number to nothing else', async () => {
  for (const count of ['attempt', 'queued'] as const) {
    const [storage, answer] = [tables(), Promise.withResolvers<Response>()];
    vi.spyOn(globalThis, 'fetch').mockReturnValueOnce(answer.promise);
    const outbox = openOutbox(storage, LOGIN);
    const { kind, params } = draft();
    await outbox.accept({ ...acceptanceTo([]), messages: [draft({ fallback: [{ kind, params }] })] });
    vi.spyOn(Counters.prototype, count).mockImplementationOnce(() => {
      throw new Error('a bug');
    });
    answer.resolve(new Response('{}', { status: 400 }));
    await vi.advanceTimersByTimeAsync(1_000);
    await outbox.accept(acceptanceTo([PHONE]));
    const attempts = column(storage.sql, 'SELECT json_array_length(attempts) FROM messages ORDER BY seq');
    expect([count, attempts.length, attempts[0]]).toEqual([count, 3, 1]);
  }
});

it('an outbox that starts again knows everything, and gives no number twice', async ({ storage, sql }) => {
  const dedupe = { key: 'k', windowMs: HOUR };
  const before = openOutbox(storage);
  const first = await before.accept(acceptanceTo([PHONE], { dedupe }));
  before.pause('token');
  const again = openOutbox(storage);
  const second = await again.accept(acceptanceTo([PHONE]));
  expect((await again.accept(acceptanceTo([PHONE], { dedupe }))).duplicate).toBe(true);
  const { items } = await again.listMessages({ limit: 10 });
  expect(items.map(({ id }) => id)).toEqual([...second.messages, ...first.messages]);
  expect((await again.status()).paused).toMatchObject({ by: 'token', code: 'paused' });
  // Also when all its messages were deleted.
  sql.exec("UPDATE messages SET state = 'cancelled'");
  vi.setSystemTime(Date.now() + 31 * DAY);
  await again.alarm();
  expect(seqs(sql)).toEqual([]);
  const third = await openOutbox(storage).accept(acceptanceTo([PHONE]));
  expect([...first.messages, ...second.messages]).not.toContain(third.messages[0]);
});

it('a person’s hand does nothing to a message of another outbox', ({ outbox, sql }) => {
  addMessage(sql, { seq: 1, state: 'dead' });
  expect(outbox.retry('msg_000000001zzzzzzz', 'token')).toBeNull();
  expect(outbox.cancel('msg_000000009', 'token')).toBeNull();
});

it('the owner is notified of a pause once, and of its end once', ({ outbox, sql }) => {
  outbox.pause('token');
  outbox.pause('token');
  outbox.resume();
  outbox.resume();
  const kinds = column(sql, "SELECT notice ->> 'kind' FROM notices ORDER BY id");
  expect(kinds).toEqual(['account.paused', 'account.resumed']);
});

it('cancelling many counts what was cancelled, and nothing in a dry run', async ({ outbox }) => {
  await outbox.accept(acceptanceTo(['4915112345601', '4915112345602']));
  const from = { after: 0, isDryRun: false };
  expect(outbox.cancelAll({ phone: '4915112345601' }, 'token', from).cancelled).toBe(1);
  expect(outbox.cancelAll({}, 'token', { ...from, isDryRun: true }).cancelled).toBe(1);
  expect(outbox.metrics().totals).toMatchObject({ 'message shop cancelled': 1 });
});

it('a retry counts the time of `fallback.after` from the beginning again', async ({ outbox, sql }) => {
  const { kind, params } = draft();
  const fallback = [{ kind, params, account: 'sales', after_ms: HOUR }];
  const { event } = acceptanceTo([]);
  const { messages } = await outbox.accept({ event, messages: [draft({ fallback })] });
  outbox.cancel(messages[0] ?? '', 'token');
  expect(column(sql, 'SELECT phase FROM handings')).toEqual([]);
  vi.setSystemTime(Date.now() + 2 * HOUR);
  outbox.retry(messages[0] ?? '', 'token');
  expect(column(sql, "SELECT next_at FROM handings WHERE phase = 'waits'")).toEqual([Date.now() + HOUR]);
});

it('an event and its messages are kept as they were given', async ({ outbox }) => {
  // `__proto__` as a key of its own, as a parsed JSON body may have it.
  const params = { message: 'Zoë 👩‍👩‍👧\n', ['__proto__']: 'a plain key', caption: '' };
  const texts = { payload: '{"a":"ü"}', headers: '{"x-a":"1"}', query: '{"q":"2"}' };
  const { event } = acceptanceTo([], { ...texts, dedupe: { key: 'ключ\u0000', windowMs: HOUR } });
  const { messages } = await outbox.accept({ event, messages: [draft({ params })] });
  const text = await outbox.readMessage(messages[0] ?? '');
  expect([text?.params['message'], text?.params['caption']]).toEqual(['Zoë 👩‍👩‍👧\n', '']);
  expect(await outbox.readEvent(event.id)).toMatchObject({ ...texts, type: null, dedupe_key: 'ключ\u0000' });
});

/** The receivers of the calls that a second webhook causes, in order. */
const calledAfter = async (storage: DurableObjectStorage, isKvAway: boolean, says: object | null = null) => {
  const alerts = {
    verify: { scheme: 'basic' },
    secrets: ['NOTIFY_ALERTS'],
    account: 'bare',
    routes: [route()],
  };
  const published = {
    activation: 1,
    version: 1,
    set: setOf([], { accounts: { bare: {} }, sources: { alerts } }),
  };
  const first = openOutbox(storage, { CONFIG: configKv(published) });
  const item: DraftItem = { ...itemSample([PHONE], '{}'), route: 'on-call', key: 'disk' };
  await first.accept({ event: eventSample(Date.now(), { source: 'alerts' }), messages: [], items: [item] });
  await vi.advanceTimersByTimeAsync(1_000);
  await first.alarm();
  expect((await first.listMessages({ limit: 1 })).items).toMatchObject([{ state: 'queued' }]);
  if (says !== null) storage.sql.exec('UPDATE messages SET says = ?', JSON.stringify(says));
  const called: unknown[] = [];
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(globalThis, 'fetch').mockImplementation((_, init) => {
    const body = new URLSearchParams(typeof init?.body === 'string' ? init.body : '');
    called.push(body.get('phone'));
    return new Promise(() => undefined);
  });
  const get = () => (isKvAway ? Promise.reject(new Error('KV is away')) : configKv(published).get());
  const next = openOutbox(storage, { ...LOGIN, CONFIG: { get } });
  await next.accept(acceptanceTo(['4915112349999']), JSON.stringify(DEFAULT_ACCOUNT));
  await vi.advanceTimersByTimeAsync(500);
  return called;
};

describe('a notification that waits in an object that has just started', () => {
  it('keeps its turn', async ({ storage }) => {
    expect(await calledAfter(storage, false)).toEqual([PHONE, '4915112349999']);
  });

  it('keeps its turn if it says who has the incident', async ({ storage }) => {
    const says = { form: 'holder', keys: ['disk'], who: null, isBack: true, locale: 'en' };
    expect(await calledAfter(storage, false, says)).toEqual([PHONE, '4915112349999']);
  });

  it('does not stop what comes with the start if the configuration cannot be read', async ({ storage }) => {
    expect(await calledAfter(storage, true)).toEqual(['4915112349999']);
  });
});
