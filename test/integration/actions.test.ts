import { env, exports } from 'cloudflare:workers';
import { evictDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from './outside.ts';
import {
  admin,
  callsTo,
  event,
  isSent,
  message,
  postJson,
  publish,
  UNPACED,
  type EventJson,
  type MessageJson,
} from './relay.ts';

const [ANNA, BEN, SHOP] = ['4915112391001', '4915112391002', '4915112391003'] as const;

const ask = {
  name: 'ask',
  when: 'event.type == blank',
  to: ['team'],
  actions: {
    approve: { label: 'Yes, {{ payload.what }}' },
    decline: { label: 'No', expires: '2d' },
  },
  send: {
    kind: 'text',
    message: 'May we {{ payload.what }}?\n\nYes: {{ actions.approve.url }}\nNo: {{ actions.decline.url }}',
  },
};
const answers = [
  {
    name: 'approved',
    when: 'event.type == "action.approve"',
    to: SHOP,
    send: {
      kind: 'text',
      message: '{{ payload.by.name }} ({{ payload.by.phone }}): {{ payload.label }} {{ payload.payload.id }}',
    },
  },
  {
    name: 'undone',
    when: 'event.type == "action.approve.undone"',
    to: SHOP,
    send: { kind: 'text', message: 'undone {{ payload.payload.id }}' },
  },
];
const source = (over: object = {}) => ({
  verify: { scheme: 'none' },
  limit: false,
  locale: 'en-GB',
  routes: [ask, ...answers],
  ...over,
});
const set = {
  accounts: { default: UNPACED, other: UNPACED },
  recipients: { team: { people: { Anna: ANNA, Ben: { phone: BEN } } } },
  sources: {
    shop: source(),
    german: source({ locale: 'de-DE' }),
    bare: source({ store: 'metadata' }),
    each: source({ routes: [{ ...ask, each: 'payload.all' }] }),
    plain: source({ routes: [{ ...ask, actions: undefined, send: { kind: 'text', message: 'hello' } }] }),
  },
};

beforeAll(() => publish(set));

let count = 0;
const linksTo = async (phone: string): Promise<string[]> => {
  const calls = await callsTo(phone);
  const text = calls.findLast(({ params }) => params['message'] !== undefined)?.params['message'] ?? '';
  return [...text.matchAll(/https:\/\/relay\.example\.com(\/a\/\S+)/g)].map(([, path = '']) => path);
};

/** Asks a question of its own, and returns the paths of its links by receiver and action. */
async function question(from = 'shop', payload: object = {}) {
  const id = `q-${(count += 1)}`;
  const accepted = await postJson(from, { id, what: 'ship it', ...payload });
  const { event: of, messages } = await accepted.json<{ event: string; messages: string[] }>();
  for (const one of messages) await message(one, isSent);
  const [annas, bens] = [await linksTo(ANNA), await linksTo(BEN)];
  return { id, event: of, messages, anna: annas[0] ?? '', ben: bens[0] ?? '', benNo: bens[1] ?? '' };
}

const open = (path: string, method = 'GET', headers: Record<string, string> = {}): Promise<Response> =>
  exports.default.fetch(`https://relay.example.com${path}`, { method, headers, redirect: 'manual' });

const pageOf = async (path: string): Promise<{ status: number; html: string }> => {
  const response = await open(path);
  return { status: response.status, html: await response.text() };
};

const press = async (path: string): Promise<void> => {
  const response = await open(path, 'POST');
  expect(response.status).toBe(303);
  expect(new URL(response.headers.get('location') ?? '', `https://x${path}`).pathname).toBe(
    path.split('?')[0],
  );
};

/** The events that presses of a question made, oldest first. */
async function presses(from: string, id: string): Promise<readonly EventJson[]> {
  const { body } = await admin<{ items: { id: string; type: string | null }[] }>(
    'GET',
    `/events?source=${from}&limit=100`,
  );
  const made = body.items.filter(({ type }) => type?.startsWith('action.'));
  const all = await Promise.all(made.map((one) => event(one.id)));
  const isOf = ({ payload }: EventJson): boolean => JSON.stringify(payload).includes(`"${id}"`);
  return all.filter(isOf).toReversed();
}

const textsTo = async (phone: string): Promise<readonly string[]> =>
  (await callsTo(phone)).map(({ params }) => params['message'] ?? '');

describe('a message with actions', () => {
  it('has links of its receiver’s own, which the API does not show', async () => {
    const { anna, ben, benNo, messages } = await question();
    for (const path of [anna, ben, benNo]) expect(path).toMatch(/^\/a\/[0-9a-z]{24}$/);
    expect(new Set([anna, ben, benNo]).size).toBe(3);
    const { body } = await admin<MessageJson>('GET', `/messages/${messages[0]}`);
    expect(body.params['message']).toBe(
      'May we ship it?\n\nYes: https://relay.example.com/a/…\nNo: https://relay.example.com/a/…',
    );
    expect(JSON.stringify(body)).not.toContain(anna);
  });

  it('is looked at without any effect, however often and by whomever', async () => {
    const { anna, id } = await question();
    for (const method of ['GET', 'HEAD', 'GET'])
      expect((await open(anna, method, { 'user-agent': 'WhatsApp/2' })).status).toBe(200);
    expect((await open(anna, 'PUT')).status).toBe(405);
    expect(await presses('shop', id)).toEqual([]);
  });

  it('shows on its page what the message said, and nothing else of the event', async () => {
    const { anna } = await question('shop', { what: 'call <b>Bob</b>', secret: 'nobody-reads-this' });
    const { html } = await pageOf(anna);
    expect(html).toContain('May we call &lt;b&gt;Bob&lt;/b&gt;?');
    expect(html).toContain('>Yes, call &lt;b&gt;Bob&lt;/b&gt;</button>');
    expect(html).not.toContain('nobody-reads-this');
    expect(html).not.toContain('/a/');
    const { headers } = await open(anna);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-robots-tag')).toBe('noindex');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*form-action 'self'; frame-ancestors 'none'/,
    );
  });

  it('is pressed once: the press is an event that a route answers, with who, what and the original', async () => {
    const { anna, event: of, id, messages } = await question();
    await press(anna);
    const [pressed, ...more] = await presses('shop', id);
    expect(more).toEqual([]);
    expect(pressed).toMatchObject({
      type: 'action.approve',
      state: 'routed',
      payload: {
        action: 'approve',
        label: 'Yes, ship it',
        route: 'ask',
        by: { phone: ANNA, name: 'Anna' },
        message: messages[0],
        event: { id: of, source: 'shop', type: null },
        payload: { id },
      },
    });
    await eventually(async () => expect(await textsTo(SHOP)).toContain(`Anna (${ANNA}): Yes, ship it ${id}`));
    const { html } = await pageOf(anna);
    expect(html).toContain('<h1>Done</h1>');
    expect(html).toMatch(/You pressed “Yes, ship it” on \d+ \w+ \d{4}/);
  });

  it('says at the second press who pressed what, to every receiver and for every action', async () => {
    const { anna, ben, benNo, id } = await question();
    await press(anna);
    for (const path of [anna, ben, benNo]) await press(path);
    expect(await presses('shop', id)).toHaveLength(1);
    for (const path of [ben, benNo]) {
      const { status, html } = await pageOf(path);
      expect([status, html]).toEqual([200, expect.stringContaining('Anna pressed “Yes, ship it” on ')]);
      expect(html).not.toContain('<button');
    }
  });

  it('is answered by one of two who press at once', async () => {
    const { anna, benNo, id } = await question();
    await Promise.all([press(anna), press(benNo), press(anna), press(benNo)]);
    expect(await presses('shop', id)).toHaveLength(1);
    const pages = [(await pageOf(anna)).html, (await pageOf(benNo)).html];
    expect(pages.filter((html) => html.includes('You pressed'))).toHaveLength(1);
    expect(pages.filter((html) => html.includes('Answered already'))).toHaveLength(1);
  });

  it('is a question of its own for each element of a list', async () => {
    const accepted = await postJson('each', { id: 'all', what: 'both', all: [1, 2] });
    const { messages } = await accepted.json<{ messages: string[] }>();
    for (const one of messages) await message(one, isSent);
    const texts = (await textsTo(ANNA)).filter((text) => text.includes('May we both?'));
    expect(texts).toHaveLength(2);
    const paths = texts.map((text) => /\/a\/[0-9a-z]{24}/.exec(text)?.[0] ?? '');
    for (const path of paths) await press(path);
    expect(await presses('each', 'all')).toHaveLength(2);
  });

  it('works after its object was restarted, and while it is', async () => {
    const { anna, id } = await question();
    await evictDurableObject(env.OUTBOX.getByName('default'));
    expect((await pageOf(anna)).status).toBe(200);
    await Promise.all([press(anna), evictDurableObject(env.OUTBOX.getByName('default')), press(anna)]);
    expect(await presses('shop', id)).toHaveLength(1);
    expect((await pageOf(anna)).html).toContain('You pressed');
  });

  it('can be undone for a minute by the one who pressed: the question is open again, and routes hear of it', async () => {
    const { anna, ben, id } = await question();
    await press(anna);
    expect((await pageOf(anna)).html).toContain('action="?undo"');
    expect((await pageOf(ben)).html).not.toContain('?undo');
    await press(`${ben}?undo`);
    expect(await presses('shop', id)).toHaveLength(1);
    await press(`${anna}?undo`);
    await press(`${anna}?undo`);
    expect((await presses('shop', id)).map(({ type }) => type)).toEqual([
      'action.approve',
      'action.approve.undone',
    ]);
    await eventually(async () => expect(await textsTo(SHOP)).toContain(`undone ${id}`));
    await press(ben);
    expect((await presses('shop', id)).map(({ payload }) => payload)).toMatchObject([
      { by: { name: 'Anna' } },
      { by: { name: 'Anna' } },
      { by: { name: 'Ben' } },
    ]);
  });

  it('is not answered by the routes that were written for webhooks', async () => {
    const { ben, id } = await question();
    const before = (await callsTo(BEN)).length;
    await press(ben);
    const [pressed] = await presses('shop', id);
    expect(pressed?.messages.map(({ phone }) => phone)).toEqual([SHOP]);
    expect(await callsTo(BEN)).toHaveLength(before);
  });

  it('can be replayed like any event', async () => {
    const { anna, id } = await question();
    await press(anna);
    const [pressed] = await presses('shop', id);
    const { status, body } = await admin<{ messages: string[] }>('POST', `/events/${pressed?.id}/replay`);
    expect([status, body.messages.length]).toEqual([202, 1]);
    const made = await message(body.messages[0] ?? '', isSent);
    expect(made.params['message']).toBe(`Anna (${ANNA}): Yes, ship it ${id}`);
  });

  it('keeps of a source without payloads only who pressed what', async () => {
    const { anna, event: of } = await question('bare');
    const { html } = await pageOf(anna);
    expect(html).toContain('The text of the message is not kept.');
    expect(html).toContain('>approve</button>');
    await press(anna);
    expect((await pageOf(anna)).html).toContain('You pressed “approve”');
    expect(await event(of)).toMatchObject({ payload: null });
  });

  it('speaks the language of its source', async () => {
    const { anna } = await question('german');
    const { html } = await pageOf(anna);
    expect(html).toContain('<html lang="de">');
    expect(html).toContain('<h1>Von german</h1>');
    await press(anna);
    expect((await pageOf(anna)).html).toContain('Sie haben am');
  });
});

