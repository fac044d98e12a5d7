import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hookbell, json, post, publish, untilState } from '../support.ts';

const found = z.object({
  messages: z.array(z.object({ id: z.string() })),
  events: z.array(z.object({ id: z.string(), why: z.string().optional() })),
});

describe('search', () => {
  let sent: { readonly event: string; readonly messages: readonly string[] };

  beforeAll(async () => {
    await publish();
    sent = await post('open', { name: 'Ada', phone: '0151 12345677' });
    await untilState(sent.messages[0] ?? '', 'sent');
  });

  it('finds a number in whatever spelling, in what was sent and in what was received', async () => {
    for (const spelling of ['+49 151 123 456 77', '0151/12345677']) {
      const { messages, events } = await json(['search', spelling], found);
      expect(messages.map(({ id }) => id)).toEqual(sent.messages);
      expect(events.map(({ id }) => id)).toEqual([sent.event]);
    }
    const { code, stdout } = await hookbell(['search', '015112345677'], { columns: 80 });
    expect(code).toBe(0);
    expect(stdout).toContain(sent.messages[0]);
    expect(stdout).toContain(sent.event);
  });

  it('says why nothing was sent', async () => {
    const { event } = await post('open', { name: 'Ben', phone: '0151 12', note: 'call 0151 98765432' });
    const { stdout } = await hookbell(['search', '0151 98765432'], { columns: 200 });
    expect(stdout).toContain(event);
    expect(stdout).toContain('is not a valid phone number in DE');
  });

  it('says so when there is nothing, and refuses what is no number', async () => {
    const none = await hookbell(['search', '+49 151 00000001']);
    expect(none).toMatchObject({ code: 0, stdout: 'no message, event or rejection contains this number\n' });
    const wrong = await hookbell(['search', 'Ada']);
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain('at least 6 digits');
  });
});
