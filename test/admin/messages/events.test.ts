import { beforeAll, describe, expect, it } from 'vitest';
import { admin, event, postJson, publish, UNPACED } from '../../integration/relay.ts';
import { form, lines, type PageJson, type ProblemJson } from '../support.ts';

interface Summary {
  readonly id: string;
  readonly source: string;
  readonly state: string;
  readonly type: string | null;
  readonly received_at: string;
}

const ids: string[] = [];

/** Every event that a query finds, page by page. */
async function listAll(query: string, limit: number): Promise<readonly Summary[]> {
  const found: Summary[] = [];
  let cursor = '';
  for (let page = 0; page < 200; page += 1) {
    const { status, body } = await admin<PageJson<Summary>>('GET', `/events?limit=${limit}${query}${cursor}`);
    expect(status).toBe(200);
    expect(body.items.length).toBeLessThanOrEqual(limit);
    found.push(...body.items);
    if (body.next_cursor === null) return found;
    cursor = `&cursor=${body.next_cursor}`;
  }
  throw new Error('no end');
}

beforeAll(async () => {
  await publish({
    sources: {
      shop: form({ dedupe: { key: '{{ payload.id }}' } }),
      sales: form({ account: 'sales' }),
      other: form({
        routes: [
          {
            name: 'never',
            when: 'payload.type == "x"',
            to: '4930123456',
            send: { kind: 'text', message: 'x' },
          },
        ],
      }),
    },
    accounts: { default: UNPACED, sales: UNPACED },
  });
  for (let n = 0; n < 24; n += 1) {
    const response = await postJson(n % 2 === 0 ? 'shop' : 'sales', {
      id: n,
      phone: '015112345701',
      text: `n${n}`,
      type: `t${n % 3}`,
    });
    ids.push((await response.json<{ event: string }>()).event);
  }
  const failed = await postJson('shop', { id: 'f', text: 'no number' });
  ids.push((await failed.json<{ event: string }>()).event);
  const unmatched = await postJson('other', {});
  ids.push((await unmatched.json<{ event: string }>()).event);
});

describe('GET /events', () => {
  it.each([1, 2, 5, 7, 26, 200])(
    'lists each event of all accounts once, newest first, %i at a time',
    async (limit) => {
      const found = await listAll('', limit);
      expect(found.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
      const times = found.map(({ received_at }) => received_at);
      expect(times).toEqual(times.toSorted().toReversed());
    },
  );

  it('does not move what a page showed when more comes in between', async () => {
    const first = await admin<PageJson<Summary>>('GET', '/events?limit=10');
    const extra = await postJson('sales', { phone: '015112345702', text: 'later' });
    ids.push((await extra.json<{ event: string }>()).event);
    const second = await admin<PageJson<Summary>>(
      'GET',
      `/events?limit=200&cursor=${first.body.next_cursor}`,
    );
    const seen = [...first.body.items, ...second.body.items].map(({ id }) => id);
    expect(seen.toSorted()).toEqual(ids.slice(0, -1).toSorted());
  });

  it.each([
    ['&source=sales', (one: Summary) => one.source === 'sales'],
    ['&state=failed', (one: Summary) => one.state === 'failed'],
    ['&state=unmatched', (one: Summary) => one.state === 'unmatched'],
    ['&type=t1', (one: Summary) => one.type === 't1'],
    ['&text=NO%20number', (one: Summary) => one.state === 'failed'],
    ['&text=n17&source=sales', (one: Summary) => one.id === ids[17]],
    ['&until=1ms&state=failed', (one: Summary) => one.state === 'failed'],
    [
      '&source=shop&state=routed&type=t0',
      (one: Summary) => one.source === 'shop' && one.state === 'routed' && one.type === 't0',
    ],
  ])('finds with %s what it names, and all of it', async (query, isWanted) => {
    const all = await listAll('', 200);
    const found = await listAll(query, 3);
    expect(found).toEqual(all.filter(isWanted));
    expect(found.length).toBeGreaterThan(0);
  });

  it('finds since when', async () => {
    expect(await listAll('&since=1h', 200)).toHaveLength(ids.length);
    const soon = new Date(Date.now() + 60_000).toISOString();
    expect(await listAll(`&since=${soon}`, 200)).toEqual([]);
    expect(await listAll('&source=nothing', 200)).toEqual([]);
  });

  it('says how far a search looked, over all accounts', async () => {
    const { body } = await admin<PageJson<Summary>>('GET', '/events?text=nobody%20has%20this');
    expect(body).toMatchObject({
      items: [],
      searched: { events: ids.length, back_to: null, complete: true },
    });
  });

  it.each([
    ['text=ab', 'text: must have 3 to 200 characters'],
    ['sate=failed', 'sate: unknown key `sate`; did you mean `state`?'],
    ['state=sent', 'state: must be one of routed, partly_failed, unmatched, failed'],
    ['limit=1000', 'limit: must be a whole number from 1 to 200'],
  ])('refuses ?%s', async (query, error) => {
    const { status, body } = await admin<ProblemJson>('GET', `/events?${query}`);
    expect(status).toBe(422);
    expect(lines(body)).toEqual([error]);
  });

  it('refuses a cursor that is none, or of another list', async () => {
    const { body } = await admin<PageJson<unknown>>('GET', '/messages?limit=1');
    for (const cursor of ['abc', '', body.next_cursor])
      expect((await admin('GET', `/events?cursor=${cursor}`)).status).toBe(422);
  });
});

describe('GET /events/{id}', () => {
  it('shows the payload and the messages', async () => {
    const [first = ''] = ids;
    expect(await event(first)).toMatchObject({
      id: first,
      source: 'shop',
      state: 'routed',
      dedupe_key: '0',
      duplicates: 0,
      payload: { id: 0, phone: '015112345701', text: 'n0', type: 't0' },
      headers: { 'content-type': 'application/json' },
      query: {},
      messages: [{ kind: 'text', route: 'all', account: 'default', phone: '4915112345701' }],
      config_version: 1,
    });
  });

  it.each(['evt_nothing', 'x', 'constructor', '__proto__', '%00'])('has no %s: 404', async (id) => {
    const { status, body } = await admin<ProblemJson>('GET', `/events/${id}`);
    expect(status).toBe(404);
    expect(body.title).toBe('Not found');
  });
});
