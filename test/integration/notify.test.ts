import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { channel, eventually, gatewayAnswers, OWNER_URL, status, reported, watchOutside } from './outside.ts';
import { admin, isSent, message, postJson, publish, UNPACED } from './relay.ts';

/** The value of `NOTIFY_PATH`, which stands in the address of the owner's channel. */
const SECRET = 'path-of-the-owner';
const route = { name: 'all', to: '{{ payload.phone }}', send: { kind: 'text', message: 'hello' } };

async function postTo(phone: string): Promise<string> {
  const response = await postJson('form', { phone: `+${phone}` });
  return (await response.json<{ messages: string[] }>()).messages[0] ?? '';
}

const kinds = (): readonly string[] => reported.map(({ notice }) => notice.kind);

/** Publishes an account that notifies its owner over the channel. */
const publishAccount = () =>
  publish({
    accounts: {
      default: {
        ...UNPACED,
        retry: ['100ms', '100ms', '100ms', '100ms', '100ms'],
        circuit: { failures: 3, probe: '200ms' },
        notify: { url: OWNER_URL, secret: 'NOTIFY_PATH' },
      },
    },
    sources: {
      form: { verify: { scheme: 'none' }, routes: [route] },
      list: { verify: { scheme: 'none' }, limit: false, routes: [{ ...route, each: 'payload.list' }] },
    },
  });

const lines: string[] = [];

beforeAll(async () => {
  watchOutside();
  for (const level of ['info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((line: unknown) => lines.push(String(line)));
  await publishAccount();
});

describe('the account’s owner', () => {
  it('is notified once that a login was refused and the account paused, and once that it sends again', async () => {
    const phones = ['4915112353001', '4915112353002', '4915112353003'];
    for (const phone of phones) gatewayAnswers(phone, status(401));
    const ids = await Promise.all(phones.map(postTo));
    await eventually(() => expect(kinds()).toEqual(['account.paused']));
    expect(reported[0]?.notice).toMatchObject({ account: 'default' });
    expect(reported[0]?.notice.text).toContain('401');
    expect(reported[0]?.url).toBe(`https://owner.example/in/${SECRET}`);

    for (const phone of phones) gatewayAnswers(phone);
    await admin('POST', '/accounts/default/resume');
    for (const id of ids) await message(id, isSent);
    await eventually(() => expect(kinds()).toEqual(['account.paused', 'account.resumed']));
  });

  it('is notified once that the circuit opened, and once that it closed, in this order', async () => {
    reported.length = 0;
    const phone = '4915112353004';
    gatewayAnswers(phone, status(500), status(500), status(500), status(500));
    const id = await postTo(phone);
    await message(id, isSent);
    await eventually(() => expect(kinds()).toEqual(['circuit.opened', 'circuit.closed']));
  });

  it('is notified of the first dead letter of an hour, and not of the next ones', async () => {
    reported.length = 0;
    for (const phone of ['4915112353005', '4915112353006']) {
      gatewayAnswers(phone, status(400));
      await message(await postTo(phone), ({ state }) => state === 'dead');
    }
    await eventually(() => expect(kinds()).toEqual(['message.dead']));
    await message(await postTo('4915112353007'), isSent);
    expect(kinds()).toEqual(['message.dead']);
  });

  it('is notified of a redirect, which a person must fix', async () => {
    reported.length = 0;
    gatewayAnswers('4915112353008', status(302));
    await message(await postTo('4915112353008'), isSent);
    await eventually(() => expect(kinds()).toEqual(['gateway.redirected']));
  });

  it('is notified once in an hour that a bound left something out of a webhook', async () => {
    reported.length = 0;
    const list = Array.from({ length: 1_100 }, (_, n) => n);
    for (const phone of ['not a number', 'nor this'])
      expect((await postJson('list', { phone, list })).status).toBe(202);
    await eventually(() => expect(kinds()).toEqual(['webhook.left_out']));
    expect(reported[0]?.notice.text).toMatch(/from the source list was left out .*: /);
    expect(reported[0]?.notice.text).not.toContain('not a number');
    await postTo('4915112353011');
    expect(kinds()).toEqual(['webhook.left_out']);
  });

  it('does not hold up a single message by a channel that hangs', async () => {
    reported.length = 0;
    const { promise, resolve } = Promise.withResolvers<Response>();
    channel.answer = () => promise;
    await admin('POST', '/accounts/default/pause');
    await eventually(() => expect(kinds()).toEqual(['account.paused']));
    await admin('POST', '/accounts/default/resume');
    // The channel still hangs; the gateway does not.
    await message(await postTo('4915112353009'), isSent);
    await message(await postTo('4915112353010'), isSent);
    expect(kinds()).toEqual(['account.paused']);
    channel.answer = () => new Response('ok');
    resolve(new Response('ok'));
    await eventually(() => expect(kinds()).toEqual(['account.paused', 'account.resumed']));
  });

  it('does not hold up an alarm, without which nothing is sent, by notifying of what a restart left', async () => {
    reported.length = 0;
    const { promise, resolve } = Promise.withResolvers<Response>();
    channel.answer = () => promise;
    await runInDurableObject(env.OUTBOX.getByName('default'), async (outbox, { storage: { sql } }) => {
      const notice = {
        kind: 'circuit.opened',
        account: 'default',
        at: new Date().toISOString(),
        text: 'left',
      };
      sql.exec('INSERT INTO notices (notice, next_at) VALUES (?, 0)', JSON.stringify(notice));
      await outbox.alarm();
    });
    await eventually(() => expect(kinds()).toEqual(['circuit.opened']));
    channel.answer = () => new Response('ok');
    resolve(new Response('ok'));
  });

  it('does not hold up messages by a channel that refuses, and the owner still gets everything in order', async () => {
    reported.length = 0;
    channel.answer = () => new Response('no', { status: 404 });
    await admin('POST', '/accounts/default/pause');
    await eventually(() => expect(reported).toHaveLength(1));
    await admin('POST', '/accounts/default/resume');
    await message(await postTo('4915112353011'), isSent);
    expect(kinds()).toEqual(['account.paused']);
    channel.answer = () => new Response('ok');
  });

  it('has the channel’s secret in no log line and no answer', async () => {
    const answers = await Promise.all(
      ['/accounts/default/status', '/config', '/accounts', '/messages', '/events'].map((path) =>
        admin('GET', path),
      ),
    );
    expect(JSON.stringify(answers)).not.toContain(SECRET);
    expect(lines.some((line) => line.includes('owner.notice'))).toBe(true);
    expect(lines.join('\n')).not.toContain(SECRET);
  });
});
