import { env } from 'cloudflare:workers';
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { registry } from '../../src/config/registry-client.ts';
import { admin, postJson, publish, script } from '../integration/relay.ts';
import { form } from './support.ts';
import { ask, line, openView, type View } from '../tail/support.ts';

const relay: Env = env;
const anyText: unknown = expect.any(String);
const anyNumber: unknown = expect.any(Number);
const views: View[] = [];

const open = async (query = ''): Promise<View> => {
  const view = await openView(query);
  views.push(view);
  return view;
};

/** Closes all, and waits until the relay knows. */
const closeAll = async (): Promise<void> => {
  for (const { socket } of views.splice(0)) socket.close(1000);
  await expect.poll(() => registry(relay).report({ frames: [], dropped: 0, account: 'x' })).toBe(false);
};

const send = async (source: string, phone: string): Promise<{ event: string; messages: string[] }> =>
  (await postJson(source, { phone, text: 'secret words' })).json();

const unpaced = { rate: false, per_recipient: false };

/** True if the outbox has recorded on disk that somebody is watching. */
const isMarked = (): Promise<boolean> =>
  runInDurableObject(
    env.OUTBOX.getByName('default'),
    (_, { storage }) => storage.sql.exec("SELECT 1 FROM meta WHERE key = 'watched'").toArray().length === 1,
  );

beforeAll(() =>
  publish({
    sources: {
      form: form(),
      other: form({ account: 'sales' }),
      silent: { verify: { scheme: 'none' } },
      signed: { verify: { scheme: 'token', in: 'path' }, secrets: ['HOOK_SECRET'] },
    },
    accounts: { default: { ...unpaced, retry: ['1h'] }, sales: unpaced },
  }),
);

afterEach(closeAll);

it('GET /tail begins with a hello that names the version in force', async () => {
  const view = await open();
  await expect.poll(() => view.texts).toHaveLength(1);
  const { body } = await admin<{ items: { version: number }[] }>('GET', '/config/versions?limit=1');
  expect(view.frames()[0]).toEqual({ type: 'hello', at: anyText, version: body.items[0]?.version });
});

it('GET /tail shows an event and each state of its messages, in order, with ids and names only', async () => {
  const view = await open();
  const { event, messages } = await send('form', '4915112340001');
  await expect
    .poll(() => view.frames().map(line))
    .toEqual(['hello', 'event routed', 'message queued', 'message sending', 'message sent sent']);
  const [, first, queued, , sent] = view.frames();
  const both = { at: anyText, event, source: 'form', account: 'default' };
  const its = { event_type: null, state: 'routed', duplicate: false };
  expect(first).toEqual({ ...both, type: 'event', ...its });
  const message = { ...both, type: 'message', message: messages[0], route: 'all', kind: 'text' };
  expect(queued).toEqual({ ...message, state: 'queued' });
  const attempt = { outcome: 'sent', n: 1, http_status: 200, duration_ms: anyNumber };
  expect(sent).toEqual({ ...message, state: 'sent', ...attempt });
  for (const secret of ['4915112340001', 'secret words', 'hook-secret', 'gateway-key', 'admin-token'])
    expect(view.texts.join('')).not.toContain(secret);
});

it('GET /tail shows failures, and what a person does', async () => {
  await script('4915112340002', { failure: 'status', status: 500 }, { failure: 'status', status: 404 });
  const begun = ['message queued', 'message sending'];
  const view = await open('?type=message');
  const { messages } = await send('form', '4915112340002');
  const id = messages[0] ?? '';
  await expect.poll(() => view.frames().map(line)).toContain('message retrying server_error');
  await admin('POST', `/messages/${id}/retry`);
  await expect.poll(() => view.frames().map(line)).toContain('message dead rejected');
  await admin('POST', `/messages/${id}/cancel`);
  await admin('POST', '/messages/retry', { state: 'cancelled' });
  await expect
    .poll(() => view.frames().map(line))
    .toEqual([
      'hello',
      ...begun,
      'message retrying server_error',
      ...begun,
      'message dead rejected',
      'message cancelled',
      ...begun,
      'message sent sent',
    ]);
});

it('GET /tail shows what is sent by hand, what is too old, and what matches nothing', async () => {
  const view = await open();
  await admin('POST', '/messages', { to: '4915112340003', kind: 'text', message: 'by hand' });
  await send('silent', 'x');
  await expect.poll(() => view.frames().map(line)).toContain('event unmatched');
  await expect.poll(() => view.frames().map(line)).toContain('message sent sent');
  expect(view.frames()[1]).toMatchObject({ type: 'message', source: null, event: null, state: 'queued' });
  await admin('POST', '/accounts/default/pause');
  await send('form', '4915112340004');
  await runInDurableObject(env.OUTBOX.getByName('default'), (_, { storage }) => {
    storage.sql.exec("UPDATE messages SET expires_at = 1 WHERE phone = '4915112340004'");
  });
  await admin('POST', '/accounts/default/resume');
  await expect.poll(() => view.frames().map(line)).toContain('message expired');
});

it('GET /tail shows the webhooks that are refused', async () => {
  const view = await open('?type=rejection');
  await postJson('signed/guessed-token', { text: 'secret words' });
  await expect
    .poll(() => view.frames()[1])
    .toEqual({
      type: 'rejection',
      n: anyNumber,
      at: anyText,
      source: 'signed',
      status: 401,
      code: 'mismatch',
      detail: 'the token in the path is not the one accepted; tried HOOK_SECRET',
    });
  expect(view.texts.join('')).not.toMatch(/guessed|secret words/);
});

it('GET /tail shows an account that was published while it is open', async () => {
  const view = await open('?source=fresh');
  await publish({
    sources: { form: form(), fresh: form({ account: 'sales' }) },
    accounts: { default: unpaced, sales: unpaced },
  });
  for (let n = 0; n < 6; n += 1) await send('fresh', `491511234001${n}`);
  await expect.poll(() => view.frames().filter(({ state }) => state === 'sent')).toHaveLength(6);
});

it('GET /tail goes on after the objects were evicted', async () => {
  const view = await open();
  await evictDurableObject(registry(relay));
  await evictDurableObject(env.OUTBOX.getByName('default'));
  await send('form', '4915112340007');
  await expect.poll(() => view.frames().map(line)).toContain('message sent sent');
  await evictDurableObject(registry(relay));
  view.socket.send('ping');
  await expect.poll(() => view.texts).toContain('pong');
  expect(view.closed).toEqual([]);
});

it('GET /tail asks outboxes for nothing any more once nobody looks', async () => {
  await open();
  await closeAll();
  expect(await isMarked()).toBe(true);
  await send('form', '4915112340008');
  await expect.poll(isMarked).toBe(false);
});

it('the tail is refused to whoever has no token, a wrong one, or one in the wrong place', async () => {
  for (const headers of [
    { authorization: '' },
    { authorization: 'Bearer guessed-token', 'cf-connecting-ip': '192.0.2.1' },
    { authorization: '', 'sec-websocket-protocol': 'admin-token-of-the-tests' },
  ])
    for (const query of ['', '?token=admin-token-of-the-tests'])
      expect([headers, (await ask(query, { ...headers })).status]).toEqual([headers, 401]);
});

it('the tail is refused with a query that it does not know', async () => {
  for (const query of ['?type=messages', '?typ=event', `?source=${'x'.repeat(65)}`, '?source=a&source=b'])
    expect([query, (await ask(query)).status]).toEqual([query, 422]);
});
