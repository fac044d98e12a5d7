import { beforeAll, describe, expect, it } from 'vitest';
import { admin, postJson, publish, UNPACED, type MessageJson } from '../../integration/relay.ts';
import { form, lines, raw, type PageJson, type ProblemJson } from '../support.ts';

type Message = MessageJson & {
  readonly source: string;
  readonly account: string;
  readonly created_at: string;
};

const ids: string[] = [];
const events: string[] = [];

async function listAll(query: string, limit: number): Promise<readonly Message[]> {
  const found: Message[] = [];
  let cursor = '';
  for (let page = 0; page < 200; page += 1) {
    const { status, body } = await admin<PageJson<Message>>(
      'GET',
      `/messages?limit=${limit}${query}${cursor}`,
    );
    expect(status).toBe(200);
    found.push(...body.items);
    if (body.next_cursor === null) return found;
    cursor = `&cursor=${body.next_cursor}`;
  }
  throw new Error('no end');
}

beforeAll(async () => {
  await publish({
    sources: { shop: form(), sales: form({ account: 'sales' }) },
    accounts: { default: UNPACED, sales: UNPACED },
  });
  // In paused accounts, the waiting messages do not change between two looks.
  for (const account of ['default', 'sales']) await admin('POST', `/accounts/${account}/pause`);
  for (let n = 0; n < 30; n += 1) {
    const response = await postJson(n % 3 === 0 ? 'shop' : 'sales', {
      phone: `01511234580${n % 7}`,
      text: `n${n}`,
    });
    const receipt = await response.json<{ event: string; messages: string[] }>();
    events.push(receipt.event);
    ids.push(...receipt.messages);
  }
});

describe('GET /messages', () => {
  it.each([1, 3, 7, 30, 200])(
    'lists each message of all accounts once, newest first, %i at a time',
    async (limit) => {
      const found = await listAll('', limit);
      expect(found.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
      const times = found.map(({ created_at }) => created_at);
      expect(times).toEqual(times.toSorted().toReversed());
    },
  );

  it.each([
    ['&source=shop', (one: Message) => one.source === 'shop'],
    ['&phone=4915112345803', (one: Message) => one.phone === '4915112345803'],
    ['&state=queued&source=sales', (one: Message) => one.account === 'sales'],
  ])('finds with %s what it names, and all of it', async (query, isWanted) => {
    const all = await listAll('', 200);
    const found = await listAll(query, 2);
    expect(found.map(({ id }) => id)).toEqual(all.filter(isWanted).map(({ id }) => id));
    expect(found.length).toBeGreaterThan(0);
  });

  it('finds those of an event', async () => {
    const [, second = ''] = events;
    expect((await listAll(`&event=${second}`, 5)).map(({ id }) => id)).toEqual([ids[1]]);
    expect(await listAll('&event=evt_nothing', 5)).toEqual([]);
    expect(await listAll('&state=dead', 5)).toEqual([]);
  });

  it.each([
    ['phnoe=1', 'phnoe: unknown key `phnoe`; did you mean `phone`?'],
    [
      'state=queue',
      'state: must be one of queued, sending, sent, retrying, uncertain, dead, expired, cancelled, superseded, suppressed; did you mean `queued`?',
    ],
  ])('refuses ?%s', async (query, error) => {
    const { status, body } = await admin<ProblemJson>('GET', `/messages?${query}`);
    expect(status).toBe(422);
    expect(lines(body)).toEqual([error]);
  });

  it('refuses a cursor that is none, or of another list', async () => {
    const { body } = await admin<PageJson<unknown>>('GET', '/events?limit=1');
    for (const cursor of ['abc', '', body.next_cursor])
      expect((await admin('GET', `/messages?cursor=${cursor}`)).status).toBe(422);
  });
});

describe('GET /messages/{id}', () => {
  it('shows one as it will be sent, wherever it is', async () => {
    const { status, body } = await admin<Message>('GET', `/messages/${ids[1]}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: ids[1],
      event: events[1],
      source: 'sales',
      account: 'sales',
      state: 'queued',
      params: { phone: '4915112345801', message: 'n1' },
      attempts: [],
    });
  });

  it.each(['msg_nothing', 'x', 'constructor', 'msg_0000000000000000'])('has no %s: 404', async (id) => {
    expect((await admin<ProblemJson>('GET', `/messages/${id}`)).body).toMatchObject({
      status: 404,
      title: 'Not found',
    });
  });
});

describe('POST /messages', () => {
  it('of what is no JSON is 400, and of too much 413', async () => {
    const response = await raw('POST', '/messages', { body: '{"kind":' });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect((await raw('POST', '/messages', { body: `"${'x'.repeat(3_000_001)}"` })).status).toBe(413);
  });
});
