import { env, exports } from 'cloudflare:workers';
import { createExecutionContext } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { fetchWith } from '../platform/worker.ts';
import { problemIn } from './problems.ts';
import { admin, event, isSent, listOf, message, post, postJson, publish, receiptOf } from './relay.ts';
import { open, text } from './sources.ts';

const PHONE = '491713920011';
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const XML_TYPE = { 'content-type': 'application/xml' };
const MULTIPART_TYPE = { 'content-type': 'multipart/form-data; boundary=edge' };

/** Says how the names that an object inherits look from a template. */
const PROBE =
  '[{{ payload.__proto__ }}|{{ payload.constructor }}|{{ query.__proto__ }}|{{ headers.__proto__ }}]';
const ENDLESS = '{% for a in (1..100000) %}{% for b in (1..100000) %}x{% endfor %}{% endfor %}';
const to = { name: 'all', to: PHONE };

beforeAll(() =>
  publish({
    sources: {
      open: open(),
      token: { verify: { scheme: 'token', in: 'header', name: 'X-Word' }, secrets: ['HOOK_SECRET'] },
      probe: open([{ ...to, send: text(PROBE) }]),
      says: open([{ ...to, send: text('{{ payload.text }}') }], { answer: 200 }),
      signed: { verify: { scheme: 'hmac', header: 'X-Signature' }, secrets: ['HOOK_SECRET'] },
      endless: open([
        { ...to, name: 'endless', send: text(ENDLESS) },
        { ...to, send: text('I am sent') },
      ]),
      large: open([
        {
          ...to,
          each: 'payload.items',
          delay: '1d',
          max_length: 65_536,
          send: text('{{ payload.text }}'),
        },
      ]),
      long: open([{ ...to, each: 'payload.parts', overflow: 'split', send: text('{{ item }}') }]),
    },
  }),
);

/** The text that was sent for a webhook to a source with one route. */
async function sentFor(response: Promise<Response>): Promise<string | undefined> {
  const [id = ''] = (await receiptOf(response)).messages;
  return (await message(id, isSent)).params['message'];
}

/** A body of 64 KiB pieces that never ends, and how much of it was asked for. */
function endless() {
  const state = { pieces: 0, isCancelled: false };
  const source: UnderlyingSource<Uint8Array> = {
    pull(controller) {
      state.pieces += 1;
      controller.enqueue(new Uint8Array(65_536));
    },
    cancel: () => void (state.isCancelled = true),
  };
  return { state, body: new ReadableStream(source, { highWaterMark: 0 }) };
}

/** 8 MiB of an endless body. */
const DRAINED_PIECES = 128;

const requestOf = (body: BodyInit, headers: Record<string, string>) =>
  new Request<unknown, IncomingRequestCfProperties>('https://relay.example/hooks/open', {
    method: 'POST',
    body,
    headers,
  });

/** In this isolate, where it can be seen how much of the body is read. */
const sendHere = (body: BodyInit, headers: Record<string, string>) =>
  fetchWith(requestOf(body, headers), env, createExecutionContext());

describe('a body over the cap', () => {
  it('is refused without a length as soon as it is over, and of the rest 8 MiB are dropped', async () => {
    const { state, body } = endless();
    await problemIn(await sendHere(body, JSON_TYPE), 413, 'body-too-large');
    // Sixteen pieces are the cap.
    expect(state).toEqual({ pieces: 17 + DRAINED_PIECES, isCancelled: true });
  });

  it('is dropped up to 8 MiB if it was refused unread, so that its sender reads the answer', async () => {
    const { state, body } = endless();
    const declared = { ...JSON_TYPE, 'content-length': '1048577' };
    const { detail } = await problemIn(await sendHere(body, declared), 413, 'body-too-large');
    expect(detail).toContain('1048576 bytes');
    expect(state).toEqual({ pieces: DRAINED_PIECES, isCancelled: true });
  });

  it('is refused over the wire too, and a body of the cap itself is taken', async () => {
    const cap = `${' '.repeat(1_048_574)}{}`;
    await problemIn(await post('open', ` ${cap}`, JSON_TYPE), 413, 'body-too-large');
    expect((await post('open', cap, JSON_TYPE)).status).toBe(202);
  });

  it('is kept when it is small and grows beyond what a row holds once it is JSON', async () => {
    const { event: id } = await receiptOf(post('open', `[${'1e20,'.repeat(150_000)}0]`, JSON_TYPE));
    expect((await event(id)).payload).toHaveLength(150_001);
  });
});

