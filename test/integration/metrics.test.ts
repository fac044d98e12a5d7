import { env, exports } from 'cloudflare:workers';
import { evictDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { parseExposition } from '../metrics/exposition.ts';
import { admin, isSent, message, post, postJson, publish, script, UNPACED } from './relay.ts';

const PHONE = '4915112357001';
const send = { kind: 'text', message: 'hello' };

async function scrape() {
  const headers = { authorization: 'Bearer admin-token-of-the-tests' };
  return parseExposition(
    await (await exports.default.fetch('https://relay.example/metrics', { headers })).text(),
  );
}

/** The value with these labels; undefined when there is no such line. */
async function value(name: string, labels: Readonly<Record<string, string>>): Promise<number | undefined> {
  const lines = (await scrape()).get(name.replace(/_(sum|count)$/, ''))?.lines;
  return lines?.find(
    (line) =>
      line.name === name && Object.entries(labels).every(([label, text]) => line.labels[label] === text),
  )?.value;
}

beforeAll(() =>
  publish({
    accounts: { default: { ...UNPACED, retry: ['100ms'] } },
    sources: {
      form: {
        verify: { scheme: 'none' },
        dedupe: { key: '{{ payload.id }}' },
        routes: [
          { name: 'all', when: 'payload.phone', to: '{{ payload.phone }}', send },
          { name: 'nobody', when: 'payload.nobody', to: '{{ payload.nobody }}', send },
        ],
      },
      signed: { verify: { scheme: 'token', in: 'header', name: 'X-Token' }, secrets: ['HOOK_SECRET'] },
    },
  }),
);

describe('what was counted', () => {
  it('is what happened, and survives an eviction', async () => {
    await script(PHONE, { failure: 'status', status: 500 });
    const accepted = await postJson('form', { id: '1', phone: `+${PHONE}` });
    const { messages } = await accepted.json<{ messages: string[] }>();
    await message(messages[0] ?? '', isSent);
    await postJson('form', { id: '1', phone: `+${PHONE}` });
    await postJson('form', { id: '2' });
    await postJson('form', { id: '3', nobody: 'a stranger' });
    await post('signed', '{}', { 'x-token': 'wrong', 'content-type': 'application/json' });
    await eventually(async () =>
      expect(await value('hookbell_rejections_total', { source: 'signed', reason: 'mismatch' })).toBe(1),
    );

    await evictDurableObject(env.OUTBOX.getByName('default'));
    await evictDurableObject(env.REGISTRY.getByName('registry'));
    const form = { source: 'form', account: 'default' };
    expect(await value('hookbell_events_total', { ...form, state: 'routed' })).toBe(1);
    expect(await value('hookbell_events_total', { ...form, state: 'unmatched' })).toBe(1);
    expect(await value('hookbell_events_total', { ...form, state: 'failed' })).toBe(1);
    expect(await value('hookbell_event_duplicates_total', form)).toBe(1);
    expect(await value('hookbell_rejections_total', { source: 'signed', reason: 'mismatch' })).toBe(1);
    expect(await value('hookbell_messages_total', { ...form, state: 'queued' })).toBe(1);
    expect(await value('hookbell_messages_total', { ...form, state: 'retrying' })).toBe(1);
    expect(await value('hookbell_messages_total', { ...form, state: 'sent' })).toBe(1);
    expect(await value('hookbell_attempts_total', { outcome: 'server_error' })).toBe(1);
    expect(await value('hookbell_attempts_total', { outcome: 'sent' })).toBe(1);
    expect(await value('hookbell_attempt_duration_seconds_count', { outcome: 'sent' })).toBe(1);
    expect(await value('hookbell_message_latency_seconds_count', {})).toBe(1);
    expect(await value('hookbell_message_latency_seconds_sum', {})).toBeGreaterThanOrEqual(0.08);
    expect(await value('hookbell_queue_messages', { state: 'queued' })).toBe(0);
    expect(await value('hookbell_account_up', {})).toBe(1);
  });

  it('shows a paused account, its queue, and how long that waits', async () => {
    await admin('POST', '/accounts/default/pause');
    const waiting = await postJson('form', { id: '4', phone: `+${PHONE}` });
    const { messages } = await waiting.json<{ messages: string[] }>();
    await eventually(async () => {
      expect(await value('hookbell_account_paused', {})).toBe(1);
      expect(await value('hookbell_queue_messages', { state: 'queued' })).toBe(1);
      expect(await value('hookbell_queue_oldest_seconds', { state: 'queued' })).toBeGreaterThan(0);
    });
    await admin('POST', `/messages/${messages[0] ?? ''}/cancel`);
    await admin('POST', '/accounts/default/resume');
    expect(await value('hookbell_account_paused', {})).toBe(0);
    expect(await value('hookbell_messages_total', { source: 'form', state: 'cancelled' })).toBe(1);
  });

  it('has what a person sent by hand under a name of its own', async () => {
    const { body } = await admin<{ id: string }>('POST', '/messages', { to: PHONE, ...send });
    await message(body.id, isSent);
    expect(await value('hookbell_messages_total', { source: '_admin', state: 'sent' })).toBe(1);
  });
});
