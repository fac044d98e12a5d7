import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '../../src/outbox/read/read.ts';
import type { EventSummary } from '../../src/outbox/answers/api-event.ts';
import type { MessageView } from '../../src/outbox/answers/api-message.ts';
import { MAX_MESSAGES_PER_ROUTE } from '../../src/ingest/routing/allowance.ts';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { lookUntil } from '../eventually.ts';
import { LARGE_CONFIG, LARGE_INPUTS, type LargeInput } from './largest-inputs.ts';
import { HEAP_MIB } from './platform.ts';
import { startRelay, type Relay } from './relay.ts';

/** Far more than fit into the memory of an isolate together. */
const AT_ONCE = 24;

/** Nothing listens there: the account is paused anyway. */
const GATEWAY = 'http://127.0.0.1:9/api';

const post = (relay: Relay, { source, contentType, body }: LargeInput, n: number): Promise<Response> =>
  fetch(`${relay.url}/hooks/${source}`, {
    method: 'POST',
    headers: { 'content-type': contentType },
    body: body(n),
  });

/** Posts until it is not asked to come again; the last answer's status, and whether it was a duplicate's: `202 false`. */
async function deliver(relay: Relay, input: LargeInput, n: number): Promise<string> {
  const tried = async (): Promise<string> => {
    const response = await post(relay, input, n);
    if (response.status === 503) expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    if (response.status !== 202) return `${response.status} ${await response.text()}`;
    const { duplicate } = await response.json<{ duplicate: boolean }>();
    return `202 ${String(duplicate)}`;
  };
  return lookUntil(tried, (answer) => !answer.startsWith('503 '), { eachMs: 20 });
}

describe(`the largest bodies, ${AT_ONCE} at once, under a heap of ${HEAP_MIB} MB`, () => {
  const storeDir = mkdtempSync(join(tmpdir(), 'hookbell-large-'));
  let relay: Relay;
  beforeAll(async () => {
    relay = await startRelay(inject('bundles'), GATEWAY, storeDir, true);
    await relay.publish(LARGE_CONFIG);
    await relay.admin('POST', '/accounts/default/pause');
  }, 60_000);
  afterAll(async () => {
    await relay.kill();
    rmSync(storeDir, { recursive: true });
  });

  it.each(LARGE_INPUTS)('$name: each is taken once, in the end, and the process lives', async (input) => {
    const numbers = Array.from({ length: AT_ONCE }, (_, n) => n + AT_ONCE * LARGE_INPUTS.indexOf(input));
    const answers = await Promise.all(numbers.map((n) => deliver(relay, input, n)));
    expect(answers).toEqual(numbers.map(() => '202 false'));
    expect(await fetch(`${relay.url}/health`)).toMatchObject({ status: 200 });
  });

  it('are all stored, and listed', async () => {
    let events = 0;
    for (let cursor = ''; ;) {
      const response = await relay.admin('GET', `/events?limit=200${cursor}`);
      const page = await response.json<Page<EventSummary>>();
      events += page.items.length;
      if (page.next_cursor === null) break;
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
    expect(events).toBe(AT_ONCE * LARGE_INPUTS.length);
  });

  it('make messages that can be shown: a list by its pages, an event with as many as one answer carries', async () => {
    const messages = await relay.admin('GET', '/messages?limit=200&source=many');
    const { items } = await messages.json<Page<MessageView>>();
    expect(items.length).toBeGreaterThan(100);
    const event = await relay.admin('GET', `/events/${items[0]?.event ?? ''}`);
    const shown = await event.json<{ messages: readonly MessageView[]; messages_left_out?: number }>();
    expect(shown.messages.length + (shown.messages_left_out ?? 0)).toBe(MAX_MESSAGES_PER_ROUTE);
  });
});
