import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { MAKERS } from '../../src/gateway/makers/makers.ts';
import { accountOf, ADDRESSES, OPTIONS, receiverOf, SECRETS } from '../gateway/makers/secrets.ts';
import { admin, callsTo, config, isSent, message, postJson, publish, script, UNPACED } from './relay.ts';

const accountDocument = (maker: string, more: object = {}) => ({
  ...UNPACED,
  gateway: maker,
  ...(['waha', 'evolution', 'signal'].includes(maker) && { base_url: 'https://chat.example' }),
  ...(OPTIONS[maker] && { options: OPTIONS[maker] }),
  ...more,
});

const sourceOf = (maker: string, to: string) => ({
  verify: { scheme: 'none' },
  account: accountOf(maker),
  routes: [{ name: 'all', to, send: { kind: 'text', message: 'Order *{{ payload.id }}*' } }],
});

const person = (maker: string) =>
  Object.hasOwn(ADDRESSES, maker) ? { address: { [maker]: receiverOf(maker) } } : receiverOf(maker);

const logged: string[] = [];

beforeAll(async () => {
  for (const level of ['info', 'warn', 'error', 'log'] as const)
    vi.spyOn(console, level).mockImplementation(
      (...lines: unknown[]) => void logged.push(lines.map(String).join(' ')),
    );
  await publish({
    accounts: Object.fromEntries(
      MAKERS.map(({ id }) => [accountOf(id), accountDocument(id, { retry: ['100ms'] })]),
    ),
    recipients: Object.fromEntries(
      MAKERS.map(({ id }) => [`people-${id}`, { people: { anna: person(id) } }]),
    ),
    sources: Object.fromEntries(MAKERS.map(({ id }) => [id, sourceOf(id, `people-${id}`)])),
  });
});

afterEach(() => script('nobody'));

async function postTo(source: string, id: string): Promise<string> {
  const answer = await (await postJson(source, { id })).json<{ messages: string[] }>();
  return answer.messages[0] ?? '';
}

describe.each(MAKERS)('a webhook for an account with $name', ({ id: maker }) => {
  it('reaches the person of a recipients list', async () => {
    const sent = await message(await postTo(maker, 'first'), isSent);
    expect(sent.phone).toBe(receiverOf(maker));
    const calls = await callsTo(receiverOf(maker));
    expect(calls.at(-1)).toMatchObject({ kind: 'text', outcome: 'accepted' });
    expect(calls.at(-1)?.params['message']).toContain('first');
  });

  it('whose gateway repeats its credentials in an error leaves them nowhere', async () => {
    await script(receiverOf(maker), { failure: 'echo_secret', status: 500 });
    const id = await postTo(maker, 'echo');
    const sent = await message(id, isSent);
    expect(sent.attempts.map(({ outcome }) => outcome)).toEqual(['server_error', 'sent']);
    const kept = await config.list();
    const values = await Promise.all(kept.keys.map(({ name }) => config.get(name)));
    const places = {
      message: JSON.stringify(sent),
      event: JSON.stringify((await admin('GET', `/events/${sent.event}`)).body),
      config: JSON.stringify((await admin('GET', '/config')).body),
      status: JSON.stringify((await admin('GET', `/accounts/${accountOf(maker)}/status`)).body),
      doctor: JSON.stringify((await admin('POST', '/doctor')).body),
      kv: values.join('\n'),
      log: logged.join('\n'),
    };
    for (const [place, text] of Object.entries(places))
      for (const secret of Object.values(SECRETS[maker] ?? {}))
        for (const form of [secret, encodeURIComponent(secret), btoa(secret).slice(2, -4)])
          expect(`${place}: ${text.includes(form)}`).toBe(`${place}: false`);
  });

  it('can be sent to by hand, too', async () => {
    const account = accountOf(maker);
    const body = { account, to: receiverOf(maker), kind: 'text', message: 'by hand' };
    const answer = await admin<{ id: string }>('POST', '/messages', body);
    expect(answer.status).toBe(202);
    await message(answer.body.id, isSent);
  });
});

describe('Telegram’s rate limit', () => {
  it('is waited for as long as its body says', async () => {
    await script(receiverOf('telegram'), { failure: 'status', status: 429 });
    const waiting = await message(await postTo('telegram', 'limited'), ({ state }) => state === 'retrying');
    const { next_attempt_at: next = '', attempts } = waiting;
    const wait = Date.parse(next) - Date.parse(attempts[0]?.at ?? '');
    expect(wait).toBeGreaterThan(6_900);
    expect(wait).toBeLessThan(9_000);
    expect(waiting.reason).toContain('retry after 7');
  });
});

describe('a preview', () => {
  it('shows the text that goes out for a kind that the gateway does not have', async () => {
    const send = { kind: 'poll', question: 'When?', options: ['Mon', 'Tue'] };
    const routes = [{ name: 'all', to: receiverOf('ntfy'), send }];
    const draft = { verify: { scheme: 'none' }, account: accountOf('ntfy'), routes };
    const { body } = await admin('POST', '/sources/ntfy/preview', { payload: {}, draft });
    expect(JSON.stringify(body)).toContain(
      String.raw`ntfy does not have this kind: it goes out as a text: When?\n1. Mon\n2. Tue`,
    );
  });
});
