import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  OPEN_SET,
  admin,
  hookbell,
  json,
  messagesIn,
  phoneTexts,
  phoneUrl,
  post,
  publish,
  until,
  untilState,
} from '../support.ts';

const breakGateway = (steps: readonly object[]): Promise<Response> =>
  fetch(`${phoneUrl()}/_control/script`, { method: 'PUT', body: JSON.stringify({ steps }) });

const hello = async (phone: string): Promise<{ event: string; message: string }> => {
  const { event, messages } = await post('open', { name: 'Ada', phone });
  return { event, message: messages[0] ?? '' };
};

describe('a hand on messages and accounts', () => {
  beforeEach(async () => {
    await publish();
    await admin('POST', '/accounts/default/resume');
  });

  it('retries one message that is dead', async () => {
    await breakGateway([{ failure: 'status', status: 400 }]);
    const { message } = await hello('+4915112345672');
    await untilState(message, 'dead');
    const { code, stdout } = await hookbell(['retry', message]);
    expect(code).toBe(0);
    expect(stdout).toContain(`${message} to 4915112345672 will be retried`);
    await untilState(message, 'sent');
    const again = await hookbell(['retry', message]);
    expect(again.code).toBe(1);
    expect(again.stderr).toMatch(/^hookbell: the message .*\n$/);
  });

  it('shows which account sends a message in the place of the first, in both directions', async () => {
    const text = { kind: 'text', message: 'Hello {{ payload.name }}' };
    const phone = '4915112345671';
    await publish({
      ...OPEN_SET,
      recipients: { crew: { people: { ada: { phone, address: { ntfy: 'crew-k3x9q2vb' } } } } },
      sources: {
        covered: {
          verify: { scheme: 'none' },
          routes: [
            {
              name: 'all',
              to: ['crew'],
              send: { ...text, fallback: [{ ...text, account: 'chat', after: '1s' }] },
            },
          ],
        },
      },
      accounts: { ...OPEN_SET.accounts, chat: { gateway: 'ntfy' } },
    });
    await breakGateway([{ failure: 'status', status: 503, match: { phone } }]);
    const { event, messages } = await post('covered', { name: 'Ada' });
    const [first = ''] = messages;
    const shape = z.object({ fallback: z.string() });
    await until(
      async () => shape.safeParse(await admin('GET', `/messages/${first}`)).success,
      'its fallback',
    );
    const { fallback } = shape.parse(await admin('GET', `/messages/${first}`));
    await untilState(fallback, 'sent');
    const list = await hookbell(['messages', '--event', event]);
    expect(list.stdout).toContain(first);
    expect(list.stdout).toContain(fallback);
    expect((await hookbell(['messages', first])).stdout).toMatch(
      new RegExp(`fallback +${fallback} of the account chat`),
    );
    expect((await hookbell(['messages', fallback])).stdout).toMatch(
      new RegExp(`fallback of +${first} of the account default`),
    );
    expect((await hookbell(['events', event])).stdout).toContain(fallback);
    expect(await phoneTexts('crew-k3x9q2vb')).toEqual(['Hello Ada']);
  });

  it('retries all that are dead', async () => {
    await breakGateway([{ failure: 'status', status: 400, times: 2 }]);
    const [one, two] = [await hello('+4915112345673'), await hello('+4915112345673')];
    await untilState(one.message, 'dead');
    await untilState(two.message, 'dead');
    const shape = z.object({ retried: z.number(), more: z.literal(false) });
    const { retried } = await json(
      ['retry', '--state', 'dead', '--source', 'open', '--since', '2h', '--yes'],
      shape,
    );
    expect(retried).toBeGreaterThanOrEqual(2);
    await untilState(two.message, 'sent');
    expect(await messagesIn('dead')).toEqual([]);
  });

  it('replays those that match a search, once they are counted', async () => {
    const { message } = await hello('+4915112345679');
    await untilState(message, 'sent');
    const filter = ['--text', '4915112345679', '--source', 'open'];
    const found = await json(['events', ...filter], z.object({ items: z.array(z.unknown()) }));
    expect(found.items).toHaveLength(1);
    const asked = await hookbell(['replay', ...filter]);
    expect(asked.code).toBe(1);
    expect(asked.stderr).toContain('Replay 1 event at');
    const done = await hookbell(['replay', ...filter, '--yes']);
    expect(done.stdout).toBe('1 event replayed: 1 message\n');
    const again = await hookbell(['replay', ...filter, '--failed', '--yes']);
    expect(again.stdout).toBe(
      '0 events replayed: 0 messages\nskipped: 1 that are replays, 1 without failures\n',
    );
  });

  it('pauses an account, cancels what waits, and resumes it', async () => {
    expect((await hookbell(['pause'])).stdout).toMatch(/status +paused/);
    expect((await hookbell(['accounts'])).stdout).toMatch(/default +paused/);
    const { message } = await hello('+4915112345674');
    const cancelled = await hookbell(['cancel', message]);
    expect(cancelled.stdout).toContain('is cancelled');
    expect((await hookbell(['resume', 'default'])).stdout).toMatch(/status +ready/);
    const list = await json(['accounts'], z.object({ items: z.array(z.object({ account: z.string() })) }));
    expect(list.items.map(({ account }) => account)).toEqual(['default']);
    expect(await phoneTexts('4915112345674')).toEqual([]);
    const status = z.object({ account: z.string(), paused: z.unknown() });
    expect(await json(['accounts', 'default'], status)).toEqual({ account: 'default', paused: null });
    expect(await json(['pause'], status)).toMatchObject({ paused: { by: 'token' } });
    const waiting = await hello('+4915112345674');
    expect(await json(['cancel', waiting.message], z.object({ state: z.string() }))).toEqual({
      state: 'cancelled',
    });
    expect(await json(['resume'], status)).toMatchObject({ paused: null });
  });

  it('cancels many that wait: counts them first, and not without a yes or `--yes`', async () => {
    await hookbell(['pause']);
    const phone = '+4915112345681';
    const [one, two] = [await hello(phone), await hello(phone)];
    const unasked = await hookbell(['cancel', '--phone', phone]);
    expect(unasked.code).toBe(1);
    expect(unasked.stdout).toBe('2 messages to cancel: 2 queued; 2 from open\n');
    expect(unasked.stderr).toMatch(/Cancel 2 messages at http/);
    const shape = z.object({ cancelled: z.number(), in_flight: z.number(), next_cursor: z.null() });
    const filter = ['--phone', phone, '--state', 'queued', '--source', 'open'];
    expect(await json(['cancel', ...filter, '--yes'], shape)).toMatchObject({ cancelled: 2, in_flight: 0 });
    await untilState(one.message, 'cancelled');
    await untilState(two.message, 'cancelled');
    const none = await hookbell(['cancel', '--phone', phone]);
    expect(none).toMatchObject({ code: 0, stdout: 'nothing to cancel: no waiting message matches\n' });
    await hookbell(['resume']);
  });

  it('replays an event with the current configuration', async () => {
    const { event, message } = await hello('+4915112345675');
    await untilState(message, 'sent');
    const [source] = Object.values(OPEN_SET.sources);
    await admin('PUT', '/sources/open', {
      ...source,
      routes: source?.routes.map((route) => ({ ...route, send: { kind: 'text', message: 'Again' } })),
    });
    const shape = z.object({ replay_of: z.string(), messages: z.array(z.string()) });
    const { replay_of, messages } = await json(['replay', event, '--yes'], shape);
    expect(replay_of).toBe(event);
    await untilState(messages[0] ?? '', 'sent');
    expect(await phoneTexts('4915112345675')).toEqual(['Hello Ada', 'Again']);
    expect((await hookbell(['replay', event, '--yes'])).stdout).toContain(`replays ${event}: 1 message`);
  });

  it('says what was delivered before it replays, and asks where somebody would get it twice', async () => {
    const phone = '+4915112345683';
    const { event, message } = await hello(phone);
    await untilState(message, 'sent');
    const { code, stdout, stderr } = await hookbell(['replay', event]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/sent +1 message: hello to 4915112345683\n/);
    expect(stderr).toContain('Replay everything again, including 1 sent message?');
    expect(await phoneTexts('4915112345683')).toHaveLength(1);
    expect((await hookbell(['replay', event, '--route', 'helo', '--yes'])).stderr).toContain(
      'there is no route `helo`; did you mean `hello`?',
    );
    expect((await hookbell(['replay', event, '--failed'])).stderr).toContain('nothing was replayed');
  });

  it('replays what failed without asking, and asks when that was done before', async () => {
    await breakGateway([{ failure: 'status', status: 400 }]);
    const { event, message } = await hello('+4915112345684');
    await untilState(message, 'dead');
    const replay = await hookbell(['replay', event, '--failed', '--route', 'hello']);
    expect(replay.code).toBe(0);
    expect(replay.stdout).toMatch(/failed +1 message: hello to 4915112345684\n/);
    await until(async () => (await phoneTexts('4915112345684')).length === 2, 'the replay');
    const again = await hookbell(['replay', event, '--failed']);
    expect(again.code).toBe(1);
    expect(again.stdout).toMatch(/replayed +evt_\S+, .* by token/);
    expect(again.stderr).toContain('It was replayed before');
  });

  it('sends a message by hand, and waits for it when asked to', async () => {
    const sent = await hookbell(['send', 'By *hand*', '--to', '+49 151 12345676', '--wait']);
    expect(sent.stdout).toMatch(/^msg_\S+ to 4915112345676 is sent\n$/);
    expect(await phoneTexts('4915112345676')).toEqual(['By *hand*']);

    await breakGateway([{ failure: 'status', status: 400 }]);
    const failed = await hookbell(['send', 'no', '--to', '4915112345676', '--wait']);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(/^hookbell: msg_\S+ was not sent: .*400/);

    const shape = z.object({ kind: z.string(), params: z.record(z.string(), z.string()) });
    const poll = [
      'send',
      'Lunch?',
      '--kind',
      'poll',
      '--option',
      'Yes',
      '--option',
      'No',
      '--to',
      '4915112345676',
    ];
    expect(await json(poll, shape)).toMatchObject({ kind: 'poll', params: { options: 'Yes,No' } });
    const image = ['send', 'https://example.com/a.png', '--kind', 'image', '--to', '4915112345676'];
    expect(await json([...image, '-p', 'caption=Look=here'], shape)).toMatchObject({
      params: { image_url: 'https://example.com/a.png', caption: 'Look=here' },
    });
    const national = ['send', 'x', '--to', '0151 12345676', '--country', 'de', '--json'];
    expect((await hookbell(national)).stdout).toContain('"phone": "4915112345676"');
    expect(await json(['send', 'Closed', '--kind', 'status'], shape)).toMatchObject({ kind: 'status' });
  });

  it.each([
    [['send', 'x'], 2, /who gets it\? Give --to/],
    [['send', '--to', '4915112345676'], 2, /text needs its message/],
    [['send', 'x', '--kind', 'txt', '--to', '1'], 2, /no kind `txt`; did you mean `text`\?/],
    [['send', 'x', '--kind', 'poll', '--to', '4915112345676'], 2, /a poll needs options/],
    [['send', 'x', '--to', '4915112345676', '-p', 'nothing'], 2, /--param must be name=value/],
    [['send', 'x', '--to', '0151 12345676'], 2, /write \+4915112345676, or add --country DE$/m],
    [['send', 'x', '--to', '0151'], 2, /0151 has no country code: write \+49 151 …, or add --country DE$/m],
    [['send', 'x', '--to', '+49 151'], 2, /--to: .* is not a valid international phone number$/m],
    [['send', 'x', '--to', '0151', '--country', 'de'], 2, /is not a valid phone number in DE/],
    [['send', 'x', '--to', '0151', '--country', 'Germany'], 2, /--country must be two letters/],
    [['send', 'x', '--kind', 'status', '--to', '4915112345676'], 1, /to: is refused here/],
    [
      ['send', 'a.png', '--kind', 'image', '--to', '4915112345676'],
      1,
      /image_url: is not an http\(s\) URL; the gateway has to fetch it/,
    ],
    [['send', 'x', '--to', '4915112345676', '--account', 'defalt'], 1, /did you mean `default`\?/],
    [
      ['send', 'x', '--to', '4915112345676', '-p', 'mesage=x'],
      1,
      /mesage: unknown key `mesage`; did you mean `message`\?/,
    ],
    [['messages', '--phone', '0151 12345676'], 2, /--phone: .*has no country code: begin with it/],
    [['retry', '--state', 'dead', '--phone', 'Ada'], 2, /--phone: /],
    [['cancel', '--phone', '+49 151 1234567890123', '--yes'], 2, /--phone: .*too long for a phone number/],
    [['retry'], 2, /which messages\?/],
    [['cancel'], 2, /which messages\?/],
    [['cancel', '--all', '--source', 'open'], 2, /either --all/],
    [['cancel', 'msg_0000000000000000', '--state', 'queued'], 2, /either the id/],
    [['cancel', '--state', 'queud', '--yes'], 1, /did you mean `queued`\?/],
    [['retry', 'msg_0000000000000000', '--state', 'dead'], 2, /either the id/],
    [['retry', '--state', 'daed', '--yes'], 1, /did you mean `dead`\?/],
    [['retry', 'msg_0000000000000000'], 1, /there is no message/],
    [['cancel', 'msg_0000000000000000'], 1, /there is no message/],
    [['replay'], 2, /which events\?/],
    [['replay', '--all', '--text', 'abc'], 2, /either --all/],
    [['replay', 'evt_00000000000000000000000000', '--all'], 2, /either the id/],
    [['replay', 'evt_00000000000000000000000000'], 1, /there is no event/],
    [['pause', 'nope'], 1, /there is no account `nope`; there is default\n$/],
    [['accounts', 'nope'], 1, /there is no account `nope`; there is default\n$/],
    [['pause', 'defalt'], 1, /there is no account `defalt`; did you mean `default`\?/],
  ])('says what is wrong with %j', async (args, exit, message) => {
    const { code, stdout, stderr } = await hookbell(args);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
  });
});
