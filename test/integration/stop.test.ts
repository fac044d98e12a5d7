import { env, exports } from 'cloudflare:workers';
import { evictDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  admin,
  callsTo,
  event,
  isSent,
  message,
  messageNow,
  postJson,
  publish,
  UNPACED,
  type EventJson,
  type MessageJson,
} from './relay.ts';

const send = { kind: 'text', message: 'news {{ payload.id }}\n\nStop: {{ actions.stop.url }}' };
const routes = [
  { name: 'news', when: 'event.type == blank', to: '{{ payload.phone }}', actions: { stop: {} }, send },
  {
    name: 'asked',
    when: 'event.type == "action.ask"',
    to: '{{ payload.phone }}',
    send: { kind: 'text', message: 'x' },
  },
  {
    name: 'sorry',
    when: 'event.type == "action.stop" or event.type == "action.start"',
    to: '{{ payload.by.phone }}',
    transactional: true,
    send: { kind: 'text', message: '{{ payload.action }}' },
  },
];
const source = (over: object = {}) => ({ verify: { scheme: 'none' }, limit: false, routes, ...over });
const SET = {
  accounts: { default: UNPACED },
  sources: {
    shop: source(),
    german: source({ locale: 'de-DE' }),
    quick: source({ routes: [{ ...routes[0], actions: { stop: { expires: '1m', label: 'Enough' } } }] }),
    both: source({
      routes: [
        {
          ...routes[0],
          actions: { ask: { label: 'Call me' }, stop: {} },
          send: { kind: 'text', message: 'a {{ actions.ask.url }}\nb {{ actions.stop.url }}' },
        },
      ],
    }),
  },
};

beforeAll(() => publish(SET));

let used = 0;
const newPhone = (): string => String(4_915_112_399_000 + (used += 1));

async function post(phone: string, from = 'shop'): Promise<string> {
  const answer = await postJson(from, { phone: `+${phone}`, id: (used += 1) });
  const { messages } = await answer.json<{ messages: string[] }>();
  return messages[0] ?? '';
}

/** Sends a message, and returns the paths of its links. */
async function linksTo(phone: string, from = 'shop'): Promise<readonly string[]> {
  await message(await post(phone, from), isSent);
  const text = (await callsTo(phone)).at(-1)?.params['message'] ?? '';
  return [...text.matchAll(/\/a\/[0-9a-z]{24}/g)].map(([path]) => path);
}
const linkTo = async (phone: string, from?: string): Promise<string> => (await linksTo(phone, from))[0] ?? '';

const open = (path: string, method = 'GET'): Promise<Response> =>
  exports.default.fetch(`https://relay.example.com${path}`, { method, redirect: 'manual' });
const pageOf = async (path: string): Promise<string> => (await open(path)).text();
const press = async (path: string): Promise<void> => expect((await open(path, 'POST')).status).toBe(303);

const textsTo = async (phone: string): Promise<readonly string[]> =>
  (await callsTo(phone)).map(({ params }) => params['message'] ?? '');
const isSuppressed = ({ state }: MessageJson): boolean => state === 'suppressed';
const suppression = (phone: string) => admin<{ message?: string }>('GET', `/suppressions/${phone}`);

/** The events of presses by a number, oldest first. */
async function presses(phone: string): Promise<readonly (string | null)[]> {
  const { body } = await admin<{ items: EventJson[] }>('GET', '/events?limit=200');
  const made = body.items.filter(({ type }) => type?.startsWith('action.'));
  const all = await Promise.all(made.map(({ id }) => event(id)));
  return all
    .filter(({ payload }) => JSON.stringify(payload).includes(phone))
    .map(({ type }) => type)
    .toReversed();
}

