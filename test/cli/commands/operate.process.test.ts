import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { expectSays } from '../offline.ts';
import { OPEN_SET, admin, phoneTexts, post, publish, scriptGateway, until, untilState } from '../relay.ts';
import { expectRefused, hookbell, json, refused, shown, start } from '../support.ts';

/** An event of the source `open`, which becomes a message to this number; once that is in a state. */
async function hello(phone: string, state?: string): Promise<{ event: string; message: string }> {
  const { event, messages } = await post('open', { name: 'Ada', phone: `+${phone}` });
  const [message = ''] = messages;
  if (state !== undefined) await untilState(message, state);
  return { event, message };
}

const inState = z.object({ state: z.string() });

describe('a hand on messages and accounts', () => {
  beforeEach(async () => {
    await publish();
    await admin('POST', '/accounts/default/resume');
  });

  it('pauses an account, cancels what waits, and resumes it', async () => {
    expect(await shown('pause')).toMatch(/status +paused/);
    expect(await shown('accounts')).toMatch(/default +paused/);
    const { message } = await hello('4915112345674');
    expect(await shown(`cancel ${message}`)).toContain('is cancelled');
    expect(await shown('resume default')).toMatch(/status +ready/);
    const account = z.object({ account: z.string(), paused: z.unknown() });
    expect(await json('accounts default', account)).toEqual({ account: 'default', paused: null });
    expect(await json('pause', account)).toMatchObject({ paused: { by: 'token' } });
    const { message: waiting } = await hello('4915112345674');
    expect(await json(`cancel ${waiting}`, inState)).toEqual({ state: 'cancelled' });
    expect(await json('resume', account)).toMatchObject({ paused: null });
    expect(await phoneTexts('4915112345674')).toEqual([]);
  });

  it('cancels many that wait: counts them first, and not without a yes or `--yes`', async () => {
    await shown('pause');
    const phone = '4915112345681';
    const messages = [await hello(phone), await hello(phone)].map((one) => one.message);
    const unasked = await hookbell(`cancel --phone ${phone}`);
    expect(unasked).toMatchObject({ code: 2, stdout: '2 messages to cancel: 2 queued; 2 from open\n' });
    expect(unasked.stderr).toMatch(/Cancel 2 messages at http/);
    const shape = z.object({ cancelled: z.number(), in_flight: z.number(), next_cursor: z.null() });
    const cancelled = await json(`cancel --phone ${phone} --state queued --source open --yes`, shape);
    expect(cancelled).toMatchObject({ cancelled: 2, in_flight: 0 });
    for (const message of messages) await untilState(message, 'cancelled');
    expect(await shown(`cancel --phone ${phone}`)).toBe('nothing to cancel: no waiting message matches\n');
    await shown('resume');
  });

  it('replays events that match a search, once they are counted', async () => {
    await hello('4915112345679', 'sent');
    const filter = '--text 4915112345679 --source open';
    expect(await refused(`replay ${filter}`)).toContain('Replay 1 event at');
    expect(await shown(`replay ${filter} --yes`)).toBe('1 event replayed: 1 message\n');
    expect(await shown(`replay ${filter} --failed --yes`)).toBe(
      '0 events replayed: 0 messages\nskipped: 1 that are replays, 1 without failures\n',
    );
  });

  it('replays an event with the current configuration, and asks where somebody would get it twice', async () => {
    const phone = '4915112345675';
    const { event } = await hello(phone, 'sent');
    const unasked = await hookbell(`replay ${event}`);
    expect(unasked.code).toBe(2);
    expect(unasked.stdout).toMatch(new RegExp(`sent +1 message: hello to ${phone}\n`));
    expect(unasked.stderr).toContain('Replay everything again, including 1 sent message?');
    expect(await refused(`replay ${event} --route helo --yes`)).toContain('did you mean `hello`?');
    expect(await refused(`replay ${event} --failed`)).toContain('nothing was replayed');
    const [source] = Object.values(OPEN_SET.sources);
    const routes = source?.routes.map((one) => ({ ...one, send: { kind: 'text', message: 'Again' } }));
    await admin('PUT', '/sources/open', { ...source, routes });
    const shape = z.object({ replay_of: z.string(), messages: z.array(z.string()) });
    const { replay_of, messages } = await json(`replay ${event} --yes`, shape);
    expect(replay_of).toBe(event);
    await untilState(messages[0] ?? '', 'sent');
    expect(await phoneTexts(phone)).toEqual(['Hello Ada', 'Again']);
    expect(await shown(`replay ${event} --yes`)).toContain(`replays ${event}: 1 message`);
  });

  it('sends a message by hand, and waits for it when asked to', async () => {
    const to = '--to 4915112345676';
    const sent = await shown('send "By *hand*" --to "+49 151 12345676" --wait');
    expect(sent).toMatch(/^msg_\S+ to 4915112345676 is sent\n$/);
    expect(await phoneTexts('4915112345676')).toEqual(['By *hand*']);
    await scriptGateway({ failure: 'status', status: 400, match: { phone: '4915112345676' } });
    expect(await refused(`send no ${to} --wait`)).toMatch(/^hookbell: msg_\S+ was not sent: .*400/);
    const shape = z.object({ kind: z.string(), params: z.record(z.string(), z.string()) });
    const poll = await json(`send Lunch? --kind poll --option Yes --option No ${to}`, shape);
    expect(poll).toMatchObject({ kind: 'poll', params: { options: 'Yes,No' } });
    const params = { image_url: 'https://example.com/a.png', caption: 'Look=here' };
    const image = `send ${params.image_url} --kind image ${to} -p caption=Look=here`;
    expect(await json(image, shape)).toMatchObject({ params });
    const national = await json('send x --to "0151 12345676" --country de', z.object({ phone: z.string() }));
    expect(national.phone).toBe('4915112345676');
    expect(await json('send Closed --kind status', shape)).toMatchObject({ kind: 'status' });
  });

  it('says what is wrong with a command, in one line', () => {
    const to = '--to 4915112345676';
    return expectRefused([
      ['send x', 2, 'who gets it? Give --to "+49 151 12345678"'],
      [`send ${to}`, 2, 'text needs its message'],
      ['send x --kind txt --to 1', 2, 'no kind `txt`; did you mean `text`?'],
      [`send x --kind poll ${to}`, 2, 'a poll needs options'],
      [`send x ${to} -p nothing`, 2, '--param must be name=value'],
      ['send x --to "0151 12345676"', 2, /write \+4915112345676, or add --country DE$/m],
      [`send x ${to} -p mesage=x`, 1, 'mesage: unknown key `mesage`; did you mean `message`?'],
      ['messages --phone "0151 12345676"', 2, /--phone: .*has no country code: begin with it/],
      ['retry --state dead --phone Ada', 2, '--phone: '],
      ['cancel --phone "+49 151 1234567890123" --yes', 2, /--phone: .*too long for a phone number/],
      ['retry', 2, 'which messages?'],
      ['cancel --state queud --yes', 1, 'did you mean `queued`?'],
      ['retry msg_0000000000000000 --state dead', 2, 'either the id'],
      ['replay', 2, 'which events?'],
      ['replay --all --text abc', 2, 'either --all'],
      ['replay evt_00000000000000000000000000 --all', 2, 'either the id'],
      ['pause defalt', 1, 'there is no account `defalt`; did you mean `default`?'],
    ]);
  });
});

