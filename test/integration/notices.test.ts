import { env, exports } from 'cloudflare:workers';
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually, hurry, message, skip } from './hurry.ts';
import { allLinksTo, look, press } from './links.ts';
import { channel, gatewayAnswers, OWNER_URL, reported, status, watchOutside } from './outside.ts';
import { outbox, postTo, take } from './posted.ts';
import {
  admin,
  event,
  isSent,
  listOf,
  post,
  publish,
  receiptOf,
  UNPACED,
  type ReceiptJson,
} from './relay.ts';
import { newPhone, open, toPhone } from './sources.ts';

hurry();

const HOUR = 3_600_000;
/** The value of `NOTIFY_PATH`, which stands in the address of the owner's channel. */
const SECRET = 'path-of-the-owner';
const WATCHED = { ...UNPACED, notify: { url: OWNER_URL, secret: 'NOTIFY_PATH' } };

const kinds = (): readonly string[] => reported.map(({ notice }) => notice.kind);
/** These, in this order, and no others. */
const notified = (...expected: readonly string[]) => eventually(() => expect(kinds()).toEqual(expected));
const pause = () => admin('POST', '/accounts/default/pause');
const resume = () => admin('POST', '/accounts/default/resume');
const sends = async () => void (await message(await postTo('form', newPhone()), isSent));

/** The owner's channel hangs until the function that this returns is called. */
function hangs(): () => void {
  const { promise, resolve } = Promise.withResolvers<Response>();
  channel.answer = () => promise;
  return () => {
    channel.answer = () => new Response('ok');
    resolve(new Response('ok'));
  };
}

