import { beforeAll, describe, expect, it, vi } from 'vitest';
import { MAKERS } from '../../src/gateway/makers/makers.ts';
import { accountOf, ADDRESSES, OPTIONS, receiverOf, SECRETS } from '../gateway/makers/secrets.ts';
import { hurry, message } from './hurry.ts';
import { take } from './posted.ts';
import { admin, callsTo, config, isSent, publish, script, UNPACED } from './relay.ts';
import { open, text } from './sources.ts';

hurry();

const accountDocument = (maker: string) => ({
  ...UNPACED,
  gateway: maker,
  retry: ['100ms'],
  ...(['waha', 'evolution', 'signal'].includes(maker) && { base_url: 'https://chat.example' }),
  ...(OPTIONS[maker] && { options: OPTIONS[maker] }),
});
const person = (maker: string) =>
  Object.hasOwn(ADDRESSES, maker) ? { address: { [maker]: receiverOf(maker) } } : receiverOf(maker);
const ofAll = (each: (id: string) => readonly [string, object]) =>
  Object.fromEntries(MAKERS.map(({ id }) => each(id)));

const logged: string[] = [];

beforeAll(async () => {
  for (const level of ['debug', 'info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation(
      (...lines: unknown[]) => void logged.push(lines.map(String).join(' ')),
    );
  const send = text('Order *{{ payload.id }}*');
  await publish({
    accounts: ofAll((id) => [accountOf(id), accountDocument(id)]),
    recipients: ofAll((id) => [`people-${id}`, { people: { anna: person(id) } }]),
    sources: ofAll((id) => [
      id,
      open([{ name: 'all', to: `people-${id}`, send }], { account: accountOf(id) }),
    ]),
  });
});

const post = async (source: string, id: string) => (await take(source, { id })).messages[0] ?? '';

const shown = async (method: string, path: string) => JSON.stringify((await admin(method, path)).body);

describe.each(MAKERS)('a webhook for an account with $name', ({ id: maker }) => {
  it('reaches the person of a recipients list, as a message by hand does', async () => {
    const sent = await message(await post(maker, 'first'), isSent);
    expect(sent.phone).toBe(receiverOf(maker));
    const call = (await callsTo(receiverOf(maker))).at(-1);
    expect(call).toMatchObject({ kind: 'text', outcome: 'accepted' });
    expect(call?.params['message']).toContain('first');
    const body = { account: accountOf(maker), to: receiverOf(maker), kind: 'text', message: 'by hand' };
    const answer = await admin<{ id: string }>('POST', '/messages', body);
    expect(answer.status).toBe(202);
    await message(answer.body.id, isSent);
  });

  it('whose gateway repeats its credentials in an error leaves them nowhere', async () => {
    await script(receiverOf(maker), { failure: 'echo_secret', status: 500 });
    const sent = await message(await post(maker, 'echo'), isSent);
    expect(sent.attempts.map(({ outcome }) => outcome)).toEqual(['server_error', 'sent']);
    const { keys } = await config.list();
    const places = {
      message: JSON.stringify(sent),
      event: await shown('GET', `/events/${sent.event}`),
      config: await shown('GET', '/config'),
      status: await shown('GET', `/accounts/${accountOf(maker)}/status`),
      doctor: await shown('POST', '/doctor'),
      kv: (await Promise.all(keys.map(({ name }) => config.get(name)))).join('\n'),
      log: logged.join('\n'),
    };
    for (const [place, words] of Object.entries(places))
      for (const secret of Object.values(SECRETS[maker] ?? {}))
        for (const form of [secret, encodeURIComponent(secret), btoa(secret).slice(2, -4)])
          expect(`${place}: ${words.includes(form)}`).toBe(`${place}: false`);
  });
});

it('Telegram’s rate limit is waited for as long as its body says', async () => {
  await script(receiverOf('telegram'), { failure: 'status', status: 429 });
  const id = await post('telegram', 'limited');
  const {
    next_attempt_at: next = '',
    attempts,
    reason,
  } = await message(id, ({ state }) => state === 'retrying');
  const wait = Date.parse(next) - Date.parse(attempts[0]?.at ?? '');
  expect(wait).toBeGreaterThan(6_900);
  expect(wait).toBeLessThan(60_000);
  expect(reason).toContain('retry after 7');
});

it('a preview shows the text that goes out for a kind that the gateway does not have', async () => {
  const send = { kind: 'poll', question: 'When?', options: ['Mon', 'Tue'] };
  const draft = open([{ name: 'all', to: receiverOf('ntfy'), send }], { account: accountOf('ntfy') });
  const { body } = await admin('POST', '/sources/ntfy/preview', { payload: {}, draft });
  expect(JSON.stringify(body)).toContain(
    String.raw`ntfy does not have this kind: it goes out as a text: When?\n1. Mon\n2. Tue`,
  );
});