const NOT_BEFORE = String.raw`its receiver is at its hourly limit of 1; not before [\d-]*\s?\d\d:\d\d(:\d\d)? \(in \d+ min\)`;

it('a message that waits for its receiver’s hour is waited for by `send --wait`, which says at once that it takes long, and leaves it in the queue', async () => {
  const perHour = { rate: false, per_recipient: { per_hour: 1 }, retry: ['1h'] };
  await publish({ ...OPEN_SET, accounts: { default: perHour } });
  const phone = '4915199990002';
  await hello(phone, 'sent');
  const { child, done, written } = start(`send x --to ${phone} --wait`);
  await until(() => written().stderr.includes('Ctrl-C'), 'it says what it waits for');
  child.kill('SIGINT');
  const { stdout, stderr } = await done;
  const id = /msg_\w+/.exec(stderr)?.[0] ?? '';
  expect(stdout).toBe('');
  const queued = new RegExp(`^${id} is queued: ${NOT_BEFORE}. Ctrl-C leaves it in the queue$`, 'm');
  expectSays(stderr, queued, `${id} stays in the queue`);
  await admin('POST', `/messages/${id}/cancel`);
});

const failing = (phone: string, status: number, body: string) =>
  scriptGateway({ failure: 'status', status, body, match: { phone } });

it('what the gateway said is in the list in its words, and in the details whole; a secret that it repeats is shown to nobody', async () => {
  const phone = '4915199990005';
  await publish();
  const body = '{"success":false,"message":"no such number","code":17}';
  await failing(phone, 400, body);
  const { message } = await hello(phone, 'dead');
  const reason = 'the gateway answered 400: it rejects this call (“no such number”)';
  expect(await shown(`messages --phone ${phone}`)).toContain(reason);
  const detail = await shown(`messages ${message}`);
  expectSays(detail, reason, `ANSWER TO ATTEMPT 1\n${body}\n`);
  await scriptGateway({ failure: 'echo_secret', status: 400, match: { phone } });
  const secret = await shown(`messages ${(await hello(phone, 'dead')).message}`);
  expect(secret).toContain('ANSWER TO ATTEMPT 1');
  expect(secret).not.toContain('gateway-key-of-the-tests');
});
