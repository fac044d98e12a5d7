import { beforeAll, expect, it } from 'vitest';
import { admin, event, postJson, publish, UNPACED, type MessageJson } from '../../integration/relay.ts';
import type { EventSummary } from '../../../src/answers/api-event.ts';
import { form, listAll, refusal, type PageJson } from '../support.ts';

type Message = MessageJson & { readonly created_at: string };

const ids: string[] = [];
const messages: string[] = [];

const listEvents = (query: string, limit = 200) => listAll<EventSummary>(`events?${query}`, limit);
const listMessages = (query: string, limit = 200) => listAll<Message>(`messages?${query}`, limit);

async function send(source: string, payload: object): Promise<void> {
  const response = await postJson(source, payload);
  const receipt = await response.json<{ event: string; messages: string[] }>();
  ids.push(receipt.event);
  messages.push(...receipt.messages);
}

beforeAll(async () => {
  const never = { name: 'never', when: 'payload.type == "x"', to: '4930123456' };
  await publish({
    sources: {
      shop: form({ dedupe: { key: '{{ payload.id }}' } }),
      sales: form({ account: 'sales' }),
      other: form({ routes: [{ ...never, send: { kind: 'text', message: 'x' } }] }),
    },
    accounts: { default: UNPACED, sales: UNPACED },
  });
  // In paused accounts, the waiting messages do not change between two looks.
  for (const account of ['default', 'sales']) await admin('POST', `/accounts/${account}/pause`);
  for (let n = 0; n < 24; n += 1)
    await send(n % 2 === 0 ? 'shop' : 'sales', {
      id: n,
      phone: `01511234570${n % 7}`,
      text: `n${n}`,
      type: `t${n % 3}`,
    });
  await send('shop', { id: 'f', text: 'no number' });
  await send('other', {});
});

it.each([1, 7, 26, 200])(
  'a list has each of all accounts once, newest first, %i at a time',
  async (limit) => {
    const events = await listEvents('', limit);
    expect(events.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    const sent = await listMessages('', limit);
    expect(sent.map(({ id }) => id).toSorted()).toEqual(messages.toSorted());
    for (const times of [events.map((one) => one.received_at), sent.map((one) => one.created_at)])
      expect(times).toEqual(times.toSorted().toReversed());
  },
);

it('a list does not move what a page showed when more comes in between', async () => {
  const first = await admin<PageJson<EventSummary>>('GET', '/events?limit=10');
  await send('sales', { phone: '015112345702', text: 'later' });
  const rest = await listEvents(`&cursor=${first.body.next_cursor}`);
  const seen = [...first.body.items, ...rest].map(({ id }) => id);
  expect(seen.toSorted()).toEqual(ids.slice(0, -1).toSorted());
});

it('a list finds what a query names, and all of it', async () => {
  const events = await listEvents('');
  const rows: readonly (readonly [string, (one: EventSummary) => boolean])[] = [
    ['&source=sales', (one) => one.source === 'sales'],
    ['&state=failed', (one) => one.state === 'failed'],
    ['&state=unmatched', (one) => one.state === 'unmatched'],
    ['&type=t1', (one) => one.type === 't1'],
    ['&text=NO%20number', (one) => one.state === 'failed'],
    ['&text=n17&source=sales', (one) => one.id === ids[17]],
    ['&until=1ms&state=failed', (one) => one.state === 'failed'],
    ['&source=shop&state=routed&type=t0', (one) => one.source === 'shop' && one.type === 't0'],
  ];
  for (const [query, isWanted] of rows) {
    const found = await listEvents(query, 3);
    expect([query, ...found]).toEqual([query, ...events.filter(isWanted)]);
    expect(found.length).toBeGreaterThan(0);
  }
  expect(await listEvents('&since=1h')).toHaveLength(ids.length);
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  for (const query of [`&since=${soon}`, '&source=nothing']) expect(await listEvents(query)).toEqual([]);
});

it('a list finds messages by source, receiver, state and event', async () => {
  const all = await listMessages('');
  const rows: readonly (readonly [string, (one: Message) => boolean])[] = [
    ['&source=shop', (one) => one.source === 'shop'],
    ['&phone=4915112345703', (one) => one.phone === '4915112345703'],
    ['&state=queued&source=sales', (one) => one.account === 'sales'],
    [`&event=${ids[1]}`, (one) => one.id === messages[1]],
  ];
  for (const [query, isWanted] of rows) {
    expect([query, ...(await listMessages(query, 2))]).toEqual([query, ...all.filter(isWanted)]);
    expect(all.some(isWanted)).toBe(true);
  }
  for (const query of ['&event=evt_nothing', '&state=dead']) expect(await listMessages(query)).toEqual([]);
});

it('a list says how far a search looked, over all accounts', async () => {
  const { body } = await admin<PageJson<EventSummary>>('GET', '/events?text=nobody%20has%20this');
  const searched = { events: ids.length, back_to: null, complete: true };
  expect(body).toMatchObject({ items: [], searched });
});

it('a list refuses a filter that it does not know, and a cursor that is none, or of another list', async () => {
  expect(await refusal('GET', '/events?text=ab')).toEqual(['text: must have 3 to 200 characters']);
  expect(await refusal('GET', '/events?state=sent')).toEqual([
    'state: must be one of routed, partly_failed, unmatched, failed',
  ]);
  expect(await refusal('GET', '/messages?phnoe=1')).toEqual([
    'phnoe: unknown key `phnoe`; did you mean `phone`?',
  ]);
  for (const [list, other] of [
    ['events', 'messages'],
    ['messages', 'events'],
  ]) {
    const { body } = await admin<PageJson<unknown>>('GET', `/${other}?limit=1`);
    for (const cursor of ['abc', '', body.next_cursor]) await refusal('GET', `/${list}?cursor=${cursor}`);
  }
});

it('a single one of events shows the payload and the messages', async () => {
  const [first = ''] = ids;
  expect(await event(first)).toMatchObject({
    id: first,
    source: 'shop',
    state: 'routed',
    dedupe_key: '0',
    duplicates: 0,
    payload: { id: 0, phone: '015112345700', text: 'n0', type: 't0' },
    headers: { 'content-type': 'application/json' },
    query: {},
    messages: [{ kind: 'text', route: 'all', account: 'default', phone: '4915112345700' }],
    config_version: 1,
  });
});

it('a single one of messages shows it as it will be sent, wherever it is', async () => {
  expect((await admin('GET', `/messages/${messages[1]}`)).body).toMatchObject({
    event: ids[1],
    source: 'sales',
    account: 'sales',
    state: 'queued',
    params: { phone: '4915112345701', message: 'n1' },
    attempts: [],
  });
});
