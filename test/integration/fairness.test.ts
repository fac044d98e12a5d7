import { beforeAll, describe, expect, it } from 'vitest';
import { gatewayAnswers, status, watchOutside, type Answer } from './outside.ts';
import { admin, callsTo, isSent, message, postJson, publish, UNPACED } from './relay.ts';

const hang: Answer = () => new Promise<Response>(() => undefined);

const route = {
  name: 'all',
  to: '{{ payload.phone }}',
  send: { kind: 'text', message: '{{ payload.text }}' },
};
const open = (account?: string) => ({
  verify: { scheme: 'token', in: 'header', name: 'x-token' },
  secrets: ['HOOK_SECRET'],
  routes: [route],
  ...(account !== undefined && { account }),
});

const documents = (perRecipient: object | false) => ({
  accounts: {
    default: { ...UNPACED, retry: ['200ms', '200ms'], timeout: '5s' },
    sales: { rate: false, per_recipient: perRecipient },
  },
  sources: { form: open(), other: open(), capped: open('sales') },
});

async function postTo(phone: string, text: string, source = 'form'): Promise<string> {
  const response = await postJson(source, { phone: `+${phone}`, text }, { 'x-token': 'hook-secret' });
  return (await response.json<{ messages: string[] }>()).messages[0] ?? '';
}

beforeAll(async () => {
  watchOutside();
  await publish(documents({ per_hour: 1 }));
});

describe('a text that the gateway’s firewall does not like', () => {
  it('is given up after three calls, while other messages go out and the account is not paused', async () => {
    const blocked = '4915112360001';
    const forbidden = status(403);
    const others = Promise.withResolvers<void>();
    const forbiddenLater: Answer = async (...call) => {
      await others.promise;
      return forbidden(...call);
    };
    gatewayAnswers(blocked, forbidden, forbiddenLater, forbidden, forbidden);
    const bad = await postTo(blocked, '<script>');
    for (const phone of ['4915112360002', '4915112360003'])
      await message(await postTo(phone, 'hello'), isSent);
    others.resolve();
    const dead = await message(bad, ({ state }) => state === 'dead');
    expect(dead.attempts.map(({ outcome }) => outcome)).toEqual(['forbidden', 'forbidden', 'forbidden']);
    expect(dead.reason).toContain('while other messages were sent');
    const { body } = await admin<{ paused: unknown }>('GET', '/accounts/default/status');
    expect(body.paused).toBeNull();
  });
});

describe('a receiver', () => {
  it('whose calls hang holds up no other, whatever waits for it', async () => {
    const slow = '4915112360010';

    gatewayAnswers(slow, hang);
    await Promise.all(Array.from({ length: 150 }, (_, index) => postTo(slow, `n ${index}`)));
    const phones = ['4915112360011', '4915112360012', '4915112360013', '4915112360014', '4915112360015'];
    const others = await Promise.all(phones.map((phone) => postTo(phone, 'hello', 'other')));
    for (const id of others) await message(id, isSent);
    expect((await callsTo(slow)).length).toBeLessThan(150);
  });

  it('that was full gets what waits at once and in order when a publish lifts the limit', async () => {
    const phone = '4915112360020';
    const ids: string[] = [];
    for (const text of ['one', 'two', 'three']) ids.push(await postTo(phone, text, 'capped'));
    const [first = '', second = '', third = ''] = ids;
    const sent = await message(first, isSent);
    const waiting = await message(second, ({ next_attempt_at: at }) => at !== undefined);
    expect(waiting.state).toBe('queued');
    // An hour after the call to it that counts, give or take what lies between the two stamps.
    const wait = Date.parse(waiting.next_attempt_at ?? '') - Date.parse(sent.attempts[0]?.at ?? '');
    expect(Math.round(wait / 60_000)).toBe(60);
    await publish(documents(false));
    await message(third, isSent);
    expect((await callsTo(phone)).map(({ params }) => params['message'])).toEqual(['one', 'two', 'three']);
  });
});
