import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { widest, expectSays } from '../offline.ts';
import { post, publish, untilState } from '../relay.ts';
import { expectRefused, hookbell, json, relayUrl, shown } from '../support.ts';

const items = z.array(z.object({ id: z.string() }));

describe('events, messages and rejections', () => {
  let event: string;
  let message: string;

  beforeAll(async () => {
    await publish();
    const note = '\u001b[2Jcleared\u202e';
    const posted = await post('open', { name: 'Ada', phone: '0151 12345671', note });
    event = posted.event;
    message = posted.messages[0] ?? '';
    await post('open', { name: 'nobody' });
    await untilState(message, 'sent');
  });

  it('are listed in lines of at most 80 columns, and nothing as nothing', async () => {
    const stdout = await shown('events', { columns: 80 });
    expect(stdout).toMatch(/^RECEIVED +EVENT +SOURCE +STATE +TYPE +SUBJECT\n? +REASON\n/);
    expect(stdout).toMatch(new RegExp(`^.*${event}.*routed`, 'm'));
    expect(widest(stdout)).toBeLessThanOrEqual(80);
    expect(await shown('events --source never')).toBe('no events\n');
    expect(await shown('messages --source never')).toBe('no messages\n');
  });

  it('are shown with payload and messages, and a payload never speaks to the terminal', async () => {
    const stdout = await shown(`events ${event}`);
    expectSays(stdout, '"name": "Ada"', message);
    for (const text of ['\u001b', '\u202e']) expect(stdout).not.toContain(text);
    const raw = await shown(`events ${event} --json`);
    expect(raw).not.toContain('\u202e');
    expect(JSON.parse(raw)).toMatchObject({ payload: { note: '\u001b[2Jcleared\u202e' } });
    const coloured = await shown(`messages ${message}`, { env: { FORCE_COLOR: '1' } });
    expect(coloured).toContain('\u001b[32msent\u001b[39m');
    expect(coloured).not.toContain('\\u001b');
  });

  it('are found by a number in whatever spelling, and a message is shown with its attempts', async () => {
    const line = new RegExp(`${message} +sent +4915112345671 +text +Hello Ada`);
    for (const phone of ['+49 (0)151 12345671', '0049 151 12345671', '4915112345671'])
      expect(await shown(['messages', '--phone', phone])).toMatch(line);
    const one = await shown(`messages ${message}`);
    expectSays(one, /TRY +AT +TOOK +OUTCOME +STATUS +DETAIL/, /1 +\S+ +\d+ ms +sent +200/);
    expect(await json(`messages ${message}`, z.object({ id: z.string() }))).toEqual({ id: message });
  });

  it('say why an event failed or matched nothing, whole in the list and by route with the event', async () => {
    const failed = await post('open', { name: 'Ada', phone: '0151' });
    const unmatched = await post('open', { name: 'nobody' });
    const reason = /route `hello`, parameter `to` .*: .*is not a valid phone number in DE, nor an/;
    const stdout = await shown('events');
    expect(stdout).toMatch(new RegExp(`${failed.event} +open +failed +– +Ada +${reason.source}`));
    expect(stdout).toMatch(new RegExp(`${unmatched.event} +open +unmatched +– +nobody +no route matched`));
    expect((await shown('events', { columns: 50 })).replaceAll(/\s+/g, ' ')).toMatch(reason);
    expect(await shown(`events ${failed.event}`)).toMatch(reason);
    const one = await shown(`events ${unmatched.event}`);
    expectSays(one, /^reason +no route matched$/m, /ROUTES, AS THEY ARE NOW\nnot matched {2}hello\n/);
  });

  it('say what was refused, and why; and one with who sent it and what to do', async () => {
    await hookbell('push examples/demo --yes');
    await expect(post('alerts', {}, { 'user-agent': 'Prometheus/3' })).rejects.toThrow('401');
    const stdout = await shown('rejections');
    expect(stdout).toMatch(/\d+ +\S+ +alerts +401 +missing_header +header \S+ is missing/);
    const [, n = ''] = /^ *(\d+) +\S+ +alerts/m.exec(stdout) ?? [];
    const one = await shown(`rejections ${n}`);
    expectSays(
      one,
      /^sent by +.*, which calls itself "Prometheus\/3"$/m,
      /^what to do +Check that the source/m,
    );
    expect(await json(`rejections ${n}`, z.object({ n: z.number() }))).toEqual({ n: Number(n) });
    await expect(post('alerts', {}, { authorization: 'Bearer wrong' })).rejects.toThrow('401');
    const wrong = await shown(`rejections ${Number(n) + 1}`);
    expectSays(wrong, /^what to do +Copy .*\(put it into \.dev\.vars and restart/m);
  });

  it('that are not there, or are asked for wrongly, are one line', () =>
    expectRefused([
      ['events evt_00000000000000000000000000', 1, /^hookbell: there is no event `evt_0+`\n$/],
      ['messages msg_0000000000000000', 1, /^hookbell: there is no message `msg_0+`\n$/],
      ['events msg_0000000000000000', 1, /is a message: `\S+ npx hookbell messages msg_/],
      ['messages evt_1', 1, /is an event: `\S+ npx hookbell events evt_1/],
      ['events ../config', 1, 'is not the id of an event'],
      ['events --state faild', 1, 'partly_failed, unmatched, failed; did you mean `failed`?'],
      ['rejections 999999', 1, 'there is no rejection `999999`'],
      ['rejections stripe', 2, 'must be a whole number'],
      ['events --since yesterday', 1, 'since: must be a time such as'],
      ['events --limit 0', 2, 'must be a whole number from 1 to 200'],
      ['events --cursor nonsense', 1, 'cursor: must be the `next_cursor`'],
    ]));
});

const found = z.object({ messages: items, events: items });

it('search finds a number in whatever spelling, in what was sent and received, and says why nothing was sent', async () => {
  await publish();
  const sent = await post('open', { name: 'Ada', phone: '0151 12345677' });
  await untilState(sent.messages[0] ?? '', 'sent');
  const { messages, events } = await json(['search', '+49 151 123 456 77'], found);
  expect([messages, events]).toEqual([sent.messages.map((id) => ({ id })), [{ id: sent.event }]]);
  expectSays(await shown('search 0151/12345677', { columns: 80 }), sent.event, ...sent.messages);
  const { event } = await post('open', { name: 'Ben', phone: '0151 12', note: 'call 0151 98765432' });
  const failed = await shown('search "0151 98765432"', { columns: 200 });
  expectSays(failed, event, 'is not a valid phone number in DE');
});

const signIn = (code: string): Promise<Response> =>
  fetch(`${relayUrl()}/admin/api/v1/session`, { method: 'POST', body: JSON.stringify({ code }) });

it('console prints the address, and a link that signs in once', async () => {
  const [, code = ''] = /\/admin#code=(.*)$/m.exec(await shown('console')) ?? [];
  expect((await signIn(code)).headers.get('set-cookie')).toMatch(/^hookbell=/);
  expect((await signIn(code)).status).toBe(401);
  const link = await json('console', z.object({ code: z.string(), url: z.string() }));
  expect(link.url).toBe(`${relayUrl()}/admin#code=${link.code}`);
  await expectRefused([['console', 1, 'refuses the token in HOOKBELL_TOKEN']], () => ({
    env: { HOOKBELL_TOKEN: 'wrong-token-0123456789' },
  }));
});