describe('a link to stop', () => {
  it('does nothing when it is opened, and says what its button does', async () => {
    const phone = newPhone();
    const link = await linkTo(phone);
    const page = await pageOf(link);
    expect(page).toContain('This button stops our messages to this number.');
    expect(page).toContain('<button>No more messages</button>');
    expect(page).toContain('news ');
    expect((await suppression(phone)).status).toBe(404);
  });

  it('speaks German', async () => {
    const link = await linkTo(newPhone(), 'german');
    expect(await pageOf(link)).toContain('<button>Keine Nachrichten mehr</button>');
    await press(link);
    expect(await pageOf(link)).toContain('Wieder Nachrichten bekommen</button>');
  });

  it('stops all that waits and comes, and the page offers to start again, at any time', async () => {
    const phone = newPhone();
    const link = await linkTo(phone);
    await admin('POST', '/accounts/default/pause');
    const waiting = await post(phone);
    await press(link);
    expect((await messageNow(waiting)).state).toBe('queued');
    await evictDurableObject(env.OUTBOX.getByName('default'));
    await publish({ ...SET, recipients: { none: { numbers: [] } } });
    await evictDurableObject(env.REGISTRY.getByName('registry'));
    await admin('POST', '/accounts/default/resume');
    await message(waiting, isSuppressed);
    await message(await post(phone), isSuppressed);
    expect((await suppression(phone)).body).toMatchObject({ phone, reason: 'No more messages' });
    const page = await pageOf(link);
    expect(page).toMatch(/This number opted out on .*\. It gets no more messages from us/);
    expect(page).toContain('<button class="quiet">Get messages again</button>');
    await press(`${link}?start`);
    expect((await suppression(phone)).status).toBe(404);
    expect(await pageOf(link)).toContain('<button>No more messages</button>');
    await message(await post(phone), isSent);
  });

  it('makes an event of each stop and each start, once however often it is pressed', async () => {
    const phone = newPhone();
    const link = await linkTo(phone);
    await Promise.all([press(link), press(link)]);
    await press(link);
    expect(await presses(phone)).toEqual(['action.stop']);
    await Promise.all([press(`${link}?start`), press(`${link}?start`)]);
    await press(`${link}?start`);
    await press(`${link}?undo`);
    await press(link);
    expect(await presses(phone)).toEqual(['action.stop', 'action.start', 'action.stop']);
    // Its route is transactional, so that it reaches who has just opted out.
    await expect.poll(async () => (await textsTo(phone)).slice(1)).toEqual(['stop', 'start', 'stop']);
  });

  it('is no answer to the question of the same message, nor is that one to it', async () => {
    const phone = newPhone();
    const [ask = '', stop = ''] = await linksTo(phone, 'both');
    await press(ask);
    await press(stop);
    expect(await presses(phone)).toEqual(['action.ask', 'action.stop']);
    expect(await pageOf(ask)).toContain('You pressed “Call me”');
  });

  it('of any message says that its receiver has opted out by another', async () => {
    const phone = newPhone();
    const [first, second] = [await linkTo(phone), await linkTo(phone)];
    await press(first);
    expect(await pageOf(second)).toContain('Get messages again');
    await press(`${second}?start`);
    expect((await suppression(phone)).status).toBe(404);
  });

  it('starts nothing for somebody whom a person of the relay opted out', async () => {
    const phone = newPhone();
    const link = await linkTo(phone);
    await admin('PUT', `/suppressions/${phone}`);
    expect(await pageOf(link)).not.toContain('<button');
    await press(`${link}?start`);
    expect((await suppression(phone)).status).toBe(200);
    expect(await presses(phone)).toEqual([]);
  });

  it('says that it is too late, cut off, unknown or withdrawn, as others do', async () => {
    const phone = newPhone();
    const link = await linkTo(phone, 'quick');
    expect(await pageOf(link)).toContain('<button>Enough</button>');
    expect((await open(link.slice(0, -1), 'POST')).status).toBe(404);
    expect((await open(`/a/${'0'.repeat(24)}`, 'POST')).status).toBe(404);
    const { quick: _, ...others } = SET.sources;
    await publish({ ...SET, sources: others });
    expect((await open(link)).status).toBe(410);
    await press(link);
    expect((await suppression(phone)).status).toBe(404);
    await publish(SET);
  });

  it('stops all the same when its route and its action have another name by now', async () => {
    const phone = newPhone();
    const link = await linkTo(phone);
    const renamed = { ...routes[0], name: 'offers', actions: {}, send: { kind: 'text', message: 'x' } };
    await publish({ ...SET, sources: { ...SET.sources, shop: source({ routes: [renamed] }) } });
    expect(await pageOf(link)).toContain('<button>No more messages</button>');
    await press(link);
    expect((await suppression(phone)).status).toBe(200);
    expect(await presses(phone)).toEqual(['action.stop']);
    await publish(SET);
  });

  it('is refused as `start`, and may stand on a route without incidents', async () => {
    const route = { ...routes[0], actions: { start: {} }, send: { kind: 'text', message: 'x' } };
    const set = { sources: { shop: source({ routes: [route] }) } };
    const refused = await admin('POST', '/config?dry_run=true', set);
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).toContain('is reserved for opting in again');
  });
});
