import { describe, expect, it } from 'vitest';
import { classifyFetchError } from '../../src/gateway/fetch-error.ts';

/** The error that a real fetch() to `url` throws. */
async function thrownBy(url: string, signal?: AbortSignal): Promise<unknown> {
  try {
    await fetch(url, { method: 'POST', body: 'a=b', ...(signal && { signal }) });
  } catch (error) {
    return error;
  }
  throw new Error(`${url} answered`);
}

describe('classifyFetchError', () => {
  it.each(['no address', 'http://127.0.0.1:99999/', 'ftp://127.0.0.1/'])(
    'what fails before any I/O was surely not sent: %s',
    async (url) => {
      expect(classifyFetchError(await thrownBy(url)).outcome).toBe('unreachable');
    },
  );

  it('a refused connection is uncertain, since a connection lost after the request looks the same', async () => {
    expect(classifyFetchError(await thrownBy('http://127.0.0.1:1/'))).toEqual({
      outcome: 'uncertain',
      detail: 'the connection was lost; the gateway may have received the call',
    });
  });

  it('a call that timed out is uncertain', async () => {
    const aborted = AbortSignal.abort(
      new DOMException('The operation was aborted due to timeout', 'TimeoutError'),
    );
    expect(classifyFetchError(await thrownBy('http://127.0.0.1:1/', aborted))).toEqual({
      outcome: 'uncertain',
      detail: 'no answer in time; the gateway may have received the call',
    });
  });

  it.each([
    new Error('internal error; reference = abc'),
    new Error(''),
    'text',
    null,
    undefined,
    { message: 'Invalid URL' },
  ])('anything unknown is uncertain: %s', (thrown) => {
    expect(classifyFetchError(thrown).outcome).toBe('uncertain');
  });

  it('does not quote the error, which may hold an address', () => {
    const { detail } = classifyFetchError(new TypeError('Invalid URL: https://user:pass@x.example:99999'));
    expect(detail).toBe('the base URL is not an address');
  });
});
