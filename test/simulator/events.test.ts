import { expect, onTestFinished, test } from 'vitest';
import { LOGIN, TEXT, startBench } from './harness.ts';
import type { Bench } from './harness.ts';

interface Update {
  readonly event: string;
  readonly data: unknown;
}

/** The stream's events, as they come. */
async function* follow(bench: Bench): AsyncGenerator<Update, void> {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const response = await fetch(`${bench.simulator.url}/_control/events`, { signal: stop.signal });
  if (!response.body) throw new Error('The stream has no body');
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) };
    }
  }
}

const next = async (stream: AsyncGenerator<Update, void>) => (await stream.next()).value;

test('a new page gets what there is, then what comes, then the reset', async () => {
  const bench = await startBench();
  await bench.call('/send-message.php', TEXT);
  const stream = follow(bench);
  expect(await next(stream)).toMatchObject({ event: 'reset', data: { totals: { total: 1 } } });
  expect(await next(stream)).toMatchObject({
    event: 'bubble',
    data: { bubble: { id: 1, preview: 'Hello' } },
  });
  await bench.call('/send-message.php', { ...TEXT, message: 'Again' });
  expect(await next(stream)).toMatchObject({
    event: 'bubble',
    data: { bubble: { id: 2, preview: 'Again' }, totals: { total: 2 } },
  });
  await bench.control('DELETE', '/calls');
  expect(await next(stream)).toMatchObject({ event: 'reset', data: { totals: { total: 0 } } });
});

test('a call with nothing but a login is no message, and no page shows it', async () => {
  const bench = await startBench();
  expect((await bench.call('/send-poll.php', LOGIN)).status).toBe(400);
  const stream = follow(bench);
  await next(stream);
  expect((await bench.call('/send-poll.php', LOGIN)).status).toBe(400);
  expect((await bench.call('/send-message.php', { ...LOGIN, phone: TEXT.phone })).status).toBe(400);
  expect(await next(stream)).toMatchObject({ event: 'bubble', data: { bubble: { id: 3 } } });
});

test('no credential is streamed', async () => {
  const bench = await startBench();
  await bench.call('/send-message.php', TEXT);
  const stream = follow(bench);
  const updates = [await next(stream), await next(stream)];
  expect(updates).toHaveLength(2);
  expect(JSON.stringify(updates)).not.toContain(LOGIN.api_key);
});

test('a page that leaves does not disturb the calls', async () => {
  const bench = await startBench();
  const stop = new AbortController();
  const response = await fetch(`${bench.simulator.url}/_control/events`, { signal: stop.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  stop.abort();
  expect((await bench.call('/send-message.php', TEXT)).status).toBe(200);
});
