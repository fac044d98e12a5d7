import { describe, expect, it } from 'vitest';
import { parseBody } from '../../src/ingest/parse.ts';
import { err, ok } from '../../src/lib/result.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const parse = (type: string | null, text: string) => parseBody(type, bytes(text));

/** What a refusal says; fails the test where there is none. */
async function refusal(type: string | null, body: string | Uint8Array) {
  const result = await parseBody(type, typeof body === 'string' ? bytes(body) : body);
  if (result.ok) throw new Error(`taken: ${JSON.stringify(result.value).slice(0, 200)}`);
  return result.error;
}

describe('parseBody: which parser', () => {
  it.each([
    ['application/json', '{"a":1}', { a: 1 }],
    ['Application/JSON; charset=UTF-8', '{"a":1}', { a: 1 }],
    ['application/json; charset=iso-8859-1', '"ü"', 'ü'],
    ['application/cloudevents+json', '[1]', [1]],
    ['application/vnd.x.v2+json;profile="a;b"', 'null', null],
    ['text/json', '"x"', 'x'],
    ['application/x-www-form-urlencoded', 'a=1', { a: '1' }],
    ['application/x-www-form-urlencoded; charset=UTF-8', 'a=1', { a: '1' }],
    [
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--b--',
      { a: '1' },
    ],
    ['application/xml', '<a>1</a>', { a: '1' }],
    ['text/xml; charset=utf-8', '<a>1</a>', { a: '1' }],
    ['application/soap+xml', '<a>1</a>', { a: '1' }],
    ['text/plain', '{"a":1}', '{"a":1}'],
    ['text/markdown; charset=', '# hé', '# hé'],
  ])('%s', async (type, body, value) => {
    expect(await parse(type, body)).toEqual(ok(value));
  });

  it.each([
    'application/octet-stream',
    'image/png',
    'application/pdf',
    'application/x-ndjson',
    'multipart/mixed; boundary=b',
  ])('%s is refused with what to send instead', async (type) => {
    const { status, detail } = await refusal(type, '{}');
    expect(status).toBe(415);
    expect(detail).toMatch(/^Bodies of type `.+` are not taken\. Send application\/json/);
  });

  it.each(['json', ';', 'application/json, text/plain', 'application/', '/json', `a/${'b'.repeat(600)}`])(
    '%s is no media type',
    async (type) => {
      const { status, detail } = await refusal(type, '{}');
      expect(status).toBe(415);
      expect(detail).toContain('is not a media type');
      expect(detail.length).toBeLessThan(300);
    },
  );
});

describe('parseBody: a Content-Type that is not known', () => {
  it.each([
    ['application/x-word', 'application/x-word'],
    ['text/plain; charset=x-word', 'x-word'],
    ['a word', 'a word'],
  ])('is shown as it is: %s', async (type, shown) => {
    expect((await refusal(type, 'x')).detail).toContain(`\`${shown}\``);
  });

  it.each([
    ['long', 'z'.repeat(120)],
    ['odd', 'zzzzzzzz`zzzz'],
  ])('is not shown at all when it is %s: a part of a secret could not be blotted out', async (_, word) => {
    for (const type of [`application/${word}`, `text/plain; charset=${word}`, `${word} ${word}`])
      expect((await refusal(type, 'x')).detail).not.toContain('zzz');
  });
});

describe('parseBody: without a Content-Type', () => {
  it.each([null, '', ' '])('%j and an empty body is an empty object', async (type) => {
    expect(await parse(type, '')).toEqual(ok({}));
  });

  it.each([
    ['{"a":1}', { a: 1 }],
    [' \r\n\t[1]', [1]],
  ])('%j begins like JSON and is JSON', async (body, value) => {
    expect(await parse(null, body)).toEqual(ok(value));
  });

  it('what begins like JSON and is malformed is a 400', async () => {
    expect((await refusal(null, '{"a":')).status).toBe(400);
  });

  it.each(['a=1', '<a/>', '"text"', '1', ' ', 'hello'])('%j is not guessed at', async (body) => {
    const { status, detail } = await refusal(null, body);
    expect(status).toBe(415);
    expect(detail).toContain('no Content-Type');
  });
});

describe('parseBody: empty bodies', () => {
  it.each([
    ['application/x-www-form-urlencoded', {}],
    ['text/plain', ''],
  ])('of %s are empty values', async (type, value) => {
    expect(await parse(type, '')).toEqual(ok(value));
  });

  it.each(['application/json', 'application/xml', 'multipart/form-data; boundary=b'])(
    'of %s are malformed',
    async (type) => {
      expect((await refusal(type, '')).status).toBe(400);
    },
  );
});

describe('parseBody: text', () => {
  it('is decoded by its charset', async () => {
    expect(await parseBody('text/plain; charset=iso-8859-1', new Uint8Array([0x68, 0xe9]))).toEqual(ok('hé'));
    expect(await parseBody('text/plain; charset="Shift_JIS"', new Uint8Array([0x93, 0xfa]))).toEqual(
      ok('日'),
    );
  });

  it('in a charset that is not known is a 415', async () => {
    expect(await parse('text/plain; charset=utf-7', 'x')).toEqual(
      err({ status: 415, detail: 'The charset `utf-7` is not known here. Send the body in UTF-8.' }),
    );
  });

  it('that is not valid in its charset is a 400 that says where', async () => {
    expect(await refusal('text/plain', new Uint8Array([0x61, 0x62, 0xff, 0x63]))).toEqual({
      status: 400,
      detail: 'The body is not valid utf-8: byte 3 of 4 does not fit in.',
    });
  });
});