const lines: string[] = [];
beforeAll(() => {
  watchOutside();
  for (const level of ['info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((line: unknown) => lines.push(String(line)));
});
beforeEach(() => void (reported.length = 0));

describe('the account’s owner', () => {
  beforeAll(() => {
    const retry = Array<string>(5).fill('100ms');
    const account = { ...WATCHED, retry, circuit: { failures: 3, probe: '200ms' } };
    const list = toPhone('hello', { each: 'payload.list' });
    const sources = { form: open([toPhone('hello')]), list: open([list]) };
    return publish({ accounts: { default: account }, sources });
  });

  it('is notified once that a login was refused and the account paused, and once that it sends again', async () => {
    const phones = [newPhone(), newPhone(), newPhone()];
    for (const phone of phones) gatewayAnswers(phone, status(401));
    const ids = await Promise.all(phones.map((phone) => postTo('form', phone)));
    await notified('account.paused');
    const [first] = reported;
    expect(first?.notice).toMatchObject({
      account: 'default',
      text: expect.stringContaining('401') as unknown,
    });
    expect(first?.url).toBe(`https://owner.example/in/${SECRET}`);
    for (const phone of phones) gatewayAnswers(phone);
    await resume();
    for (const id of ids) await message(id, isSent);
    await notified('account.paused', 'account.resumed');
  });

  it('is notified once that the circuit opened, and once that it closed, in this order', async () => {
    const phone = newPhone();
    gatewayAnswers(phone, ...Array.from({ length: 4 }, () => status(500)));
    // By a person: failures of one open source do not open it.
    const { body } = await admin<{ id: string }>('POST', '/messages', {
      to: phone,
      kind: 'text',
      message: 'hello',
    });
    await message(body.id, isSent);
    await notified('circuit.opened', 'circuit.closed');
  });

  it('is notified of the first dead letter of an hour, and of a redirect, which a person must fix', async () => {
    for (const phone of [newPhone(), newPhone()]) {
      gatewayAnswers(phone, status(400));
      await message(await postTo('form', phone), ({ state }) => state === 'dead');
    }
    await notified('message.dead');
    const phone = newPhone();
    gatewayAnswers(phone, status(302));
    await message(await postTo('form', phone), isSent);
    await notified('message.dead', 'gateway.redirected');
  });

  it('is notified once in an hour that a bound left something out of a webhook', async () => {
    const list = Array.from({ length: 1_100 }, (_, n) => n);
    for (const phone of ['not a number', 'nor this']) await take('list', { phone, list });
    // Neither has a receiver, so nothing came of them.
    const both = ['webhook.left_out', 'source.made_nothing'];
    await notified(...both);
    expect(reported[0]?.notice.text).toMatch(/from the source list was left out .*: /);
    expect(reported[0]?.notice.text).not.toContain('not a number');
    await sends();
    expect(kinds()).toEqual(both);
  });

  it('does not hold up a message by a channel that hangs or refuses, and gets everything in order', async () => {
    const answers = hangs();
    await pause();
    await notified('account.paused');
    await resume();
    // The channel still hangs; the gateway does not.
    await sends();
    expect(kinds()).toEqual(['account.paused']);
    answers();
    await notified('account.paused', 'account.resumed');
    channel.answer = () => new Response('no', { status: 404 });
    await pause();
    await notified('account.paused', 'account.resumed', 'account.paused');
    await resume();
    await message(await postTo('form', newPhone()), isSent);
    channel.answer = () => new Response('ok');
    await eventually(() => expect(kinds().at(-1)).toBe('account.resumed'));
    expect(kinds()).not.toContain('message.dead');
  });

  it('does not hold up an alarm, without which nothing is sent, by notifying of what a restart left', async () => {
    const answers = hangs();
    await runInDurableObject(outbox(), async (object, { storage: { sql } }) => {
      const at = new Date().toISOString();
      const notice = { kind: 'circuit.opened', account: 'default', at, text: 'left' };
      sql.exec('INSERT INTO notices (notice, next_at) VALUES (?, 0)', JSON.stringify(notice));
      await object.alarm();
    });
    await notified('circuit.opened');
    answers();
  });

  it('has the channel’s secret in no log line and no answer', async () => {
    for (const path of ['/accounts/default/status', '/config', '/accounts', '/messages', '/events'])
      expect(JSON.stringify(await admin('GET', path))).not.toContain(SECRET);
    expect(lines.join('\n')).toContain('owner.notice');
    expect(lines.join('\n')).not.toContain(SECRET);
  });
});

const publishSources = (sources: object) => publish({ accounts: { default: WATCHED }, sources });

const rejectionsOf = (source: string) =>
  listOf<{ status: number; code: string; detail: string; times?: number; remedy?: string }>(
    `/rejections?source=${source}`,
  );

/** The counter of a source's rejections. */
async function counted(source: string, reason: string): Promise<number> {
  const response = await exports.default.fetch('https://relay.example/metrics', {
    headers: { authorization: 'Bearer admin-token-of-the-tests' },
  });
  const line = (await response.text())
    .split('\n')
    .find((one) => one.includes(`source="${source}",reason="${reason}"`));
  return Number(line?.split(' ').at(-1) ?? 0);
}

/** Posts what no route makes anything of. */
async function nothing(source: string): Promise<void> {
  const { event: id } = await take(source, { phone: newPhone(), list: [] });
  expect(await event(id)).toMatchObject({ state: 'unmatched' });
}

describe('a source whose webhooks come to nothing', () => {
  const MIB = 1_048_576;
  const TOKEN = { verify: { scheme: 'token', in: 'header', name: 'x-token' }, secrets: ['HOOK_SECRET'] };
  const JSON_BODY = { 'content-type': 'application/json', 'x-token': 'hook-secret' };
  const refused = async (source: string, body: string, status: number) => {
    for (let times = 0; times < 3; times += 1)
      expect((await post(source, body, JSON_BODY)).status).toBe(status);
  };
  it('is listed, counted and reported once an hour if they are too large, with the size and what to set', async () => {
    const alerts = { ...TOKEN, provider: 'alertmanager', routes: [toPhone('hello')] };
    await publishSources({ alerts, anybody: open([toPhone('hello')]) });
    await refused('alerts', 'x'.repeat(4 * MIB + 1), 413);
    await notified('webhook.too_large');
    expect(reported[0]?.notice.text).toMatch(
      /source alerts .* 4194304 bytes, and this one has 4194305\. At Prometheus Alertmanager, .*`max_alerts`/,
    );
    await eventually(async () =>
      expect(await rejectionsOf('alerts')).toMatchObject([
        { status: 413, code: 'body-too-large', times: 3, remedy: expect.any(String) as unknown },
      ]),
    );
    expect(await counted('alerts', 'body-too-large')).toBe(3);
    await refused('anybody', 'x'.repeat(MIB + 1), 413);
    await notified('webhook.too_large', 'webhook.too_large');
    expect(reported[1]?.notice.text).toContain('may post 4 MiB');
    await skip(HOUR);
    await refused('alerts', 'x'.repeat(4 * MIB + 1), 413);
    await notified('webhook.too_large', 'webhook.too_large', 'webhook.too_large');
  });

  it('may post 4 MiB if it proves its sender, and they are read, searched and replayed as any other', async () => {
    await publishSources({ large: { ...TOKEN, routes: [toPhone('hello {{ payload.end }}')] } });
    const payload = { phone: newPhone(), list: Array(300_000).fill('ding dong'), end: 'ends-here' };
    expect(JSON.stringify(payload).length).toBeGreaterThan(3 * MIB);
    const { event: id } = await receiptOf(post('large', JSON.stringify(payload), JSON_BODY));
    expect((await event(id)).payload).toEqual(payload);
    const found = await listOf<{ id: string }>('/events?source=large&text=ends-here');
    expect(found.map((one) => one.id)).toEqual([id]);
    const again = await admin<ReceiptJson>('POST', `/events/${id}/replay`);
    expect(again.status).toBe(202);
    expect((await event(again.body.event)).payload).toEqual(payload);
    await refused('large', JSON.stringify({ text: noise(4 * MIB - 65_536) }), 413);
    await notified('webhook.too_large');
    expect(reported[0]?.notice.text).toContain('even compressed');
  });

  it('is listed and reported once an hour if a proven sender posts what is no JSON; a stranger is only listed', async () => {
    await publishSources({ spoilt: TOKEN, stranger: open() });
    await refused('stranger', 'no JSON', 400);
    await refused('spoilt', 'no JSON', 400);
    await notified('webhook.malformed');
    expect(reported[0]?.notice.text).toContain('source spoilt');
    for (const source of ['spoilt', 'stranger'])
      await eventually(async () =>
        expect(await rejectionsOf(source)).toMatchObject([{ status: 400, code: 'malformed-body', times: 3 }]),
      );
  });

  it('is reported at the second one that no route makes anything of, and then daily', async () => {
    const route = toPhone('hello', { each: 'payload.list' });
    await publishSources({ datadog: open([route]), fine: open([route]) });
    await take('fine', { phone: newPhone(), list: [1] });
    for (const source of ['datadog', 'fine', 'datadog', 'fine', 'datadog']) await nothing(source);
    await notified('source.made_nothing');
    expect(reported[0]?.notice.text).toContain('source datadog');
    await skip(25 * HOUR);
    await nothing('datadog');
    await notified('source.made_nothing', 'source.made_nothing');
  });
});

/** A text that hardly becomes smaller when it is compressed: it repeats itself farther apart than DEFLATE looks. */
function noise(length: number): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(65_536))];
  const block = bytes.map((byte) => String.fromCharCode(0x30 + (byte % 75)).replace('\\', '!')).join('');
  return block.repeat(Math.floor(length / block.length));
}

