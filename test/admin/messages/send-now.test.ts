import { beforeAll, expect, it } from 'vitest';
import {
  admin,
  callsTo,
  isSent,
  message,
  publish,
  UNPACED,
  type MessageJson,
} from '../../integration/relay.ts';
import { refusal } from '../support.ts';

const accounts = { default: UNPACED, sales: UNPACED };

beforeAll(() => publish({ accounts }));

const send = (input: unknown) => admin<MessageJson>('POST', '/messages', input);
const refused = (input: unknown) => refusal('POST', '/messages', input);

const text = { kind: 'text', to: '4915112345901', message: 'hello' };

it.each([
  ['4915112345911', 'text', { message: '{{ not.liquid }} & 100 %' }],
  ['4915112345912', 'image', { image_url: 'https://x.example/a.png', caption: 'A, b' }],
  ['4915112345913', 'voice', { audio_url: 'https://x.example/a.ogg' }],
  ['4915112345914', 'link-preview', { url: 'https://x.example/', text: 'a', title: 'b', description: 'c' }],
])('a message that is sent now to %s may be of the kind %s', async (to, kind, params) => {
  const { status, body } = await send({ to, kind, ...params });
  expect(status).toBe(202);
  const given = { event: null, account: 'default', kind, phone: to, params: { phone: to, ...params } };
  expect(body).toMatchObject(given);
  await message(body.id, isSent);
  expect(await callsTo(to)).toMatchObject([{ kind, params }]);
});

it('a message that is sent now sends an address as it was checked, not as it was written', async () => {
  const image = { kind: 'image', to: '4915112345919', image_url: 'HTTPS://0x08080808/ä b.png' };
  expect((await send(image)).body).toMatchObject({ params: { image_url: 'https://8.8.8.8/%C3%A4%20b.png' } });
});

it('a message that is sent now may be a poll, whose options stay whole although the gateway separates them by commas', async () => {
  const options = ['Yes, please', ' No ', 'Later'];
  const { body } = await send({ to: '4915112345915', kind: 'poll', question: 'Tea?', options });
  await message(body.id, isSent);
  const [call] = await callsTo('4915112345915');
  expect(call?.params['options']?.split(',')).toEqual(['Yes\u201A please', 'No', 'Later']);
});

it('a message that is sent now may be a status, which has no receiver', async () => {
  const { status, body } = await send({ kind: 'status', text: 'Open until six' });
  expect(status).toBe(202);
  expect(body).toMatchObject({ phone: null, params: { text: 'Open until six' } });
  await message(body.id, isSent);
});

it('a message that is sent now may leave by another account', async () => {
  const { body } = await send({ ...text, to: '4915112345916', account: 'sales' });
  expect(body).toMatchObject({ account: 'sales' });
  await message(body.id, isSent);
});

it('a message that is sent now takes a number as people write it', async () => {
  for (const to of ['+49 1511 2345 917', '00491511 2345917', '+49 (0) 1511 2345917'])
    expect((await send({ ...text, to })).body.phone).toBe('4915112345917');
});

const image = (image_url: string): object => ({ kind: 'image', to: text.to, image_url });

it('what cannot be sent is said with what is wrong, where and how to fix it', async () => {
  const kinds = 'text, image, voice, link-preview, poll, status';
  for (const [input, error] of [
    [null, ': must be a template: a `kind` and its parameters'],
    [{}, `kind: is required: one of ${kinds}`],
    [{ ...text, kind: 'txt' }, `kind: must be one of ${kinds}; did you mean \`text\`?`],
    [{ ...text, message: ' \n' }, 'message: a `text` message needs the parameter `message`, and it is empty'],
    [{ ...text, phone: '1' }, 'phone: unknown key `phone`; known keys: kind, message, account, to'],
    [{ ...text, acount: 'x' }, 'acount: unknown key `acount`; did you mean `account`?'],
    [{ ...text, account: 'sale' }, 'account: there is no account `sale`; did you mean `sales`?'],
    [
      { ...text, account: 'constructor' },
      /^account: there is no account `constructor`; there are default, sales$/,
    ],
    [{ kind: 'text', message: 'x' }, /^to: is required: a number with its country code/],
    [{ kind: 'status', text: 'x', to: text.to }, /^to: is refused here: a status goes to all contacts/],
    [image('menu.png'), 'image_url: is not an http(s) URL; the gateway has to fetch it'],
    [image('http://8.8.8.8\\@127.0.0.1:21990/meta'), /^image_url: contains a backslash/],
    [
      { kind: 'voice', to: text.to, audio_url: 'http://192.168.0.7/a.ogg' },
      /^audio_url: 192\.168\.0\.7 is not a public/,
    ],
    [{ kind: 'link-preview', to: text.to, url: 'https://intranet/' }, /^url: intranet is not a public name/],
  ] as const)
    expect(await refused(input)).toEqual([typeof error === 'string' ? error : expect.stringMatching(error)]);
});

it('what cannot be sent is what goes to a number that would have to be guessed', async () => {
  const guesses = ['0151 12345901', '12', '+49', 'hello', '', '+4915112345901 ext. 5', '0', '+00000000000'];
  for (const to of guesses)
    expect(await refused({ ...text, to })).toEqual([expect.stringMatching(/^to: \S/)]);
});

it('what cannot be sent is what an account without its login should send', async () => {
  await publish({ accounts: { ...accounts, nologin: UNPACED } });
  expect(await refused({ ...text, account: 'nologin' })).toEqual([
    'account: the secret GATEWAY_NOLOGIN_EMAIL is not set: `npx wrangler secret put GATEWAY_NOLOGIN_EMAIL`; the secret GATEWAY_NOLOGIN_API_KEY is not set: `npx wrangler secret put GATEWAY_NOLOGIN_API_KEY`',
  ]);
});

it('what cannot be sent is a message that its row could not hold', async () => {
  const options = Array.from({ length: 64 }, () => 'o'.repeat(12_600));
  const poll = { kind: 'poll', to: '4915112345999', question: 'Which?', options };
  expect(await refused(poll)).toEqual([expect.stringContaining('bytes as JSON with all its parameters')]);
  expect((await send({ ...poll, options: options.slice(0, 3) })).status).toBe(202);
});

it('what cannot be sent is a message to a list, whose name an account with addresses of its own would take for one', async () => {
  const recipients = {
    'on-call': { people: { anna: { phone: text.to, address: { ntfy: 'secret-k3x9' } } } },
  };
  await publish({ accounts: { ...accounts, topics: { gateway: 'ntfy' } }, recipients });
  const by = (to: string) => ({ ...text, account: 'topics', to });
  expect(await refused(by('on-call'))).toEqual(['to: `on-call` is a recipients list: name one receiver']);
  expect((await send(by('alerts-k3x9'))).status).toBe(202);
});