const DEEP = '['.repeat(10_000) + ']'.repeat(10_000);

describe('a malformed body', () => {
  const tooDeep = /nested too deeply: line 1, column \d+ is more than 100 levels deep/;
  const unended = '--edge\r\nContent-Disposition: form-data; name="a"\r\n\r\nAda';

  it.each([
    ['JSON', '{"name":"Ada', JSON_TYPE, /not valid JSON: at line 1, column \d+/],
    ['JSON with words after it', '{} {}', JSON_TYPE, /not valid JSON: at line 1/],
    ['JSON that is no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), JSON_TYPE, /not valid utf-8: byte 2/],
    ['a form that is no UTF-8', 'name=%ff', FORM_TYPE, /not decode to valid utf-8/],
    ['JSON in a field', 'payload={"name":"Ada', FORM_TYPE, /The form field `payload` is not valid JSON/],
    ['XML', '<a><name>Ada</b></a>', XML_TYPE, /XML is malformed at line 1/],
    ['XML with entities of its own', '<!DOCTYPE a [<!ENTITY b "Ada">]><a>&b;</a>', XML_TYPE, /has a DTD at/],
    ['multipart that is cut off', unended, MULTIPART_TYPE, /multipart body of \d+ bytes is malformed/],
    ['multipart without a boundary', 'x', { 'content-type': 'multipart/form-data' }, /has no `boundary`/],
    ['deep JSON', DEEP, JSON_TYPE, tooDeep],
    ['deep JSON objects', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000), JSON_TYPE, tooDeep],
    ['deep JSON in a field', `payload=${encodeURIComponent(DEEP)}`, FORM_TYPE, tooDeep],
    ['deep XML', '<a>'.repeat(10_000) + '</a>'.repeat(10_000), XML_TYPE, tooDeep],
  ])('%s is 400, with the place and without the body', async (_, body, headers, says) => {
    const { detail } = await problemIn(await post('open', body, headers), 400, 'malformed-body');
    expect(detail).toMatch(says);
    expect(detail).not.toContain('Ada');
  });

  it('is no event', async () => {
    const before = await listOf('/events?limit=200');
    await post('open', '{', JSON_TYPE);
    await post('open', '{}', { 'content-type': 'image/png' });
    expect(await listOf('/events?limit=200')).toEqual(before);
  });
});

it('a webhook by another method is 405 and says what is taken', async () => {
  for (const method of ['GET', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']) {
    const response = await exports.default.fetch('https://relay.example/hooks/open', { method });
    expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'POST, PUT']);
    if (method === 'HEAD') continue;
    expect((await problemIn(response, 405, 'method-not-allowed')).detail).toContain('POST or PUT');
  }
});

it('a webhook to no source, or with a token in the path of one that has none, is 404, and listed with the source that is nearest', async () => {
  for (const path of [
    'nobody',
    'constructor',
    '__proto__',
    'open%00',
    'hook-secret',
    'open/word',
    'opne/word',
  ])
    await problemIn(await postJson(path, {}), 404, 'unknown-source');
  for (const id of ['read', 'open']) await exports.default.fetch(`https://relay.example/hooks/${id}`);
  await eventually(async () => {
    const ofSource = JSON.stringify(await listOf('/rejections?source=open'));
    for (const one of ['hooks/opne`; did you mean `open`?', 'takes no token', 'method-not-allowed'])
      expect(ofSource).toContain(one);
    const names = (await listOf<{ source: string }>('/rejections')).map(({ source }) => source);
    expect(names).toEqual(expect.arrayContaining(['nobody', 'constructor', '_other']));
    expect(names.join(' ')).not.toMatch(/read|hook-secret|__proto__/);
  });
});

it('a stranger’s rubbish is 401 whatever else is wrong with it', async () => {
  await problemIn(await post('token', '{', { 'content-type': 'image/png' }), 401, 'verification-failed');
});

