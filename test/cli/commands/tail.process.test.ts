import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { startProxy } from '../proxy.ts';
import { OPEN_SET, admin, post, publish, scriptGateway, until, untilState } from '../relay.ts';
import { expectRefused, start } from '../support.ts';

const PHONES = { good: '+4915112345680', failing: '+4915112345690', dying: '+4915112345691' };

const rejectionList = z.object({ items: z.array(z.object({ n: z.number() })) });
const newestRejection = async (): Promise<number> =>
  rejectionList.parse(await admin('GET', '/rejections?limit=1')).items[0]?.n ?? 0;

/** The gateway's next answer for a number. */
const failNext = (phone: string) =>
  scriptGateway({ match: { phone: phone.slice(1) }, failure: 'status', status: 500 });

/** A message of the source `open`, and its event. */
async function send(name: string, phone: string): Promise<{ event: string; message: string }> {
  const { event, messages } = await post('open', { name, phone });
  return { event, message: messages[0] ?? '' };
}

/** A tail that has begun. */
async function tailing(args = '', url?: string) {
  const { child, done, written } = start(
    `tail ${args}`,
    url === undefined ? {} : { env: { HOOKBELL_URL: url } },
  );
  const shows = (line: string | RegExp) =>
    until(() => new RegExp(line, 'm').test(written().stdout), `a line like ${String(line)}`);
  const says = (words: string, times = 1) =>
    until(() => written().stderr.split(words).length > times, `${times} × ${words}`);
  await says('watching');
  /** Ends it by Ctrl-C, and returns its lines. */
  const stop = async (): Promise<readonly string[]> => {
    child.kill('SIGINT');
    const { code, stdout, stderr } = await done;
    expect(code).toBe(130);
    expect(stderr).not.toMatch(/\bat .*:\d+/);
    return stdout.trim().split('\n');
  };
  return { shows, says, stop };
}

beforeAll(() =>
  publish({
    ...OPEN_SET,
    sources: {
      open: { ...OPEN_SET.sources.open, limit: false },
      signed: { verify: { scheme: 'token', in: 'path' }, secrets: ['ALERTMANAGER_TOKEN'] },
    },
    accounts: { default: { ...OPEN_SET.accounts.default, retry: ['1h'] } },
  }),
);

it('tail shows what happens while it happens, until Ctrl-C: what is sent, and why something failed', async () => {
  await failNext(PHONES.failing);
  const tail = await tailing();
  const sent = await send('Ada', PHONES.good);
  await tail.shows(`^\\d\\d:\\d\\d:\\d\\d {2}routed +${sent.event} +open “Ada”$`);
  await tail.shows(`sent +${sent.message}`);
  const { message } = await send('Ada', PHONES.failing);
  const failed = await send('Ada', '0151');
  await expect(post('signed/guessed', {})).rejects.toThrow('401');
  for (const line of [
    `retrying +${message} +open/hello attempt 1, server_error, HTTP 500, \\d+ ms: the gateway answered 500: [^;]+; again at (\\d\\d-\\d\\d )?\\d\\d:`,
    `failed +${failed.event} +open “Ada”: route .hello., parameter .to. .*not a valid phone number`,
    'refused +rejection \\d+ +signed 401 mismatch: the token .*; tried ALERTMANAGER_TOKEN$',
  ])
    await tail.shows(line);
  expect((await tail.stop()).join('\n')).not.toContain(PHONES.failing);
});

it('tail shows what came while the relay could not be reached: marked, in order, and nothing twice', async () => {
  await failNext(PHONES.dying);
  const proxy = await startProxy();
  const tail = await tailing('', proxy.url);
  const before = await send('before', PHONES.good);
  const dying = await send('dying', PHONES.dying);
  await tail.shows(`sent +${before.message}`);
  await tail.shows(`retrying +${dying.message}`);

  proxy.cut();
  await tail.says('trying again');
  const missed = await send('missed', PHONES.good);
  await untilState(missed.message, 'sent');
  const failed = await send('failed', '0151');
  const rejections = await newestRejection();
  await expect(post('signed/guessed', {})).rejects.toThrow('401');
  await until(async () => (await newestRejection()) > rejections, 'the record of the refusal');
  await admin('POST', `/messages/${dying.message}/cancel`);
  proxy.restore();
  const after = await send('after', PHONES.good);
  await tail.shows(`sent +${after.message}`);
  const lines = await tail.stop();
  await proxy.close();

  const marksOf = (word: string, id: string) =>
    lines
      .filter((line) => new RegExp(`${word} +${id}\\b`).test(line))
      .map((line) => line.endsWith('(while away)'));
  for (const [word, id, isMarked] of [
    ['routed', missed.event, true],
    ['sent', missed.message, true],
    ['failed', failed.event, true],
    ['cancelled', dying.message, true],
    ['refused', 'rejection', true],
    ['routed', before.event, false],
    ['sent', before.message, false],
    ['retrying', dying.message, false],
  ] as const)
    expect([word, id, marksOf(word, id)]).toEqual([word, id, [isMarked]]);
  // What comes right after may be in the first answer.
  for (const [word, id] of [
    ['routed', after.event],
    ['sent', after.message],
  ] as const)
    expect([word, id, marksOf(word, id).length]).toEqual([word, id, 1]);
  const events = [before, missed, failed, after].map(({ event }) => event);
  const order = events.map((id) => lines.findIndex((line) => line.includes(id)));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});

it('tail begins with what came before, if it is asked to', async () => {
  // Another tail takes the frames of what came before: nothing of it is on its way any more.
  const earlier = await tailing('--type event');
  const first = await send('first', PHONES.good);
  const second = await send('second', PHONES.good);
  await earlier.shows(second.event);
  await earlier.stop();
  const tail = await tailing('-n 1 --type event');
  await tail.shows(second.event);
  expect((await tail.stop()).join('\n')).not.toContain(first.event);
  const all = await tailing('--since 10m --source open --json');
  await all.shows(second.event);
  const frame = z.looseObject({ type: z.string() });
  const shown = (await all.stop()).map((text) => frame.parse(JSON.parse(text)));
  const origin = { type: 'event', origin: 'earlier' };
  expect(shown.find(({ event }) => event === first.event)).toMatchObject(origin);
});

it('tail says what is wrong with its options', () =>
  expectRefused([
    ['tail --type events', 1, /did you mean `event`\?\n$/],
    ['tail --since yesterday', 2, '--since must be a duration such as 10m'],
    ['tail -n all', 2, 'must be a whole number'],
  ]));