const guessFrom = (address: string) =>
  open('/a/0123456789abcdefghjkmnpq', 'GET', { 'cf-connecting-ip': address });

describe('a link that does not work', () => {
  it.each([
    ['foreign', '/a/0123456789abcdefghjkmnpq', 'This link does not work'],
    ['no token', '/a/hello%20world', 'This link does not work'],
    ['too long', `/a/${'0'.repeat(500)}`, 'This link does not work'],
    ['truncated', '/a/0123456789abcdef', 'This link is not complete'],
  ])('has a page of its own: %s', async (name, path, title) => {
    const headers = { 'cf-connecting-ip': `192.0.2.${name.length}` };
    for (const method of ['GET', 'POST']) {
      const response = await open(path, method, headers);
      expect([response.status, await response.text()]).toEqual([404, expect.stringContaining(title)]);
    }
    const german = await open(path, 'GET', { ...headers, 'accept-language': 'de-DE,de;q=0.9' });
    expect(await german.text()).toContain('<html lang="de">');
  });

  it('is one that differs in a single digit', async () => {
    const { anna } = await question();
    const headers = { 'cf-connecting-ip': '192.0.2.200' };
    const other = anna.slice(0, -1) + (anna.endsWith('0') ? '1' : '0');
    expect((await open(other, 'GET', headers)).status).toBe(404);
  });

  it('is not one in capitals', async () => {
    const { anna } = await question();
    expect((await open(anna.toUpperCase().replace('/A/', '/a/'))).status).toBe(200);
  });

  it('was guessed: after ten in a minute its address has to wait, and nobody else', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) statuses.push((await guessFrom('192.0.2.99')).status);
    expect(statuses).toEqual([...Array<number>(10).fill(404), 429]);
    const refused = await guessFrom('192.0.2.99');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await guessFrom('192.0.2.98')).status).toBe(404);
  });

  it('says that its action is not asked for any more, until it is again', async () => {
    const { anna, benNo, id } = await question();
    const { approve } = ask.actions;
    const without = {
      ...ask,
      actions: { approve },
      send: { kind: 'text', message: '{{ actions.approve.url }}' },
    };
    await publish({ ...set, sources: { ...set.sources, shop: source({ routes: [without] }) } });
    await press(benNo);
    const { status, html } = await pageOf(benNo);
    expect([status, html]).toEqual([410, expect.stringContaining('This link is no longer in use')]);
    expect((await pageOf(anna)).status).toBe(200);
    const { shop: _, ...others } = set.sources;
    await publish({ ...set, sources: others });
    expect((await pageOf(anna)).status).toBe(410);
    await publish(set);
    await press(anna);
    expect(await presses('shop', id)).toHaveLength(1);
  });
});

