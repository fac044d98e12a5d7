import { env } from 'cloudflare:workers';
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually, hurry, message, skip } from './hurry.ts';
import { allLinksTo, look, press } from './links.ts';
import { channel, gatewayAnswers, OWNER_URL, reported, status, watchOutside } from './outside.ts';
import { outbox, postTo, take } from './posted.ts';
import { admin, isSent, publish, UNPACED } from './relay.ts';
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
    await message(await postTo('form', phone), isSent);
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
    await notified('webhook.left_out');
    expect(reported[0]?.notice.text).toMatch(/from the source list was left out .*: /);
    expect(reported[0]?.notice.text).not.toContain('not a number');
    await sends();
    expect(kinds()).toEqual(['webhook.left_out']);
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
