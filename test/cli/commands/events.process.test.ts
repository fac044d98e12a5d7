import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hookbell, json, post, publish, untilState } from '../support.ts';

const list = z.object({ items: z.array(z.object({ id: z.string() })), next_cursor: z.string().nullable() });

describe('events, messages and rejections', () => {
  let event: string;
  let message: string;

  beforeAll(async () => {
    await publish();
    const posted = await post('open', {
      name: 'Ada',
      phone: '0151 12345671',
      note: '\u001b[2Jcleared\u202e',
    });
    event = posted.event;
    message = posted.messages[0] ?? '';
    await post('open', { name: 'nobody' });
    await untilState(message, 'sent');
  });

  it('lists events in lines of at most 80 columns', async () => {
    const { code, stdout } = await hookbell(['events'], { columns: 80 });
    expect(code).toBe(0);
    const lines = stdout.split('\n');
    expect(lines.slice(0, 2).join('\n')).toMatch(
      /^RECEIVED +EVENT +SOURCE +STATE +TYPE +SUBJECT\n? +REASON$/,
    );
    expect(lines.some((line) => line.includes(event) && line.includes('routed'))).toBe(true);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('shows an event with its payload and messages, and never lets a payload speak to the terminal', async () => {
    const { code, stdout } = await hookbell(['events', event]);
    expect(code).toBe(0);
    expect(stdout).toContain('"name": "Ada"');
    expect(stdout).toContain(message);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toContain('\u202e');
    const raw = await hookbell(['events', event, '--json']);
    expect(raw.stdout).not.toContain('\u202e');
    expect(JSON.parse(raw.stdout)).toMatchObject({ payload: { note: '\u001b[2Jcleared\u202e' } });
  });

  it('colours states on request, and only by its own hand', async () => {
    const { stdout } = await hookbell(['messages', message], { env: { FORCE_COLOR: '1' } });
    expect(stdout).toContain('\u001b[32msent\u001b[39m');
    expect(stdout).not.toContain('\\u001b');
  });

  it('narrows a list down, and goes on where a page ended', async () => {
    const unmatched = await json(['events', '--state', 'unmatched', '--source', 'open'], list);
    expect(unmatched.items.map(({ id }) => id)).not.toContain(event);
    const page = await json(['events', '--limit', '1'], list);
    expect(page.items).toHaveLength(1);
    const next = await json(['events', '--limit', '1', '--cursor', page.next_cursor ?? ''], list);
    expect(next.items[0]?.id).not.toBe(page.items[0]?.id);
    expect((await hookbell(['events', '--limit', '1'])).stderr).toContain('more: --cursor');
  });

  it('lists messages, and shows one with its attempts', async () => {
    for (const phone of ['+49 151 12345671', '+49 (0)151 12345671', '0049 151 12345671', '4915112345671']) {
      const all = await hookbell(['messages', '--phone', phone]);
      expect(all.stdout).toMatch(new RegExp(`${message} +sent +4915112345671 +text +Hello Ada`));
    }
    const one = await hookbell(['messages', message]);
    expect(one.stdout).toMatch(/TRY +AT +TOOK +OUTCOME +STATUS +DETAIL/);
    expect(one.stdout).toMatch(/1 +\S+ +\d+ ms +sent +200/);
    expect(await json(['messages', message], z.object({ id: z.string() }))).toEqual({ id: message });
  });

  it('lists nothing as nothing', async () => {
    expect(await hookbell(['events', '--source', 'never'])).toMatchObject({ code: 0, stdout: 'no events\n' });
    expect(await hookbell(['messages', '--source', 'never'])).toMatchObject({
      code: 0,
      stdout: 'no messages\n',
    });
  });

  it('says why an event failed or matched nothing, whole in the list and by route with the event', async () => {
    const failed = await post('open', { name: 'Ada', phone: '0151' });
    const unmatched = await post('open', { name: 'nobody' });
    const reason = /route `hello`, parameter `to` .*: .*is not a valid phone number in DE, nor an/;
    const { stdout } = await hookbell(['events']);
    expect(stdout).toMatch(new RegExp(`${failed.event} +open +failed +– +Ada +${reason.source}`));
    expect(stdout).toMatch(new RegExp(`${unmatched.event} +open +unmatched +– +nobody +no route matched`));
    const narrow = await hookbell(['events'], { columns: 50 });
    expect(narrow.stdout.replaceAll(/\s+/g, ' ')).toMatch(reason);
    expect((await hookbell(['events', failed.event])).stdout).toMatch(reason);
    const one = (await hookbell(['events', unmatched.event])).stdout;
    expect(one).toMatch(/^reason +no route matched$/m);
    expect(one).toMatch(/ROUTES, AS THEY ARE NOW\nnot matched {2}hello\n/);
  });

  it('lists what was refused, and why; and shows one with who sent it and what to do', async () => {
    await hookbell(['push', 'demo', '--yes']);
    await expect(post('alerts', {}, { 'user-agent': 'Prometheus/3' })).rejects.toThrow('401');
    const { code, stdout } = await hookbell(['rejections']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\d+ +\S+ +alerts +401 +missing_header +header \S+ is missing/);
    const [, n = ''] = /^ *(\d+) +\S+ +alerts/m.exec(stdout) ?? [];
    const one = (await hookbell(['rejections', n])).stdout;
    expect(one).toMatch(new RegExp(`^rejection +${n}$`, 'm'));
    expect(one).toMatch(/^sent by +.*, which calls itself "Prometheus\/3"$/m);
    expect(one).toMatch(/^what to do +Check that the source has the right provider/m);
    expect(await json(['rejections', n], z.object({ n: z.number() }))).toEqual({ n: Number(n) });
    expect(
      (await json(['rejections', '-n', '1'], z.object({ items: z.array(z.unknown()) }))).items,
    ).toHaveLength(1);
  });

  it.each([
    [
      ['events', 'evt_00000000000000000000000000'],
      1,
      'hookbell: there is no event `evt_00000000000000000000000000`\n',
    ],
    [['messages', 'msg_0000000000000000'], 1, 'hookbell: there is no message `msg_0000000000000000`\n'],
    [['events', 'msg_0000000000000000'], 1, /is a message: `\S+ npx hookbell messages msg_/],
    [['messages', 'evt_1'], 1, /is an event: `\S+ npx hookbell events evt_1/],
    [['events', '../config'], 1, /is not the id of an event/],
    [
      ['events', '--state', 'faild'],
      1,
      /state: must be one of routed, partly_failed, unmatched, failed; did you mean `failed`\?/,
    ],
    [['rejections', '999999'], 1, /there is no rejection `999999`/],
    [['rejections', 'stripe'], 2, /must be a whole number/],
    [['events', '--since', 'yesterday'], 1, /since: must be a time such as/],
    [['events', '--limit', '0'], 2, /must be a whole number from 1 to 200/],
    [['events', '--cursor', 'nonsense'], 1, /`cursor` must be a `next_cursor`/],
  ])('says what is wrong with %j', async (args, exit, message) => {
    const { code, stdout, stderr } = await hookbell(args);
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(stderr.trim().split('\n')).toHaveLength(1);
    if (typeof message === 'string') expect(stderr).toBe(message);
    else expect(stderr).toMatch(message);
  });
});
