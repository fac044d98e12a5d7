import { connect } from 'cloudflare:sockets';
import { expect, it } from 'vitest';
import { classifyFetchError, canReach } from '../../src/gateway/client.ts';

/** A port that nobody listens on. */
const CLOSED = 'http://127.0.0.1:1/';

/** The outcome of the error that a real fetch() throws. */
async function outcomeOf(url: string, signal?: AbortSignal) {
  try {
    await fetch(url, { method: 'POST', body: 'a=b', ...(signal && { signal }) });
  } catch (error) {
    return classifyFetchError(error);
  }
  throw new Error(`${url} answered`);
}

it('a call of the platform that fails before any I/O was surely not sent; to a closed port it is uncertain, as is a connection lost after the request', async () => {
  for (const url of ['no address', 'http://127.0.0.1:99999/', 'ftp://127.0.0.1/'])
    expect([url, (await outcomeOf(url)).outcome]).toEqual([url, 'unreachable']);
  expect(await outcomeOf(CLOSED)).toEqual({ outcome: 'uncertain', code: 'no-answer' });
  expect(await canReach(new URL(CLOSED), { connect, fetch, timeoutMs: 60_000 })).toBe(false);
});

it('a call of the platform that timed out is uncertain', async () => {
  const timeout = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
  const late = { code: 'no-answer', params: { cause: 'timed-out' } };
  expect(await outcomeOf(CLOSED, AbortSignal.abort(timeout))).toMatchObject(late);
});