const errorsOf = async (routes: object[]): Promise<readonly { path: string; message: string }[]> => {
  const sources = { shop: source({ routes }) };
  const { body } = await admin<{ errors?: { path: string; message: string }[] }>(
    'POST',
    '/config?dry_run=true',
    { ...set, sources },
  );
  return body.errors ?? [];
};

describe('a document with actions', () => {
  it('is refused when its template names another one', async () => {
    const send = { kind: 'text', message: '{{ actions.aprove.url }}' };
    expect(await errorsOf([{ ...ask, send }])).toEqual([
      {
        path: 'sources.shop.routes[0].actions',
        message: expect.stringContaining('there is no action `aprove`; did you mean `approve`?') as unknown,
      },
    ]);
  });

  it('is one whose template is named', async () => {
    const templates = { ask: { kind: 'text', message: '{{ actions.approve.url }}' } };
    const { send: _, ...rest } = ask;
    const sources = {
      shop: source({
        routes: [
          { ...rest, template: 'ask' },
          { ...rest, name: 'b', template: 'ask', actions: {} },
        ],
      }),
    };
    const { body } = await admin<{ errors?: { path: string }[] }>('POST', '/config?dry_run=true', {
      ...set,
      templates,
      sources,
    });
    expect(body.errors).toMatchObject([{ path: 'sources.shop.routes[1].actions' }]);
  });

  it.each([
    [{ start: { label: 'x' } }, '.start', 'reserved for opting in again'],
    [{ ack: { label: 'x' } }, '.ack', 'add `incident`'],
    [{ approve: {} }, '.approve.label', 'is required'],
    [{ approve: { label: 'x', expires: '90d' } }, '.approve.expires', 'between 1m and 30d'],
    [{ 'a b': { label: 'x' } }, '.a b', 'is not an action name'],
    [{ approve: { label: '{{ payload.x | nope }}' } }, '.approve.label', 'nope'],
  ])('is refused: %j', async (actions, path, text) => {
    const [first] = await errorsOf([{ ...ask, actions, send: { kind: 'text', message: 'x' } }]);
    expect(first).toEqual({
      path: `sources.shop.routes[0].actions${path}`,
      message: expect.stringContaining(text) as unknown,
    });
  });
});

describe('a route without actions', () => {
  it('leaves its messages as they were', async () => {
    const accepted = await postJson('plain', { id: 'p' });
    const { messages } = await accepted.json<{ messages: string[] }>();
    await message(messages[0] ?? '', isSent);
    const { body } = await admin<MessageJson>('GET', `/messages/${messages[0]}`);
    expect(body.params).toEqual({ phone: ANNA, message: 'hello' });
  });
});

describe('a preview', () => {
  it('shows the links', async () => {
    const { body } = await admin<{ messages: { params: Record<string, string> }[] }>(
      'POST',
      '/sources/shop/preview',
      { payload: { what: 'ship it' } },
    );
    expect(body.messages[0]?.params['message']).toBe(
      'May we ship it?\n\nYes: https://…/a/approve\nNo: https://…/a/decline',
    );
    expect(body.messages[0]).not.toHaveProperty('links');
  });

  it('of past events counts a link of one’s own as no change', async () => {
    await question();
    const { body } = await admin<{ summary: object }>('POST', '/sources/shop/preview', { last: 1 });
    expect(body.summary).toMatchObject({ events: 1, same: 1 });
  });
});