const part = (name: string, value: string) =>
  `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/** One byte a character. */
const latin1 = (body: string): Uint8Array => Uint8Array.from(body, (character) => character.charCodeAt(0));

it('a text in another charset arrives on the phone as it was meant, or is refused', async () => {
  const charsets = part('charsets', '{"text":"windows-1252"}');
  const typed = '\r\nContent-Type: text/plain; charset=ISO-8859-1\r\n\r\nM\xfchle \x809';
  for (const [body, headers] of [
    [`${charsets}${part('text', 'M\xfchle \x809')}--edge--`, MULTIPART_TYPE],
    [`${part('text', '').replace('\r\n\r\n', typed)}--edge--`, MULTIPART_TYPE],
    ['_charset_=windows-1252&text=M%FChle+%809', FORM_TYPE],
    ['{"text":"Mühle €9"}', { 'content-type': 'text/plain;charset=UTF-8' }],
  ] as const) {
    const sent = body.startsWith('{') ? body : latin1(body);
    expect([body, await sentFor(post('says', sent, headers))]).toEqual([body, 'Mühle €9']);
  }
  const unknown = latin1(`${part('text', 'M\xfchle')}--edge--`);
  await problemIn(await post('says', unknown, MULTIPART_TYPE), 400, 'malformed-body');
});

const compress = async (body: BodyInit, format: 'gzip' | 'deflate'): Promise<ArrayBuffer> => {
  const stream: ReadableStream<Uint8Array> | null = new Response(body).body;
  if (stream === null) throw new Error('no body');
  return new Response(stream.pipeThrough(new CompressionStream(format))).arrayBuffer();
};
const encoded = (encoding: string) => ({ ...JSON_TYPE, 'content-encoding': encoding });
const key = crypto.subtle.importKey(
  'raw',
  new TextEncoder().encode('hook-secret'),
  { name: 'HMAC', hash: 'SHA-256' },
  false,
  ['sign'],
);
const hex = (bytes: ArrayBuffer) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

it('a compressed body is read, with a signature over either form, and is no larger than others', async () => {
  const json = '{"text":"hello"}';
  for (const format of ['gzip', 'deflate'] as const) {
    const body = await compress(json, format);
    expect(await sentFor(post('says', body, encoded(format)))).toBe('hello');
    for (const [over, status] of [
      [new TextEncoder().encode(json), 202],
      [body, 202],
      [new TextEncoder().encode('{}'), 401],
    ] as const) {
      const signature = hex(await crypto.subtle.sign('HMAC', await key, over));
      const answer = await post('signed', body, { ...encoded(format), 'x-signature': signature });
      expect([format, answer.status]).toEqual([format, status]);
    }
  }
  const { detail } = await problemIn(await post('says', json, encoded('br')), 415, 'unsupported-type');
  expect(detail).toContain('Content-Encoding `br`');
  await problemIn(await post('says', json, encoded('gzip')), 400, 'malformed-body');
  const cut = (await compress(json, 'gzip')).slice(0, -9);
  await problemIn(await post('says', cut, encoded('gzip')), 400, 'malformed-body');
  const bomb = await compress(new Uint8Array(40 * 1_048_576), 'gzip');
  expect(bomb.byteLength).toBeLessThan(50_000);
  await problemIn(await post('says', bomb, encoded('gzip')), 413, 'body-too-large');
});

it('a sender that takes 200 alone gets it, with the same receipt', async () => {
  const answer = await postJson('says', { text: 'hello' });
  expect([answer.status, Object.keys(await answer.json())]).toEqual([
    200,
    ['event', 'duplicate', 'messages'],
  ]);
});

describe('names that objects inherit', () => {
  it('are plain keys in every kind of body, and stand for nothing where the webhook does not have them', async () => {
    const parts = `${part('__proto__', 'a')}${part('constructor', 'b')}--edge--\r\n`;
    for (const [body, headers, expected] of [
      ['{}', JSON_TYPE, '[|||]'],
      ['{"__proto__":"a","constructor":"b"}', JSON_TYPE, '[a|b||]'],
      ['__proto__=a&constructor=b', FORM_TYPE, '[a|b||]'],
      [parts, MULTIPART_TYPE, '[a|b||]'],
    ] as const)
      expect([body, await sentFor(post('probe', body, headers))]).toEqual([body, expected]);
    const xml = post('probe', '<__proto__><constructor>b</constructor></__proto__>', XML_TYPE);
    const { payload } = await event((await receiptOf(xml)).event);
    expect(JSON.stringify(payload)).toBe('{"__proto__":{"constructor":"b"}}');
  });

  it('are plain keys in query and headers', async () => {
    const posted = postJson('probe?__proto__=q&constructor=c', {}, { ['__proto__']: 'h' });
    const { event: id, messages } = await receiptOf(posted);
    expect((await message(messages[0] ?? '', isSent)).params['message']).toBe('[||q|h]');
    const { query, headers } = await event(id);
    expect(Object.entries(query).flat()).toEqual(['__proto__', 'q', 'constructor', 'c']);
    expect(Object.hasOwn(headers, '__proto__')).toBe(true);
  });

  it('give nothing to anybody else: no object is changed by them', async () => {
    const polluted = { polluted: 'yes' };
    const body = JSON.stringify({ constructor: { prototype: polluted }, ['__proto__']: polluted });
    await post('probe', body, JSON_TYPE);
    await post('probe', '__proto__[polluted]=yes&constructor.prototype.polluted=yes', FORM_TYPE);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(await sentFor(postJson('probe', {}))).toBe('[|||]');
  });
});

const items = (count: number) => ({ items: Array(count).fill(1), text: '→'.repeat(62_500) });

describe('what costs the relay work', () => {
  it('is a hundred levels at most, which are taken', async () => {
    expect((await post('open', '['.repeat(100) + ']'.repeat(100), JSON_TYPE)).status).toBe(202);
  });

  it('as a loop without end is stopped: its event is partly failed, and its other route sends', async () => {
    const { event: id, messages } = await receiptOf(postJson('endless', {}));
    expect(messages).toHaveLength(1);
    expect((await message(messages[0] ?? '', isSent)).params['message']).toBe('I am sent');
    const { state, reason } = await event(id);
    expect(state).toBe('partly_failed');
    expect(reason).toMatch(
      /^route `endless`, parameter `message` .*more than 4194304 units of work: loop over less/,
    );
  });

  it('is as much as one call takes; the rest is left out, and the event says so, instead of being refused for ever', async () => {
    // Three bytes of UTF-8 each, and two in an RPC.
    expect((await receiptOf(postJson('large', items(67)))).messages).toHaveLength(67);
    const { event: id, messages } = await receiptOf(postJson('large', items(68)));
    expect(messages).toHaveLength(67);
    expect(await event(id)).toMatchObject({
      state: 'routed',
      reason:
        'route `all` made 67 messages and left out 1 message of the last element: the texts of a webhook may have 4200000 characters in total',
    });
  });

  it('is split only as far as a route may work: the event says why the rest fails', async () => {
    const parts = Array.from({ length: 8 }, () => '\u0600 '.repeat(30_000));
    const { event: id } = await receiptOf(postJson('long', { parts }));
    expect((await event(id)).reason).toContain('overflow: split');
  });
});

const keys = (count: number, name: string) =>
  `{${Array.from({ length: count }, (_, n) => `"${name}${n}":0`).join()}}`;

const sendToApi = (path: string, body: string, headers: Record<string, string>) =>
  exports.default.fetch(`https://hook.example/admin/api/v1${path}`, {
    method: 'POST',
    headers: { ...JSON_TYPE, ...headers },
    body,
  });

const signIn = (body: string) => sendToApi('/session', body, { origin: 'https://hook.example' });

describe('a body of the admin API', () => {
  it('may have 8 KiB where nobody is signed in, and is answered with fifty errors at most', async () => {
    const refused = await signIn(keys(2_000, '\\\\'.repeat(8)));
    expect([refused.status, await refused.text()]).toEqual([413, expect.stringContaining('8192 bytes')]);
    const wrong = await signIn(keys(500, 'k'));
    expect(wrong.status).toBe(422);
    const { errors } = await wrong.json<{ errors: unknown[] }>();
    expect(errors.length).toBeLessThanOrEqual(50);
    expect(errors).toContainEqual({
      path: '',
      code: 'more',
      message: 'and 460 more unknown keys',
      params: { left: '460' },
    });
  });

  it('that an editor sends is answered in 64 KiB as well', async () => {
    const authorization = 'Bearer admin-token-of-the-tests';
    const refused = await sendToApi('/config', keys(100_000, 'key number '), { authorization });
    expect(refused.status).toBe(422);
    expect((await refused.arrayBuffer()).byteLength).toBeLessThanOrEqual(65_536);
    expect((await admin('GET', '/config')).status).toBe(200);
  });
});
