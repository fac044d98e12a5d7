import { createHash } from 'node:crypto';
import { Script } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { LOGIN, TEXT, startBench, type Bench } from './harness.ts';

const contentOf = (html: string, tag: 'script' | 'style') =>
  new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(html)?.[1] ?? '';
const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('the page lets only its own script and style run, loads nothing, and never turns text into markup', async () => {
  const { simulator } = await startBench();
  const answer = await fetch(`${simulator.url}/`);
  const html = await answer.text();
  const script = contentOf(html, 'script');
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  expect(policy).toContain(`script-src ${sha256(script)};`);
  expect(policy).toContain(`style-src ${sha256(contentOf(html, 'style'))};`);
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).not.toMatch(/\bsrc=|@import|url\(|href="(?!#|data:)/);
  expect(() => new Script(script)).not.toThrow();
  expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|eval\(/);
  const head = await fetch(`${simulator.url}/`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  const post = await fetch(`${simulator.url}/`, { method: 'POST' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

interface Update {
  readonly event: string;
  readonly data: unknown;
}

/** Returns what gives the next event of the stream that a page follows. */
async function follow(bench: Bench): Promise<() => Promise<Update | void>> {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const { body } = await fetch(`${bench.simulator.url}/_control/events`, { signal: stop.signal });
  if (body === null) throw new Error('the stream has no body');
  const updates = updatesIn(body.pipeThrough(new TextDecoderStream()));
  return async () => (await updates.next()).value;
}

async function* updatesIn(stream: ReadableStream<string>): AsyncGenerator<Update, void> {
  let text = '';
  for await (const chunk of stream) {
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) };
    }
  }
}

const shown = (id: number, preview: string) => ({ event: 'bubble', data: { bubble: { id, preview } } });

test('a page gets what there is, then what comes, then the reset, and never a credential', async () => {
  const bench = await startBench();
  await bench.call('/send-message.php', TEXT);
  const next = await follow(bench);
  expect(await next()).toMatchObject({ event: 'reset', data: { totals: { total: 1 } } });
  const first = await next();
  expect(first).toMatchObject(shown(1, 'Hello'));
  expect(JSON.stringify(first)).not.toContain(LOGIN.api_key);
  await bench.call('/send-message.php', { ...TEXT, message: 'Again' });
  expect(await next()).toMatchObject({ ...shown(2, 'Again'), data: { totals: { total: 2 } } });
  await bench.control('DELETE', '/calls');
  expect(await next()).toMatchObject({ event: 'reset', data: { totals: { total: 0 } } });
});
