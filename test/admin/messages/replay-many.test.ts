import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { eventIdFloor } from '../../../src/lib/id.ts';
import { iso } from '../../../src/lib/time.ts';
import type { AcceptedEvent } from '../../../src/outbox/state/acceptance.ts';
import type { EventSummary } from '../../../src/answers/api-event.ts';
import { admin, listOf, publish } from '../../integration/relay.ts';
import { eventOf } from '../../outbox/bare-outbox.ts';
import { refusal } from '../support.ts';

interface Step {
  readonly replayed: number;
  readonly messages: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly looked_at: number;
  readonly events: readonly { readonly event: string; readonly replay_of: string }[];
  readonly phones?: readonly string[];
  readonly next_cursor: string | null;
}

const call = (body: object, query = '') => admin<Step>('POST', `/events/replay${query}`, body);

/** All steps from a cursor on, or from the beginning. */
async function steps(filter: object, query = '', from?: string): Promise<readonly Step[]> {
  const done: Step[] = [];
  let cursor = from;
  for (let n = 0; n < 50; n += 1) {
    const { status, body } = await call({ ...filter, ...(cursor !== undefined && { cursor }) }, query);
    expect(status).toBe(200);
    done.push(body);
    if (body.next_cursor === null) return done;
    cursor = body.next_cursor;
  }
  throw new Error('no end');
}

const open = async (filter: object): Promise<string> => (await call(filter)).body.next_cursor ?? '';

/** A source that nobody else in this file has, so that each test sees only its own events. */
let source = '';
let count = 0;

async function accept(event: AcceptedEvent, messages: readonly ReturnType<typeof draft>[] = []) {
  await env.OUTBOX.getByName('default').accept({ event, messages });
  return event;
}

async function add(n: number, change: Partial<AcceptedEvent> = {}): Promise<readonly string[]> {
  const start = Date.now() - 60_000;
  const events = Array.from({ length: n }, (_, at) => eventOf(start + at, { source, ...change }));
  for (const event of events) await accept(event);
  return events.map(({ id }) => id);
}

/** A message that waits. */
const draft = (phone: string) => ({
  route: 'a',
  kind: 'text' as const,
  phone,
  params: { message: 'x' },
  delayMs: 3_600_000,
  expiresMs: null,
  onUncertain: 'retry' as const,
  priority: 'normal' as const,
  forget: false,
});

/** The events that these steps replayed. */
const originals = (done: readonly Step[]) => done.flatMap(({ events }) => events.map((one) => one.replay_of));
const found = async (filter: object) => originals(await steps({ source, ...filter }));

const listed = () => listOf<EventSummary>(`/events?source=${source}&limit=200`);

/** Cancels the first message of an event. */
async function cancelFirst(event: string): Promise<void> {
  const [message] = await listOf<{ id: string }>(`/messages?event=${event}`);
  await admin('POST', `/messages/${message?.id ?? ''}/cancel`);
}

const SHOP = {
  verify: { scheme: 'none' },
  routes: [
    { name: 'a', to: '4915112345678', delay: '1h', send: { kind: 'text', message: 'a' } },
    { name: 'b', to: '4915112345679', delay: '1h', send: { kind: 'text', message: 'b' } },
  ],
};

const ACCOUNTS = { accounts: { default: {}, sales: {} } };
const SOURCES = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`shop-${at + 1}`, SHOP]));

beforeAll(() => publish({ sources: SOURCES, ...ACCOUNTS }));
beforeEach(() => {
  source = `shop-${(count += 1)}`;
});

it('POST /events/replay first only opens the replay, so that every step that sends has a cursor', async () => {
  await add(2);
  const { body } = await call({ source });
  expect(body).toMatchObject({ replayed: 0, looked_at: 0, events: [] });
  expect(body.next_cursor).not.toBeNull();
  expect(await listed()).toHaveLength(2);
});

it('POST /events/replay replays each event once, oldest first, and never what it makes itself', async () => {
  const ids = await add(23);
  const done = await steps({ source });
  expect(originals(done)).toEqual(ids);
  expect(done.map(({ replayed }) => replayed)).toEqual([0, 10, 10, 3]);
  expect(done.map(({ messages }) => messages)).toEqual([0, 20, 20, 6]);
  const replays = (await listed()).filter(({ replay_of }) => replay_of !== undefined);
  expect(new Set(replays.map(({ replay_of }) => replay_of))).toEqual(new Set(ids));
  for (const { event } of done.flatMap(({ events }) => events)) expect(event).toMatch(/^evt_[0-9a-z]{26}$/);
  expect(replays).toHaveLength(ids.length);
});

it('POST /events/replay replays nothing twice when a step is repeated, also at the same moment', async () => {
  const ids = await add(4);
  const cursor = await open({ source });
  const answers = await Promise.all([call({ source, cursor }), call({ source, cursor })]);
  answers.push(await call({ source, cursor }));
  for (const { body } of answers) expect(body.events).toEqual(answers[0]?.body.events);
  expect(await listed()).toHaveLength(2 * ids.length);
  expect(await listOf(`/messages?source=${source}&limit=200`)).toHaveLength(2 * ids.length);
});

it('POST /events/replay leaves what was received after it was opened, whatever `until` says', async () => {
  const ids = await add(1);
  const cursor = await open({ source });
  await accept(eventOf(Date.now() + 1_000, { source }));
  const until = iso(Date.now() + 60_000);
  expect(originals(await steps({ source, until }, '', cursor))).toEqual(ids);
});

