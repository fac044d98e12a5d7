import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  NO_CALL,
  send,
  type AttemptResult,
  type NoCall,
  type SendOptions,
} from '../../src/gateway/client.ts';
import type { SendCall } from '../../src/gateway/kinds.ts';
import { v2, type GatewayAccount } from '../../src/gateway/v2.ts';

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

/** Never answers; gives up only when it is asked to. */
const hanging: typeof fetch = (_, init) =>
  new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));

async function formSent(
  call: SendCall,
  login: GatewayAccount = account,
): Promise<readonly (readonly [string, string])[]> {
  const { requests, options } = gateway();
  await send(call, v2(login), options);
  const form = await requests[0]?.formData();
  return [...(form ?? [])].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]);
}

/** The attempt that a call is; a call that the platform does not make is none. */
function made(result: AttemptResult | NoCall): AttemptResult {
  if (result === NO_CALL) throw new Error('no call was made');
  return result;
}

const answered = async (body: BodyInit | null, init?: ResponseInit): Promise<AttemptResult> =>
  made(await send(text, v2(account), gateway(() => new Response(body, init)).options));

describe('send: the request', () => {
  it.each([
    ['text', 'send-message.php', text],
    [
      'image',
      'send-image.php',
      { kind: 'image', phone: '49301', params: { image_url: 'https://x.example/a.png' } },
    ],
    [
      'voice',
      'send-voice.php',
      { kind: 'voice', phone: '49301', params: { audio_url: 'https://x.example/a.ogg' } },
    ],
    [
      'link-preview',
      'send-link-preview.php',
      { kind: 'link-preview', phone: '49301', params: { url: 'https://x.example' } },
    ],
    ['poll', 'send-poll.php', { kind: 'poll', phone: '49301', params: { question: '?', options: 'a,b' } }],
    ['status', 'status/send-text.php', { kind: 'status', phone: null, params: { text: 'open' } }],
  ] satisfies [string, string, SendCall][])('%s goes to %s as a URL-encoded form', async (_, path, call) => {
    const { requests, options } = gateway();
    await send(call, v2(account), options);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      method: 'POST',
      url: `https://gateway.example/api/${path}`,
      redirect: 'manual',
    });
    expect(requests[0]?.headers.get('content-type')).toBe('application/x-www-form-urlencoded');
  });

  it('has the credentials in the body and nowhere else', async () => {
    const { requests, options } = gateway();
    await send(text, v2({ ...account, appKey: 'app-secret' }), options);
    const [request] = requests;
    const head = `${request?.url} ${JSON.stringify([...(request?.headers ?? [])])}`;
    for (const secret of ['owner', 'k3y', 'app-secret']) expect(head).not.toContain(secret);
    expect(Object.fromEntries((await request?.formData()) ?? [])).toEqual({
      message: 'hello',
      phone: '4915112345678',
      email: account.email,
      api_key: account.apiKey,
      app_key: 'app-secret',
    });
  });

  it('has no app_key when none is set, and no phone for a status', async () => {
    expect(await formSent({ kind: 'status', phone: null, params: { text: 'open' } })).toEqual([
      ['text', 'open'],
      ['email', account.email],
      ['api_key', account.apiKey],
    ]);
  });

  it('lets every text arrive as it was', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (message) => {
        expect(await formSent({ ...text, params: { message } })).toContainEqual(['message', message]);
      }),
    );
    const message = 'a&b=c+d %41 100%\r\n\ttwo  spaces 👩‍👩‍👧 é;#?/\\"\u0000';
    expect(await formSent({ ...text, params: { message } })).toContainEqual(['message', message]);
  });

  it('lets no parameter stand in for a credential', async () => {
    const params = { message: 'x', api_key: 'other', email: 'other@x.example' };
    const form = await formSent({ ...text, params });
    expect(form.filter(([name]) => name === 'api_key')).toEqual([['api_key', account.apiKey]]);
    expect(form.filter(([name]) => name === 'email')).toEqual([['email', account.email]]);
  });
});

