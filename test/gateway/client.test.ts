import * as fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import {
  NO_CALL,
  send,
  type AttemptResult,
  type Gateway,
  type SendOptions,
  classifyFetchError,
  canReach,
  type Connect,
} from '../../src/gateway/client.ts';
import { httpRequest } from '../../src/gateway/http.ts';
import type { SendCall } from '../../src/gateway/kinds.ts';
import { v2, type GatewayAccount } from '../../src/gateway/v2.ts';
import { BY_HAND } from './makers/by-hand.ts';

const account: GatewayAccount = {
  baseUrl: 'https://gateway.example/api',
  email: 'owner@shop.example',
  apiKey: 'k3y+/secret=42',
};
const text: SendCall = { kind: 'text', phone: '4915112345678', params: { message: 'hello' } };
const SENT = '{"success":true,"message":"ok","data":{"status_code":200}}';

/** A gateway that answers as asked and keeps the requests it got; the clock moves 40 ms at each look. */
function gateway(answer: () => Response | Promise<Response> = () => new Response(SENT)) {
  const requests: Request[] = [];
  let now = 1_000_000;
  const options: SendOptions = {
    fetch: async (input, init) => {
      requests.push(new Request(input, init));
      return answer();
    },
    timeoutMs: 5_000,
    now: () => (now += 40),
  };
  return { requests, options };
}

/** An attempt; a call that the platform does not make is none. */
async function attempt(options: SendOptions, login = account): Promise<AttemptResult> {
  const result = await send(text, v2(login), options);
  if (result === NO_CALL) throw new Error('no call was made');
  return result;
}

const answered = (body: BodyInit | null, init?: ResponseInit, login = account): Promise<AttemptResult> =>
  attempt(gateway(() => new Response(body, init)).options, login);

/** A body that begins with this text, and then the connection is lost. */
const broken = (beginning: string): ReadableStream =>
  new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(beginning)),
    pull: (controller) => controller.error(new Error('Network connection lost.')),
  });

/** Gives up only when it is asked to. */
const silent: typeof fetch = (_, init) =>
  new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
const tooMany = () => Promise.reject(new Error('Too many subrequests by single Worker invocation.'));

/** Expects that the gateway gets a text as it was. */
async function expectArrived(message: string): Promise<void> {
  const { requests, options } = gateway();
  await send({ kind: 'text', phone: '49301', params: { message } }, v2(account), options);
  expect((await requests[0]?.formData())?.get('message')).toBe(message);
}

it('a request has the credentials in the body and nowhere else', async () => {
  const { requests, options } = gateway();
  await attempt(options, { ...account, appKey: 'app-secret' });
  const [request] = requests;
  const head = `${request?.url} ${JSON.stringify([...(request?.headers ?? [])])}`;
  for (const secret of ['owner', 'k3y', 'app-secret']) expect(head).not.toContain(secret);
  expect(await request?.text()).toMatch(/owner.*k3y.*app-secret/);
});

it('a request lets every text arrive as it was', async () => {
  await fc.assert(fc.asyncProperty(fc.string({ unit: 'binary' }), expectArrived));
  await expectArrived('a&b=c+d %41 100%\r\n\ttwo  spaces 👩‍👩‍👧 é;#?/\\"\u0000');
});

it('a request of a text with half a character is made, wherever a gateway wants it', async () => {
  const kinds = { text: { path: '/{to}/{message}', json: { text: '{message}' } } };
  const shape = { ...BY_HAND, secrets: [], headers: {}, kinds };
  const of = { shape, baseUrl: 'https://x.example', options: {}, secrets: {} };
  const own: Gateway = { ...v2(account), request: (call, id) => httpRequest(call, of, id) };
  const { requests, options } = gateway();
  await send({ kind: 'text', phone: 'a\ud800', params: { message: '\udfff!' } }, own, options);
  expect(requests[0]?.url).toBe('https://x.example/a%EF%BF%BD/%EF%BF%BD!');
});

