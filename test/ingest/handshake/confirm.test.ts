import { afterEach, expect, it, vi } from 'vitest';
import { confirm } from '../../../src/ingest/handshake.ts';
import { SNS_HOST } from '../../../src/signature/schemes/rsa.ts';
import { hanging, serverOf } from '../../signature/rsa-support.ts';

const ADDRESS = 'https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&Token=2336412f37';

const answering = (status: number, headers: Record<string, string> = {}) =>
  serverOf(() => new Response(status === 204 ? null : '<ok/>', { status, headers }));

afterEach(() => {
  vi.useRealTimers();
});

it('confirming a subscription calls the address that the provider gave, and follows no redirect', async () => {
  const { calls, fetch } = answering(200);
  expect(await confirm(ADDRESS, SNS_HOST, { fetch })).toEqual({ ok: true, value: undefined });
  expect(calls).toMatchObject([{ url: ADDRESS, init: { redirect: 'manual' } }]);
  expect(calls[0]?.init?.method ?? 'GET').toBe('GET');
});

it('confirming a subscription takes a 2xx for a yes, and anything else for a no', async () => {
  for (const status of [201, 204, 299])
    expect(await confirm(ADDRESS, SNS_HOST, answering(status))).toMatchObject({ ok: true });
  for (const status of [301, 302, 400, 403, 404, 429, 500, 503]) {
    const server = answering(status, { location: 'https://evil.example/' });
    const error = `the provider answered ${status} to the confirmation`;
    expect(await confirm(ADDRESS, SNS_HOST, server)).toEqual({ ok: false, error });
    expect(server.calls).toHaveLength(1);
  }
});

it('confirming a subscription calls nobody but the provider', async () => {
  for (const url of [
    ADDRESS.replace('https', 'http'),
    ADDRESS.replace('.com', '.com:8443'),
    ADDRESS.replace('sns', 'user:word@sns'),
    ADDRESS.replace('.com', '.com.evil.example'),
    ADDRESS.replace('.com', '.com@evil.example'),
    `${ADDRESS}#part`,
    'https://evil.example/?sns.us-east-1.amazonaws.com',
    '/?Action=ConfirmSubscription',
    '',
  ]) {
    const server = answering(200);
    const error = "the confirmation address is not one of the provider's";
    expect([url, await confirm(url, SNS_HOST, server)]).toEqual([url, { ok: false, error }]);
    expect(server.calls).toEqual([]);
  }
});

it('confirming a subscription takes a provider that cannot be reached for an answer as well', async () => {
  const down = serverOf(() => Promise.reject(new Error(`Network connection lost: ${ADDRESS}`)));
  const error = 'the provider could not be reached in time to confirm';
  expect(await confirm(ADDRESS, SNS_HOST, down)).toEqual({ ok: false, error });
});

it('confirming a subscription gives up after eight seconds, or when it is asked to', async () => {
  vi.useFakeTimers();
  for (const [timeout, ms] of [
    [undefined, 8_000],
    [50, 50],
  ] as const) {
    let settled = false;
    const { fetch } = serverOf(hanging);
    const pending = confirm(ADDRESS, SNS_HOST, { fetch, ...(timeout && { timeout }) }).finally(() => {
      settled = true;
    });
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(settled).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await pending).toMatchObject({ ok: false });
  }
});

it('confirming a subscription throws the answer away unread', async () => {
  const cancel = vi.fn();
  const server = serverOf(() => new Response(new ReadableStream({ cancel })));
  expect(await confirm(ADDRESS, SNS_HOST, server)).toMatchObject({ ok: true });
  expect(cancel).toHaveBeenCalledOnce();
});