describe('send: the result', () => {
  it('is the outcome, the time it took, the status and the answer', async () => {
    expect(await answered(SENT)).toEqual({
      outcome: 'sent',
      detail: 'the gateway sent it',
      duration_ms: 80,
      http_status: 200,
      response: SENT,
    });
  });

  it('does not follow a redirect', async () => {
    const { requests, options } = gateway(() => Response.redirect('https://elsewhere.example/', 302));
    expect(await send(text, v2(account), options)).toMatchObject({
      outcome: 'redirected',
      http_status: 302,
    });
    expect(requests).toHaveLength(1);
  });

  it('takes the wait that a busy gateway asks for', async () => {
    const result = await answered('slow down', { status: 429, headers: { 'retry-after': '9' } });
    expect(result).toMatchObject({ outcome: 'busy', retry_after_ms: 9_000 });
  });

  it('is uncertain, with no answer to show, when the connection is lost', async () => {
    const { options } = gateway(() => Promise.reject(new Error('Network connection lost.')));
    expect(await send(text, v2(account), options)).toEqual({
      outcome: 'uncertain',
      detail: 'the connection was lost; the gateway may have received the call',
      duration_ms: 40,
    });
  });

  it('is uncertain when the gateway does not answer in time', async () => {
    const result = await send(text, v2(account), { ...gateway().options, fetch: hanging, timeoutMs: 5 });
    expect(result).toMatchObject({
      outcome: 'uncertain',
      detail: 'no answer in time; the gateway may have received the call',
    });
  });

  it('is uncertain, with what came, when the answer breaks off', async () => {
    const broken = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"success":true')),
      pull: (controller) => controller.error(new Error('Network connection lost.')),
    });
    expect(await answered(broken)).toMatchObject({ outcome: 'uncertain', http_status: 200 });
  });

  it('does not throw for a base URL that is none', async () => {
    const { options, requests } = gateway();
    const result = await send(text, v2({ ...account, baseUrl: 'gateway' }), options);
    expect(result).toMatchObject({ outcome: 'unreachable', detail: 'the base URL is not an address' });
    expect(requests).toEqual([]);
  });

  it('keeps the first KiB of an answer, without half a character at its end', async () => {
    expect((await answered('x'.repeat(100_000))).response).toBe('x'.repeat(1_024));
    expect((await answered('€'.repeat(1_000))).response).toBe('€'.repeat(341));
  });

  it('an answer longer than is read is uncertain, since its JSON cannot be judged', async () => {
    const result = await answered(JSON.stringify({ success: true, message: 'x'.repeat(100_000) }));
    expect(result.outcome).toBe('uncertain');
  });
});

describe('send: secrets that the gateway echoes', () => {
  it('are redacted in the answer, the reason and the message', async () => {
    const message = `bad key ${account.apiKey} for Owner@Shop.example`;
    const result = await answered(
      JSON.stringify({ success: false, message, sent: encodeURIComponent(account.apiKey) }),
    );
    expect(JSON.stringify(result)).not.toMatch(/k3y|secret=42|secret%3D42|shop\.example/i);
    expect(result).toMatchObject({ outcome: 'refused', message: 'bad key [redacted] for [redacted]' });
    expect(result.response).toBe(
      '{"success":false,"message":"bad key [redacted] for [redacted]","sent":"[redacted]"}',
    );
  });

  it('leave no half at the cut of the kept response', async () => {
    for (let before = 1_005; before < 1_024; before += 1) {
      const { response } = await answered('x'.repeat(before) + account.apiKey, { status: 500 });
      expect(response).not.toContain('k3y');
    }
  });

  it('leave no half where the answer broke off', async () => {
    const broken = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"key":"k3y+/secr')),
      pull: (controller) => controller.error(new Error('Network connection lost.')),
    });
    expect((await answered(broken)).response).toBe('{"key":"[redacted]');
  });
});

describe('send: a call that must not be made twice', () => {
  it('is not made when the gateway cannot be reached: surely not sent', async () => {
    const { requests, options } = gateway();
    const canReach = vi.fn(() => Promise.resolve(false));
    const result = await send(text, v2(account), { ...options, canReach });
    expect(result).toMatchObject({ outcome: 'unreachable', detail: 'could not connect to the gateway' });
    expect(canReach).toHaveBeenCalledWith(new URL('https://gateway.example/api/send-message.php'));
    expect(requests).toEqual([]);
  });

  it('is made once it can be reached', async () => {
    const { requests, options } = gateway();
    const result = await send(text, v2(account), { ...options, canReach: () => Promise.resolve(true) });
    expect(made(result).outcome).toBe('sent');
    expect(requests).toHaveLength(1);
  });
});

const tooMany = (): Promise<never> =>
  Promise.reject(new Error('Too many subrequests by single Worker invocation.'));

describe('send: when the platform allows no more calls', () => {
  it('is no attempt, since it says nothing of the gateway', async () => {
    const { options } = gateway();
    expect(await send(text, v2(account), { ...options, fetch: tooMany })).toBe(NO_CALL);
  });

  it('is none either when the look before the call meets the limit', async () => {
    const { requests, options } = gateway();
    expect(await send(text, v2(account), { ...options, canReach: tooMany })).toBe(NO_CALL);
    expect(requests).toEqual([]);
  });
});

describe('what is kept of an account', () => {
  it('never redacts another account’s answers, nor leaves its own as they are', async () => {
    const other: GatewayAccount = { ...account, email: 'other@shop.example', apiKey: 'an0ther-key' };
    const answer = () => new Response(`{"success":false,"message":"${account.apiKey} ${other.apiKey}"}`);
    for (const [login, shown, hidden] of [
      [account, other.apiKey, account.apiKey],
      [other, account.apiKey, other.apiKey],
      [account, other.apiKey, account.apiKey],
    ] as const) {
      const { response } = made(await send(text, v2(login), gateway(answer).options));
      expect(response).toContain(shown);
      expect(response).not.toContain(hidden);
    }
  });

  it('is called at its own address', async () => {
    const { requests, options } = gateway();
    for (const host of ['a', 'b', 'a'])
      await send(text, v2({ ...account, baseUrl: `https://${host}.example/api` }), options);
    expect(requests.map(({ url }) => new URL(url).host)).toEqual(['a.example', 'b.example', 'a.example']);
  });
});
