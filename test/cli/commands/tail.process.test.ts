import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startProxy } from '../proxy.ts';
import { OPEN_SET, admin, hookbell, phoneUrl, post, publish, start, until, untilState } from '../support.ts';

const PHONES = { good: '+4915112345680', failing: '+4915112345690', dying: '+4915112345691' };

const rejectionList = z.object({ items: z.array(z.object({ n: z.number() })) });

const newestRejection = async (): Promise<number> =>
  rejectionList.parse(await admin('GET', '/rejections?limit=1')).items[0]?.n ?? 0;

const isMarked = (line: string): boolean => line.endsWith('(while away)');

/** The gateway's next answer for a number. */
const failNext = (phone: string, failure: object): Promise<unknown> =>
  fetch(`${phoneUrl()}/_control/script`, {
    method: 'PUT',
    body: JSON.stringify({ steps: [{ match: { phone: phone.slice(1) }, ...failure }] }),
  });

describe('tail', () => {
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

  it('shows what happens while it happens, until Ctrl-C', async () => {
    const tail = start(['tail']);
    await until(() => tail.written().stderr.includes('watching'), 'the view');
    const { event, messages } = await post('open', { name: 'Ada', phone: '+4915112345680' });
    const [message = ''] = messages;
    await until(() => new RegExp(`sent +${message}`).test(tail.written().stdout), 'the message');
    tail.child.kill('SIGINT');
    const { code, stdout, stderr } = await tail.done;
    expect(code).toBe(130);
    expect(stdout).toMatch(new RegExp(`^\\d\\d:\\d\\d:\\d\\d {2}routed +${event} +open “Ada”$`, 'm'));
    expect(stderr).not.toMatch(/\bat .*:\d+/);
  });

  it('prints lines of JSON, of one kind when asked to', async () => {
    const tail = start(['tail', '--json', '--type', 'event', '--source', 'open']);
    await until(() => tail.written().stdout.includes('"hello"'), 'the view');
    const { event } = await post('open', { name: 'Ada' });
    await until(() => tail.written().stdout.includes(event), 'the event');
    tail.child.kill('SIGINT');
    const frames = (await tail.done).stdout.trim().split('\n');
    const types = frames.map((frame) => z.object({ type: z.string() }).parse(JSON.parse(frame)).type);
    expect(new Set(types)).toEqual(new Set(['hello', 'event']));
  });

  it('asks again and again where a relay has no tail', async () => {
    const proxy = await startProxy({ missing: '/tail' });
    const tail = start(['tail', '--type', 'message'], { env: { HOOKBELL_URL: proxy.url } });
    await until(() => tail.written().stderr.includes('has no tail'), 'the word on asking');
    // The first look only learns what was there before.
    await until(async () => {
      await post('open', { name: 'Ada', phone: '+4915112345681' });
      return /(sent|queued) +msg_/.test(tail.written().stdout);
    }, 'the message');
    tail.child.kill('SIGINT');
    const { code, stdout } = await tail.done;
    await proxy.close();
    expect(code).toBe(130);
    expect(stdout).not.toContain('evt_');
  });

  it('says why something failed, which attempt that was, and when there is another', async () => {
    await failNext(PHONES.failing, { failure: 'status', status: 500 });
    const tail = start(['tail']);
    await until(() => tail.written().stderr.includes('watching'), 'the view');
    const { messages } = await post('open', { name: 'Ada', phone: PHONES.failing });
    const failed = await post('open', { name: 'Ada', phone: '0151' });
    await expect(post('signed/guessed', {})).rejects.toThrow('401');
    const [message = ''] = messages;
    const lines = [
      `retrying +${message} +open/hello attempt 1, server_error, HTTP 500, \\d+ ms: the gateway answered 500: [^;]+; again at (\\d\\d-\\d\\d )?\\d\\d:`,
      `failed +${failed.event} +open “Ada”: route .hello., parameter .to. .*not a valid phone number`,
      'refused +rejection \\d+ +signed 401 mismatch: the token .*; tried ALERTMANAGER_TOKEN$',
    ];
    for (const line of lines)
      await until(() => new RegExp(line, 'm').test(tail.written().stdout), `a line like ${line}`);
    tail.child.kill('SIGINT');
    expect((await tail.done).stdout).not.toContain(PHONES.failing);
  });

  it('shows what came while the connection was gone: marked, in order, and nothing twice', async () => {
    await failNext(PHONES.dying, { failure: 'status', status: 500 });
    const proxy = await startProxy();
    const tail = start(['tail'], { env: { HOOKBELL_URL: proxy.url } });
    await until(() => tail.written().stderr.includes('watching'), 'the view');
    const before = await post('open', { name: 'before', phone: PHONES.good });
    const [dying = ''] = (await post('open', { name: 'dying', phone: PHONES.dying })).messages;
    await until(
      () => new RegExp(`sent +${before.messages[0]}`).test(tail.written().stdout),
      'the first message',
    );
    await until(() => new RegExp(`retrying +${dying}`).test(tail.written().stdout), 'the first attempt');

    proxy.cut();
    await until(() => tail.written().stderr.includes('trying again'), 'the end of the connection');
    const missed = await post('open', { name: 'missed', phone: PHONES.good });
    await untilState(missed.messages[0] ?? '', 'sent');
    const failed = await post('open', { name: 'failed', phone: '0151' });
    const rejections = await newestRejection();
    await expect(post('signed/guessed', {})).rejects.toThrow('401');
    await until(async () => (await newestRejection()) > rejections, 'the record of the refusal');
    await admin('POST', `/messages/${dying}/cancel`);
    proxy.restore();
    await until(() => tail.written().stderr.split('watching').length === 3, 'the second connection');
    const after = await post('open', { name: 'after', phone: PHONES.good });
    await until(
      () => new RegExp(`sent +${after.messages[0]}`).test(tail.written().stdout),
      'the last message',
    );
    tail.child.kill('SIGINT');
    const lines = (await tail.done).stdout.split('\n');
    await proxy.close();

    const linesOf = (word: string, id: string) =>
      lines.filter((line) => new RegExp(`${word} +${id}\\b`).test(line));
    for (const [word, id] of [
      ['routed', missed.event],
      ['sent', missed.messages[0] ?? ''],
      ['failed', failed.event],
      ['cancelled', dying],
      ['refused', 'rejection'],
    ] as const)
      expect([word, linesOf(word, id).map(isMarked)]).toEqual([word, [true]]);
    for (const [word, id] of [
      ['routed', before.event],
      ['sent', before.messages[0] ?? ''],
      ['retrying', dying],
      ['routed', after.event],
      ['sent', after.messages[0] ?? ''],
    ] as const)
      expect([word, linesOf(word, id).map(isMarked)]).toEqual([word, [false]]);
    const place = (id: string): number => lines.findIndex((line) => line.includes(id));
    const order = [before.event, missed.event, failed.event, after.event].map(place);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  it('begins with what came before, if it is asked to', async () => {
    // Another tail takes the frames of what came before: nothing of it is on its way any more.
    const earlier = start(['tail', '--type', 'event']);
    await until(() => earlier.written().stderr.includes('watching'), 'the earlier tail');
    const first = await post('open', { name: 'first' });
    const second = await post('open', { name: 'second' });
    await until(() => earlier.written().stdout.includes(second.event), 'the last event as it came');
    earlier.child.kill('SIGINT');
    await earlier.done;
    const tail = start(['tail', '-n', '1', '--type', 'event']);
    await until(() => tail.written().stdout.includes(second.event), 'the last event');
    const all = start(['tail', '--since', '10m', '--source', 'open', '--json']);
    await until(() => all.written().stdout.includes(second.event), 'all events');
    for (const { child } of [tail, all]) child.kill('SIGINT');
    expect((await tail.done).stdout).not.toContain(first.event);
    const frames = (await all.done).stdout.trim().split('\n');
    const shown = frames.map((text) => z.looseObject({ type: z.string() }).parse(JSON.parse(text)));
    expect(shown.find(({ event }) => event === first.event)).toMatchObject({
      type: 'event',
      origin: 'earlier',
    });
  });

  it.each([
    [['--type', 'events'], 1, /did you mean `event`\?\n$/],
    [['--since', 'yesterday'], 2, /--since must be a duration such as 10m/],
    [['-n', 'all'], 2, /must be a whole number/],
  ])('says what is wrong with %j', async (args, exit, message) => {
    const { code, stderr } = await hookbell(['tail', ...args]);
    expect(code).toBe(exit);
    expect(stderr).toMatch(message);
  });
});