it('a request goes to the address of its own account, whatever was called before', async () => {
  const { requests, options } = gateway();
  for (const host of ['a', 'b', 'a'])
    await attempt(options, { ...account, baseUrl: `https://${host}.example/api` });
  expect(requests.map(({ url }) => new URL(url).host)).toEqual(['a.example', 'b.example', 'a.example']);
});

it('a result is the outcome, the time it took, the status and the answer', async () => {
  const shown = { outcome: 'sent', duration_ms: 80, http_status: 200, response: SENT };
  expect(await answered(SENT)).toEqual(shown);
});

it('a result of a redirect does not follow it, and that of a busy gateway has the wait that it asks for', async () => {
  const { requests, options } = gateway(() => Response.redirect('https://elsewhere.example/', 302));
  expect(await attempt(options)).toMatchObject({ outcome: 'redirected', http_status: 302 });
  expect(requests).toHaveLength(1);
  const result = await answered('slow down', { status: 429, headers: { 'retry-after': '9' } });
  expect(result).toMatchObject({ outcome: 'busy', retry_after_ms: 9_000 });
});

it('a result is uncertain when the connection is lost, the answer breaks off, is longer than is read, or does not come in time', async () => {
  const { options } = gateway(() => Promise.reject(new Error('Network connection lost.')));
  expect(await attempt(options)).toEqual({
    outcome: 'uncertain',
    code: 'no-answer',
    params: {},
    duration_ms: 40,
  });
  const brokenOff = await answered(broken('{"success":true'));
  expect(brokenOff).toMatchObject({ outcome: 'uncertain', http_status: 200 });
  const long = JSON.stringify({ success: true, message: 'x'.repeat(100_000) });
  expect((await answered(long)).outcome).toBe('uncertain');
  const result = await attempt({ ...gateway().options, fetch: silent, timeoutMs: 5 });
  expect(result).toMatchObject({ code: 'no-answer', params: { cause: 'timed-out' } });
});

it('a result of a base URL that is none is unreachable, without a call', async () => {
  const { options, requests } = gateway();
  const result = await attempt(options, { ...account, baseUrl: 'gateway' });
  expect(result).toMatchObject({ outcome: 'unreachable', params: { cause: 'bad-address' } });
  expect(requests).toEqual([]);
});

it('a result keeps the first KiB of an answer, without half a character at its end', async () => {
  expect((await answered('x'.repeat(100_000))).response).toBe('x'.repeat(1_024));
  expect((await answered('€'.repeat(1_000))).response).toBe('€'.repeat(341));
});

it('secrets that the gateway repeats are redacted in the answer, the reason and the message', async () => {
  const message = `bad key ${account.apiKey} for Owner@Shop.example`;
  const sent = encodeURIComponent(account.apiKey);
  const result = await answered(JSON.stringify({ success: false, message, sent }));
  expect(JSON.stringify(result)).not.toMatch(/k3y|secret=42|secret%3D42|shop\.example/i);
  const redacted = 'bad key [redacted] for [redacted]';
  expect(result).toMatchObject({ outcome: 'refused', message: redacted });
  expect(result.response).toBe(`{"success":false,"message":"${redacted}","sent":"[redacted]"}`);
});

it('secrets that the gateway repeats leave no half at the cut of the kept response, nor where the answer broke off', async () => {
  for (let before = 1_005; before < 1_024; before += 1) {
    const { response } = await answered('x'.repeat(before) + account.apiKey, { status: 500 });
    expect(response).not.toContain('k3y');
  }
  expect((await answered(broken('{"key":"k3y+/secr'))).response).toBe('{"key":"[redacted]');
});

it('secrets that the gateway repeats are those of the account, and never another’s', async () => {
  const other = { ...account, email: 'other@shop.example', apiKey: 'an0ther-key' };
  for (const login of [account, other, account]) {
    const shown = login === account ? other : account;
    const body = `{"success":false,"message":"${account.apiKey} ${other.apiKey}"}`;
    const { response } = await answered(body, {}, login);
    expect(response).toContain(shown.apiKey);
    expect(response).not.toContain(login.apiKey);
  }
});

