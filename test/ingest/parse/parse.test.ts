import { describe, expect, it } from 'vitest';
import { parseBody } from '../../../src/ingest/parse/parse.ts';
import { err, ok } from '../../../src/lib/result.ts';

const FORM = 'application/x-www-form-urlencoded';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
/** The payload that a body is read as. */
async function payloadOf(type: string | null, body: Uint8Array) {
  const parsed = await parseBody(type, body);
  return parsed.ok ? ok(parsed.value.payload) : parsed;
}
const parse = (type: string | null, text: string) => payloadOf(type, bytes(text));

/** The refusal. Fails the test if the body is taken. */
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
    expect(detail).toMatch(/^Bodies of type `.+` are not accepted\. Send application\/json/);
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
  ])('is not shown at all when it is %s: a part of a secret could not be redacted', async (_, word) => {
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
    expect(await payloadOf('text/plain; charset=iso-8859-1', new Uint8Array([0x68, 0xe9]))).toEqual(ok('hé'));
    expect(await payloadOf('text/plain; charset="Shift_JIS"', new Uint8Array([0x93, 0xfa]))).toEqual(
      ok('日'),
    );
  });

  it('in a charset that is not known is a 415', async () => {
    expect(await parse('text/plain; charset=utf-7', 'x')).toEqual(
      err({ status: 415, detail: 'The charset `utf-7` is not supported. Send the body in UTF-8.' }),
    );
  });

  it('that is not valid in its charset is a 400 that says where', async () => {
    expect(await refusal('text/plain', new Uint8Array([0x61, 0x62, 0xff, 0x63]))).toEqual({
      status: 400,
      detail: 'The body is not valid utf-8: byte 3 of 4 is invalid.',
    });
  });
});

describe('parseBody: what it says that a body is', () => {
  const MULTIPART = '--x\r\nContent-Disposition: form-data; name="payload"\r\n\r\n';

  it.each([
    ['application/json', '{"a":1}', 'json'],
    ['Application/Problem+JSON; charset=latin1', '{"a":1}', 'json'],
    [null, '', 'json'],
    [' ', '[]', 'json'],
    [FORM, 'a=1', 'form'],
    [`\t${FORM} ; charset=utf-8`, 'payload=a', 'form'],
    [FORM, 'payload={"a":1}', 'json_in_form'],
    [FORM, 'payload={}&payload={}', 'form'],
    ['multipart/form-data; boundary=x', `${MULTIPART}1\r\n--x--`, 'multipart'],
    ['multipart/form-data; boundary=x', `${MULTIPART}{}\r\n--x--`, 'json_in_form'],
    ['application/xml', '<a/>', 'xml'],
    ['text/plain', '{"a":1}', 'text'],
  ])('%j: %j', async (type, body, format) => {
    const parsed = await parseBody(type, bytes(body));
    expect(parsed).toMatchObject({ ok: true, value: { format } });
  });

  it('keeps what was sent beside what a provider makes of it', async () => {
    const quirks = { json_types: ['text/plain'], json_texts: ['Message'] };
    const body = bytes('{"Message":"{\\"a\\": 1}"}');
    expect(await parseBody('text/plain', body, quirks)).toEqual(
      ok({ format: 'json', sent: { Message: '{"a": 1}' }, payload: { Message: { a: 1 } } }),
    );
    const form = await parseBody(FORM, bytes('data={"b":"[2]"}'), { json_field: 'data', json_texts: ['b'] });
    expect(form).toEqual(ok({ format: 'json_in_form', sent: { b: '[2]' }, payload: { b: [2] } }));
  });
});

const part = (text: string) =>
  `--b\r\nContent-Disposition: form-data; name="payload"\r\n\r\n${text}\r\n--b--\r\n`;
const field = (text: string): string => new URLSearchParams([['payload', text]]).toString();

describe('parseBody: a form of one field `payload`', () => {
  it.each(['{"a":[1]}', '[1]', ' {"a":"&=%+"}'])('of JSON is that JSON: %s', async (json) => {
    expect(await parse(FORM, field(json))).toEqual(ok(JSON.parse(json)));
  });

  it.each(['hello', '1', '"x"', ''])('of other text stays a form: %j', async (text) => {
    expect(await parse(FORM, field(text))).toEqual(ok({ payload: text }));
  });

  it('with other fields beside it stays a form', async () => {
    expect(await parse(FORM, `${field('{}')}&a=1`)).toEqual(ok({ payload: '{}', a: '1' }));
    expect(await parse(FORM, `${field('{}')}&${field('{}')}`)).toEqual(ok({ payload: ['{}', '{}'] }));
  });

  it('of malformed JSON is refused', async () => {
    expect((await refusal(FORM, field('{"a":'))).detail).toBe(
      'The form field `payload` is not valid JSON: at line 1, column 6, it ends where a value should be.',
    );
  });

  it.each([101, 10_000, 100_000])('of JSON %d levels deep is refused', async (levels) => {
    expect((await refusal(FORM, field('['.repeat(levels) + ']'.repeat(levels)))).detail).toContain(
      'nested too deep',
    );
  });

  it('in a multipart is that JSON, too', async () => {
    const type = 'multipart/form-data; boundary=b';
    expect(await parse(type, part('{"a":1}'))).toEqual(ok({ a: 1 }));
    expect((await refusal(type, part('{"a":'))).detail).toContain(
      'The form field `payload` is not valid JSON',
    );
  });
});
