import { env, exports } from 'cloudflare:workers';
import { createExecutionContext } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { app } from '../../src/app.ts';
import worker from '../../src/index.ts';
import { problemIn } from './problems.ts';
import { admin, event, isSent, message, post, postJson, publish } from './relay.ts';

const PHONE = '491713920011';
const OPEN = { verify: { scheme: 'none' } };
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const XML_TYPE = { 'content-type': 'application/xml' };
const MULTIPART_TYPE = { 'content-type': 'multipart/form-data; boundary=edge' };

/** Says how the names that an object inherits look from a template. */
const PROBE =
  '[{{ payload.__proto__ }}|{{ payload.constructor }}|{{ query.__proto__ }}|{{ headers.__proto__ }}]';

const text = (message: string) => ({ kind: 'text', message });

beforeAll(() =>
  publish({
    sources: {
      open: { ...OPEN, routes: [] },
      token: { verify: { scheme: 'token', in: 'header', name: 'X-Word' }, secrets: ['HOOK_SECRET'] },
      probe: { ...OPEN, routes: [{ name: 'probe', to: PHONE, send: text(PROBE) }] },
      endless: {
        ...OPEN,
        routes: [
          {
            name: 'endless',
            to: PHONE,
            send: text('{% for a in (1..100000) %}{% for b in (1..100000) %}x{% endfor %}{% endfor %}'),
          },
          { name: 'other', to: PHONE, send: text('I am sent') },
        ],
      },
      large: {
        limit: false,
        ...OPEN,
        routes: [
          {
            name: 'large',
            each: 'payload.items',
            to: PHONE,
            delay: '1d',
            max_length: 65_536,
            send: text('{{ payload.text }}'),
          },
        ],
      },
    },
  }),
);

const receipt = (response: Response) => response.json<{ event: string; messages: string[] }>();

/** The text that was sent for a webhook to a source with one route. */
async function sentFor(response: Response): Promise<string | undefined> {
  expect(response.status).toBe(202);
  const [id = ''] = (await receipt(response)).messages;
  return (await message(id, isSent)).params['message'];
}