describe('a source that falls silent', () => {
  it('does not hold up sending while the notice of it hangs', async () => {
    const routes = [toPhone('now'), toPhone('later', { name: 'later', delay: '11h' })];
    await publishSources({ shop: open(routes, { heartbeat: '10h' }) });
    await skip(0);
    const first = await take('shop', { phone: `+${newPhone()}` });
    await message(first.messages[0] ?? '', isSent);
    const answers = hangs();
    // This returns when the alarm's run does.
    await skip(11 * HOUR);
    await notified('source.silent');
    await message(first.messages[1] ?? '', isSent);
    // The channel still hangs; neither a webhook nor the next alarm waits for it.
    const next = await take('shop', { phone: `+${newPhone()}` });
    await message(next.messages[0] ?? '', isSent);
    await skip(12 * HOUR);
    await message(next.messages[1] ?? '', isSent);
    expect(kinds()).toEqual(['source.silent']);
    answers();
    await eventually(() => expect(kinds()).toEqual(expect.arrayContaining(['source.silent', 'source.back'])));
  });
});

describe('a canary', () => {
  const CHANNEL = String(Reflect.get(env, 'NOTIFY_ESCAPE'));
  const TO = newPhone();
  const ACCOUNT = {
    ...WATCHED,
    escape: { via: { kind: 'webhook', secret: 'NOTIFY_ESCAPE' } },
    canary: { to: TO },
  };
  interface CanaryJson {
    readonly next_at: string;
  }
  const canary = async () =>
    (await admin<{ canary?: CanaryJson }>('GET', '/accounts/default/status')).body.canary;
  /** To the next time that it is due, and a little more; then the nth link that a phone got. */
  async function next(phone: string, n: number): Promise<string> {
    const { next_at: at = '' } = (await canary()) ?? {};
    await skip(Date.parse(at) - Date.now() + 1_000);
    return eventually(async () => {
      const links = await allLinksTo(phone);
      expect(links).toHaveLength(n);
      return links[n - 1] ?? '';
    });
  }

  beforeAll(async () => {
    await fetch(new URL('/_calls', CHANNEL), { method: 'DELETE' });
    await publish({ accounts: { default: ACCOUNT } });
    await skip(0);
  });

  it('is a link whose press proves the whole way; opening it proves nothing', async () => {
    const link = await next(TO, 1);
    const page = await look(link);
    expect(page.status).toBe(200);
    expect(page.html).toContain('Press to show that messages arrive');
    expect(await canary()).not.toHaveProperty('answered_at');
    expect((await press(link)).html).toContain('Done');
    expect(await canary()).toHaveProperty('answered_at');
    await skip(3 * HOUR);
    expect(reported).toEqual([]);
  });

  it('that nobody answers is reported once over both channels, whatever was published and restarted', async () => {
    const link = await next(TO, 2);
    await evictDurableObject(outbox());
    await publish({ accounts: { default: { ...ACCOUNT, retention: '40d' } } });
    await skip(2 * HOUR);
    await notified('canary.unanswered');
    await skip(HOUR);
    const calls = await (await fetch(new URL('/_calls', CHANNEL))).json<{ text: string }[]>();
    expect(calls.map(({ text }) => text)).toEqual([reported[0]?.notice.text]);
    await press(link);
    expect(await canary()).toHaveProperty('answered_at');
    expect(reported).toHaveLength(1);
  });
});