it('POST /events/replay counts in a dry run, and changes nothing; the same cursor then replays what was counted', async () => {
  await add(12);
  const cursor = await open({ source });
  const [counted] = await steps({ source }, '?dry_run=true', cursor);
  const nothing = { messages: 0, skipped: {}, events: [], next_cursor: null };
  expect(counted).toEqual({ ...nothing, replayed: 12, looked_at: 12 });
  expect(await listed()).toHaveLength(12);
  const done = await steps({ source }, '', cursor);
  expect(done.reduce((sum, { replayed }) => sum + replayed, 0)).toBe(12);
});

it('POST /events/replay counts the receivers in a dry run: all, or those to whom something did not come through', async () => {
  await add(2);
  const phones = ['4915112345671', '4915112345672'];
  const { id } = await accept(eventOf(Date.now() - 50_000, { source }), phones.map(draft));
  await cancelFirst(id);
  const counted = async (choice: object) => {
    const [first, second] = await steps({ source, ...choice }, '?dry_run=true');
    return { ...first, ...second };
  };
  expect((await counted({})).phones?.toSorted()).toEqual(phones);
  const only = await counted({ only: 'failed' });
  expect(only).toMatchObject({ replayed: 1, skipped: { nothing_failed: 2 } });
  expect(only.phones).toHaveLength(1);
});

it('POST /events/replay keeps to the filters of the list', async () => {
  const [failed] = await add(1, { state: 'failed' });
  const [named] = await add(1, { payload: '{"name":"Ada \\"L\\""}' });
  await add(1, { type: 'paid' });
  expect(await found({ state: 'failed' })).toEqual([failed]);
  expect(await found({ text: 'ada "l"' })).toEqual([named]);
  expect(await found({ type: 'paid', until: '30s', since: '1h' })).toHaveLength(1);
  expect(await found({ since: '1s', type: 'paid' })).toEqual([]);
});

it('POST /events/replay sends what failed once: another replay skips it, and says so before', async () => {
  const reasons = [{ code: 'absent', route: 'a', parameter: 'to', message: 'is not there' }] as const;
  const [broken = ''] = await add(1, { state: 'failed', reasons });
  const event = await accept(eventOf(Date.now() - 50_000, { source }), [draft('4915112345678')]);
  await cancelFirst(event.id);

  const only = { source, only: 'failed' };
  const cursor = await open(only);
  const [first] = await steps(only, '', cursor);
  expect(first?.events.map(({ replay_of }) => replay_of)).toEqual([broken, event.id]);
  // A step whose answer was lost says the same again.
  expect((await steps(only, '', cursor))[0]).toEqual(first);

  const skipped = { nothing_failed: 2, is_replay: 2 };
  expect((await steps(only, '?dry_run=true')).at(-1)).toMatchObject({ replayed: 0, skipped });
  expect((await steps(only)).at(-1)).toMatchObject({ replayed: 0, skipped });

  // Only what a replay did not send, either.
  await cancelFirst(first?.events[1]?.event ?? '');
  expect((await steps(only, '?dry_run=true')).at(-1)?.phones).toEqual(['4915112345678']);
  expect(await found({ only: 'failed' })).toEqual([event.id]);
});

it('POST /events/replay says of how many there is nothing to replay, and why', async () => {
  await add(2, { stored: false, payload: 'null', headers: 'null', query: 'null' });
  await add(1);
  expect((await steps({ source, routes: ['c'] })).at(-1)?.skipped).toEqual({
    payload_not_kept: 2,
    unknown_route: 1,
  });
  const { [source]: _, ...gone } = SOURCES;
  await publish({ sources: gone });
  for (const query of ['', '?dry_run=true'])
    expect((await steps({ source }, query)).at(-1)).toMatchObject({
      replayed: 0,
      skipped: { payload_not_kept: 2, source_gone: 1 },
      looked_at: 3,
    });
  await publish({ sources: SOURCES, ...ACCOUNTS });
});

it('POST /events/replay goes through the events of all accounts by the time of receipt', async () => {
  const start = Date.now() - 60_000;
  const ids: string[] = [];
  for (let at = 0; at < 6; at += 1) {
    const event = eventOf(start + at, { source });
    ids.push(event.id);
    await env.OUTBOX.getByName(at % 3 === 0 ? 'default' : 'sales').accept({ event, messages: [] });
  }
  expect(await found({})).toEqual(ids);
});

it('POST /events/replay refuses what does not say what to replay, or asks for what there is not', async () => {
  for (const [body, error] of [
    [{}, 'all: must be true if no filter is given: source, state, type, since, until or text'],
    [{ all: true, source: 'x' }, 'all: must not be combined with a filter'],
    [{ all: false }, 'all: must be true: all stored events, of every account'],
    [{ text: 'ab' }, 'text: must have 3 to 200 characters'],
    [{ source: 'x', only: 'sent' }, 'only: must be `failed` or absent'],
    [{ sauce: 'x' }, 'sauce: unknown key `sauce`; did you mean `source`?'],
  ] as const)
    expect(await refusal('POST', '/events/replay', body)).toEqual([error]);
});

it('POST /events/replay refuses a cursor that is none, is of another list, or is too old to promise anything', async () => {
  const cursor = await open({ source });
  const [, name = ''] = cursor.split('.');
  const old = `${(Date.now() - 25 * 3_600_000).toString(36)}.${name}.`;
  const ahead = `${(Date.now() + 3_600_000).toString(36)}.${name}.`;
  for (const wrong of ['', 'x', eventIdFloor(0), old, ahead, `${cursor}e30x`, `${cursor}!`])
    expect([wrong, (await call({ source, cursor: wrong })).status]).toEqual([wrong, 422]);
});