/** A body of 64 KiB pieces that never ends, and how much of it was asked for. */
function endless() {
  const state = { pieces: 0, isCancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        state.pieces += 1;
        controller.enqueue(new Uint8Array(65_536));
      },
      cancel() {
        state.isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { state, body };
}

/** 8 MiB of an endless body. */
const DRAINED_PIECES = 128;

/** Posts in this isolate, where it can be seen how much of the body is read. */
const send = (body: BodyInit, headers: Record<string, string>) =>
  app.fetch(
    new Request('https://relay.example/hooks/open', { method: 'POST', body, headers }),
    env,
    createExecutionContext(),
  );

describe('a body over the cap', () => {
  it('is refused by its declared length before any of it is read', async () => {
    const { state, body } = endless();
    const response = await send(body, { ...JSON_TYPE, 'content-length': '1048577' });
    const { detail } = await problemIn(response, 413, 'body-too-large');
    expect(detail).toContain('1048576 bytes');
    expect(state.pieces).toBe(0);
  });

  it('is refused without a length as soon as it is over, and of the rest 8 MiB are dropped', async () => {
    const { state, body } = endless();
    await problemIn(await send(body, JSON_TYPE), 413, 'body-too-large');
    // Sixteen pieces are the cap.
    expect(state).toEqual({ pieces: 17 + DRAINED_PIECES, isCancelled: true });
  });

  it('is dropped up to 8 MiB if it was refused unread, so that its sender reads the answer', async () => {
    const { state, body } = endless();
    const headers = { ...JSON_TYPE, 'content-length': '1048577' };
    const request = new Request<unknown, IncomingRequestCfProperties>('https://relay.example/hooks/open', {
      method: 'POST',
      body,
      headers,
    });
    await problemIn(await worker.fetch(request, env, createExecutionContext()), 413, 'body-too-large');
    expect(state).toEqual({ pieces: DRAINED_PIECES, isCancelled: true });
  });

  it('is refused over the wire too, and a body of the cap itself is taken', async () => {
    const cap = `${' '.repeat(1_048_574)}{}`;
    await problemIn(await post('open', ` ${cap}`, JSON_TYPE), 413, 'body-too-large');
    expect((await post('open', cap, JSON_TYPE)).status).toBe(202);
  });

  it('is refused when it is small and grows beyond what a row holds once it is JSON', async () => {
    const body = `[${'1e20,'.repeat(150_000)}0]`;
    const { detail } = await problemIn(await post('open', body, JSON_TYPE), 413, 'body-too-large');
    expect(detail).toContain('1900000 bytes');
  });
});

const events = async () => (await admin<{ items: unknown[] }>('GET', '/events?limit=200')).body.items;

describe('a malformed body', () => {
  it.each([
    ['JSON', '{"name":"Ada', JSON_TYPE, /not valid JSON: at line 1, column \d+/],
    ['JSON with words after it', '{} {}', JSON_TYPE, /not valid JSON: at line 1/],
    ['empty JSON', '', JSON_TYPE, /it is empty/],
    ['JSON that is no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), JSON_TYPE, /not valid utf-8: byte 2/],
    ['a form with half an escape', 'name=%4', FORM_TYPE, /`%` at byte 6/],
    ['a form that is no UTF-8', 'name=%ff', FORM_TYPE, /not decode to valid utf-8/],
    [
      'JSON in the field `payload`',
      'payload={"name":"Ada',
      FORM_TYPE,
      /The form field `payload` is not valid JSON/,
    ],
    ['XML', '<a><name>Ada</b></a>', XML_TYPE, /XML is malformed at line 1/],
    ['XML with entities of its own', '<!DOCTYPE a [<!ENTITY b "Ada">]><a>&b;</a>', XML_TYPE, /has a DTD at/],
    [
      'multipart that is cut off',
      '--edge\r\nContent-Disposition: form-data; name="a"\r\n\r\nAda',
      MULTIPART_TYPE,
      /multipart body of \d+ bytes is malformed/,
    ],
    ['multipart without a boundary', 'x', { 'content-type': 'multipart/form-data' }, /has no `boundary`/],
  ])('%s is 400, with the place and without the body', async (_, body, headers, says) => {
    const { detail } = await problemIn(await post('open', body, headers), 400, 'malformed-body');
    expect(detail).toMatch(says);
    expect(detail).not.toContain('Ada');
  });

  it.each(['image/png', 'application/octet-stream', 'nonsense', 'text/plain; charset=nonsense'])(
    'a body of type %s is 415, with what is taken, and never guessed',
    async (type) => {
      const response = await post('open', '{}', { 'content-type': type });
      expect((await problemIn(response, 415, 'unsupported-type')).detail).toMatch(
        /Send (application\/json|the body in)/,
      );
    },
  );

  it('is no event', async () => {
    const before = await events();
    await post('open', '{', JSON_TYPE);
    await post('open', '{}', { 'content-type': 'image/png' });
    expect(await events()).toEqual(before);
  });
});

describe('the wrong door', () => {
  it.each(['GET', 'DELETE', 'PATCH', 'OPTIONS'])('%s is 405 and says what is taken', async (method) => {
    const response = await exports.default.fetch('https://relay.example/hooks/open', { method });
    expect(response.headers.get('allow')).toBe('POST, PUT');
    const { detail } = await problemIn(response, 405, 'method-not-allowed');
    expect(detail).toContain('POST or PUT');
  });

  it('HEAD is 405 as well, without a body', async () => {
    const response = await exports.default.fetch('https://relay.example/hooks/open', { method: 'HEAD' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, PUT']);
  });

  it.each(['nobody', 'constructor', '__proto__', 'Open', 'open%00'])('source %s is 404', async (id) => {
    const { detail } = await problemIn(await postJson(id, {}), 404, 'unknown-source');
    expect(detail).toContain('publish a source with that name');
  });

  it('a token in the path of a source that has none is 404', async () => {
    await problemIn(await postJson('open/word', {}), 404, 'unknown-source');
  });

  it('a stranger’s rubbish is 401 whatever else is wrong with it', async () => {
    await problemIn(await post('token', '{', { 'content-type': 'image/png' }), 401, 'verification-failed');
  });
});

describe('names that objects inherit', () => {
  const plain = '[|||]';

  it('stand for nothing where the webhook does not have them', async () => {
    expect(await sentFor(await postJson('probe', {}))).toBe(plain);
  });

  it.each([
    ['JSON', '{"__proto__":"a","constructor":"b"}', JSON_TYPE],
    ['a form', '__proto__=a&constructor=b', FORM_TYPE],
    [
      'multipart',
      ['__proto__', 'constructor']
        .map(
          (name, at) =>
            `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${'ab'.charAt(at)}\r\n`,
        )
        .join('') + '--edge--\r\n',
      MULTIPART_TYPE,
    ],
  ])('are plain keys in %s', async (_, body, headers) => {
    expect(await sentFor(await post('probe', body, headers))).toBe('[a|b||]');
  });

  it('are plain keys in XML', async () => {
    const response = await post('probe', '<__proto__><constructor>b</constructor></__proto__>', XML_TYPE);
    const { event: id } = await receipt(response);
    const { payload } = await event(id);
    expect(JSON.stringify(payload)).toBe('{"__proto__":{"constructor":"b"}}');
  });

  it('are plain keys in query and headers', async () => {
    const response = await postJson('probe?__proto__=q&constructor=c', {}, { ['__proto__']: 'h' });
    const { event: id, messages } = await receipt(response);
    expect((await message(messages[0] ?? '', isSent)).params['message']).toBe('[||q|h]');
    const { query, headers } = await event(id);
    expect(Object.entries(query)).toEqual([
      ['__proto__', 'q'],
      ['constructor', 'c'],
    ]);
    expect(Object.hasOwn(headers, '__proto__')).toBe(true);
  });

  it('give nothing to anybody else: no object is changed by them', async () => {
    await post(
      'probe',
      '{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}',
      JSON_TYPE,
    );
    await post('probe', '__proto__[polluted]=yes&constructor.prototype.polluted=yes', FORM_TYPE);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(await sentFor(await postJson('probe', {}))).toBe(plain);
  });
});

describe('ten thousand levels of nesting', () => {
  const deep = '['.repeat(10_000) + ']'.repeat(10_000);

  it.each([
    ['JSON', deep, JSON_TYPE],
    ['JSON objects', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000), JSON_TYPE],
    ['JSON in the form field `payload`', `payload=${encodeURIComponent(deep)}`, FORM_TYPE],
    ['XML', '<a>'.repeat(10_000) + '</a>'.repeat(10_000), XML_TYPE],
  ])('are refused in %s, with the place and the limit', async (_, body, headers) => {
    const { detail } = await problemIn(await post('open', body, headers), 400, 'malformed-body');
    expect(detail).toMatch(/nested too deeply: line 1, column \d+ is more than 100 levels deep/);
  });

  it('a hundred are taken', async () => {
    expect((await post('open', '['.repeat(100) + ']'.repeat(100), JSON_TYPE)).status).toBe(202);
  });
});

describe('a template that loops without end', () => {
  it('is stopped: its event is kept as partly failed, and its other route sends', async () => {
    const { event: id, messages } = await receipt(await postJson('endless', {}));
    expect(messages).toHaveLength(1);
    expect((await message(messages[0] ?? '', isSent)).params['message']).toBe('I am sent');
    const { state, reason } = await event(id);
    expect(state).toBe('partly_failed');
    expect(reason).toMatch(
      /^route `endless`, parameter `message` .*more than 4194304 units of work: loop over less/,
    );
  });
});

/** Long texts of characters that are three bytes of UTF-8, and two in an RPC. */
const longItems = (count: number) => ({
  items: Array.from({ length: count }, () => 1),
  text: '→'.repeat(62_500),
});

describe('as much as an event may make', () => {
  it('is accepted in one call', async () => {
    const response = await postJson('large', longItems(67));
    expect(response.status).toBe(202);
    expect((await receipt(response)).messages).toHaveLength(67);
  });

  it('and no more: the rest is left out, and the event says so, instead of being refused for ever', async () => {
    const response = await postJson('large', longItems(68));
    expect(response.status).toBe(202);
    const { event: id, messages } = await receipt(response);
    expect(messages).toHaveLength(67);
    const { state, reason } = await event(id);
    expect(state).toBe('routed');
    expect(reason).toBe(
      'route `large` made 67 messages and left out 1 message of the last element: the texts of a webhook may have 4200000 characters in total',
    );
  });
});