it('a call that must not be made twice is made only once the gateway can be reached, and else surely not sent', async () => {
  const { requests, options } = gateway();
  const reach = vi.fn(() => Promise.resolve(false));
  const unreachable = { outcome: 'unreachable', code: 'unreachable' };
  expect(await attempt({ ...options, canReach: reach })).toMatchObject(unreachable);
  expect(reach).toHaveBeenCalledWith(new URL('https://gateway.example/api/send-message.php'));
  expect(requests).toEqual([]);
  expect(await attempt({ ...options, canReach: () => Promise.resolve(true) })).toMatchObject({
    outcome: 'sent',
  });
  expect(requests).toHaveLength(1);
});

it('a call that the platform does not allow any more is no attempt, since it says nothing of the gateway', async () => {
  const { requests, options } = gateway();
  expect(await send(text, v2(account), { ...options, fetch: tooMany })).toBe(NO_CALL);
  expect(await send(text, v2(account), { ...options, canReach: tooMany })).toBe(NO_CALL);
  expect(requests).toEqual([]);
});

it('an error of fetch that is not known is uncertain, and is not quoted: it may hold an address', () => {
  const unknown = [new Error('internal error; reference = abc'), new Error(''), 'text', null, undefined];
  for (const thrown of [...unknown, { message: 'Invalid URL' }])
    expect([thrown, classifyFetchError(thrown).outcome]).toEqual([thrown, 'uncertain']);
  const { params } = classifyFetchError(new TypeError('Invalid URL: https://user:pass@x.example:99999'));
  expect(params).toEqual({ cause: 'bad-address' });
});

const url = new URL('https://gateway.example:8443/api/send-message.php');

/** A socket whose `opened` settles as given; `closed` fails with it, as workerd's does. */
const socket = (opened: Promise<SocketInfo>): ReturnType<Connect> => ({
  opened,
  closed: opened.then(() => undefined),
  close: () => Promise.resolve(),
});

const opening: Connect = () => socket(Promise.resolve({}));
const refused: Connect = () => socket(Promise.reject(new Error('proxy request failed')));
const hanging: Connect = () => socket(new Promise<SocketInfo>(() => undefined));
const throwing: Connect = () => {
  throw new TypeError('Specified address could not be parsed.');
};
const noFetch = () => Promise.reject(new Error('Network connection lost.'));
const answering = (status: number) => vi.fn(() => Promise.resolve(new Response(null, { status })));

it('a gateway can be reached if a socket opens at its port, with TLS for https; nothing is requested', async () => {
  for (const [address, port, secureTransport] of [
    [url.href, 8443, 'on'],
    ['http://gateway.example/api/x', 80, 'off'],
    ['https://gateway.example/api/x', 443, 'on'],
  ] as const) {
    const [connect, fetch] = [vi.fn(opening), vi.fn(noFetch)];
    expect(await canReach(new URL(address), { connect, fetch, timeoutMs: 1_000 })).toBe(true);
    const to = { hostname: 'gateway.example', port };
    expect(connect).toHaveBeenCalledWith(to, { secureTransport, allowHalfOpen: false });
    expect(fetch).not.toHaveBeenCalled();
  }
});

it('a gateway can be reached by any answer to HEAD where no socket is allowed, but not by Cloudflare’s that it could not connect, nor when neither works in time', async () => {
  const fetch = answering(405);
  expect(await canReach(url, { connect: refused, fetch, timeoutMs: 1_000 })).toBe(true);
  const head = expect.objectContaining({ method: 'HEAD', redirect: 'manual' }) as unknown;
  expect(fetch).toHaveBeenCalledWith(url, head);
  for (const status of [521, 523, 525, 526, 530])
    expect(await canReach(url, { connect: refused, fetch: answering(status), timeoutMs: 1_000 })).toBe(false);
  for (const connect of [throwing, hanging])
    expect(await canReach(url, { connect, fetch: noFetch, timeoutMs: 5 })).toBe(false);
});
