import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_FIELDS, parseForm } from '../../../src/ingest/parse/form.ts';
import { parseMediaType, decodeText } from '../../../src/ingest/parse/text.ts';
import { parseBody } from '../../../src/ingest/parse/parse.ts';
import { err, ok } from '../../../src/lib/result.ts';
import { anyText } from '../any-text.ts';

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=b';

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
const part = (text: string) =>
  `--b\r\nContent-Disposition: form-data; name="payload"\r\n\r\n${text}\r\n--b--\r\n`;
const field = (text: string): string => new URLSearchParams([['payload', text]]).toString();

it('a body is read as its Content-Type says', async () => {
  for (const [type, body, value] of [
    ['application/json', '{"a":1}', { a: 1 }],
    ['Application/JSON; charset=UTF-8', '{"a":1}', { a: 1 }],
    ['application/vnd.x.v2+json;profile="a;b"', 'null', null],
    ['text/json', '"x"', 'x'],
    // A header that was sent twice arrives as one.
    ['application/json, application/json', '{"a":1}', { a: 1 }],
    [`${FORM},${FORM}; charset=UTF-8`, 'a=1', { a: '1' }],
    ['application/json', '', {}],
    ['application/vnd.x+json', '\ufeff \r\n', {}],
    [FORM, 'a=1', { a: '1' }],
    [`${FORM}; charset=UTF-8`, 'a=1', { a: '1' }],
    [MULTIPART, '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--b--', { a: '1' }],
    ['application/xml', '<a>1</a>', { a: '1' }],
    ['text/xml; charset=utf-8', '<a>1</a>', { a: '1' }],
    ['application/soap+xml', '<a>1</a>', { a: '1' }],
    ['text/markdown; charset=', '# hé', '# hé'],
    [FORM, '', {}],
    ['text/plain', '', ''],
    // Without a type, only an empty body and what begins like JSON.
    [null, '', {}],
    ['', '', {}],
    [' ', '', {}],
    [null, '{"a":1}', { a: 1 }],
    [null, ' \r\n\t[1]', [1]],
  ] as const)
    expect([type, body, await parse(type, body)]).toEqual([type, body, ok(value)]);
});

it('a body of a type that nobody reads, or without one, is 415 and never guessed at', async () => {
  const types = [
    'application/octet-stream',
    'image/png',
    'application/x-ndjson',
    'multipart/mixed; boundary=b',
  ];
  for (const type of types) {
    const { status, detail } = await refusal(type, '{}');
    expect(status).toBe(415);
    expect(detail).toMatch(/^Bodies of type `.+` are not accepted\. Send application\/json/);
  }
  for (const type of [
    'json',
    ';',
    'application/json, text/plain',
    'application/',
    '/json',
    `a/${'b'.repeat(600)}`,
  ]) {
    const { status, detail } = await refusal(type, '{}');
    expect([status, detail]).toEqual([415, expect.stringContaining('is not a media type')]);
    expect(detail.length).toBeLessThan(300);
  }
  for (const body of ['a=1', '<a/>', '"text"', '1', ' ', 'hello']) {
    const { status, detail } = await refusal(null, body);
    expect([status, detail]).toEqual([415, expect.stringContaining('no Content-Type')]);
  }
  expect(await parse('text/plain; charset=utf-7', 'x')).toEqual(
    err({ status: 415, detail: 'The charset `utf-7` is not supported. Send the body in UTF-8.' }),
  );
});

it('a body that is not what its type says is 400', async () => {
  for (const type of ['application/xml', MULTIPART]) expect((await refusal(type, '')).status).toBe(400);
  expect((await refusal(null, '{"a":')).status).toBe(400);
  expect(await refusal('text/plain', new Uint8Array([0x61, 0x62, 0xff, 0x63]))).toEqual({
    status: 400,
    detail: 'The body is not valid utf-8: byte 3 of 4 is invalid.',
  });
});

it('a body of an unknown type is shown as it is, but not where it is odd: a part of a secret could not be redacted', async () => {
  for (const [type, shown] of [
    ['application/x-word', 'application/x-word'],
    ['text/plain; charset=x-word', 'x-word'],
    ['a word', 'a word'],
  ] as const)
    expect((await refusal(type, 'x')).detail).toContain(`\`${shown}\``);
  for (const word of ['z'.repeat(120), 'zzzzzzzz`zzzz'])
    for (const type of [`application/${word}`, `text/plain; charset=${word}`, `${word} ${word}`])
      expect((await refusal(type, 'x')).detail).not.toContain('zzz');
});

it('a body says in which format it was', async () => {
  for (const [type, body, format] of [
    ['application/json', '{"a":1}', 'json'],
    ['Application/Problem+JSON; charset=latin1', '{"a":1}', 'json'],
    [null, '', 'json'],
    [' ', '[]', 'json'],
    [FORM, 'a=1', 'form'],
    [`\t${FORM} ; charset=utf-8`, 'payload=a', 'form'],
    [FORM, 'payload={"a":1}', 'json_in_form'],
    [FORM, 'payload={}&payload={}', 'form'],
    [MULTIPART, part('1'), 'multipart'],
    [MULTIPART, part('{}'), 'json_in_form'],
    ['application/xml', '<a/>', 'xml'],
    ['text/plain', 'a', 'text'],
    ['text/plain', '{"a":1}', 'json'],
    [FORM, '{"a":1}', 'json'],
  ] as const) {
    const parsed = await parseBody(type, bytes(body));
    expect([type, body, parsed.ok && parsed.value.format]).toEqual([type, body, format]);
  }
});

it('a body keeps what was sent beside what a provider makes of it', async () => {
  const quirks = { json_texts: ['Message'] };
  expect(await parseBody('text/plain', bytes('{"Message":"{\\"a\\": 1}"}'), quirks)).toEqual(
    ok({ format: 'json', sent: { Message: '{"a": 1}' }, payload: { Message: { a: 1 } } }),
  );
  const form = await parseBody(FORM, bytes('data={"b":"[2]"}'), { json_field: 'data', json_texts: ['b'] });
  expect(form).toEqual(ok({ format: 'json_in_form', sent: { b: '[2]' }, payload: { b: [2] } }));
});

it('JSON by another name is read as JSON: as a form, as text, without a type, and in its own charset', async () => {
  const json = '{"title":"x=1&y=2 %","n":[1]}';
  for (const type of [FORM, 'text/plain;charset=UTF-8', 'text/html', null])
    for (const body of [json, ` \n${json}`, `\ufeff${json}`, '[{}]'])
      expect([type, body, await parse(type, body)]).toEqual([type, body, ok(JSON.parse(body.trim()))]);
  for (const charset of ['utf-16le', 'iso-8859-1'])
    expect(await parse(`text/plain; charset=${charset}`, '{"a":"ü"}')).toEqual(ok({ a: 'ü' }));
  const wide = new Uint8Array(Uint16Array.from('{"a":"ü"}', (character) => character.charCodeAt(0)).buffer);
  expect(await payloadOf('text/plain; charset=utf-16le', wide)).toEqual(ok({ a: 'ü' }));
  const latin = Uint8Array.from('{"a":"ü"}', (character) => character.charCodeAt(0));
  expect(await payloadOf('application/json; charset=latin1', latin)).toEqual(ok({ a: 'ü' }));
  expect((await refusal('application/json', latin)).status).toBe(400);
  expect(await parse('application/json; charset=latin1', '{"a":"ü"}')).toEqual(ok({ a: 'ü' }));
});

it('JSON by another name is only what is an object or a list: real text and forms stay what they are', async () => {
  for (const text of ['[urgent] call', '{name} called', '"x"', '12', '{"a":1} {"b":2}', '[1,'])
    expect([text, await parse('text/plain', text)]).toEqual([text, ok(text)]);
  for (const [body, value] of [
    ['a={"b":1}&c=[1]', { a: '{"b":1}', c: '[1]' }],
    ['[]=1', { '[]': ['1'] }],
    ['[0]=a', { '[0]': 'a' }],
  ] as const)
    expect([body, await parse(FORM, body)]).toEqual([body, ok(value)]);
});

it('JSON by another name is refused when it is malformed or deep: nobody would read what a form makes of it', async () => {
  for (const body of ['{"a":1,}', "{'a':'b=c'}", `${'['.repeat(101)}${']'.repeat(101)}`])
    expect((await refusal(FORM, body)).status).toBe(400);
  expect((await refusal('text/plain', '['.repeat(200) + ']'.repeat(200))).detail).toContain('too deep');
});

it('a form of one field `payload` of JSON is that JSON; of other text or with other fields it stays a form', async () => {
  for (const json of ['{"a":[1]}', '[1]', ' {"a":"&=%+"}'])
    expect(await parse(FORM, field(json))).toEqual(ok(JSON.parse(json)));
  for (const text of ['hello', '1', '"x"', ''])
    expect(await parse(FORM, field(text))).toEqual(ok({ payload: text }));
  expect(await parse(FORM, `${field('{}')}&a=1`)).toEqual(ok({ payload: '{}', a: '1' }));
  expect(await parse(FORM, `${field('{}')}&${field('{}')}`)).toEqual(ok({ payload: ['{}', '{}'] }));
  for (const mark of ['', '\ufeff'])
    expect(await parse(MULTIPART, part(`${mark}{"a":1}`))).toEqual(ok({ a: 1 }));
});

it('a form of one field `payload` of malformed or deep JSON is refused', async () => {
  expect((await refusal(FORM, field('{"a":'))).detail).toBe(
    'The form field `payload` is not valid JSON: at line 1, column 6, it ends where a value should be.',
  );
  expect((await refusal(MULTIPART, part('{"a":'))).detail).toContain('field `payload` is not valid JSON');
  for (const levels of [101, 100_000])
    expect((await refusal(FORM, field('['.repeat(levels) + ']'.repeat(levels)))).detail).toContain(
      'nested too deep',
    );
});

const fieldsOf = (text: string, charset?: string) => parseForm(bytes(text), charset);

const detailOf = (text: string) => {
  const result = fieldsOf(text);
  return result.ok ? 'taken' : result.error.detail;
};

it('a form is an object of its fields', () => {
  for (const [text, value] of [
    ['a=1&a=2&b=3&a=4', { a: ['1', '2', '4'], b: '3' }],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['=1', { '': '1' }],
    ['%EF%BB%BF=%EF%BB%BF', { '\ufeff': '\ufeff' }],
    ['a=b=c', { a: 'b=c' }],
    ['&&a=1&', { a: '1' }],
    ['a+b=c+d%2B', { 'a b': 'c d+' }],
    ['%C3%BC=%e2%82%ac', { ü: '€' }],
    ['a=ü', { a: 'ü' }],
  ] as const)
    expect([text, fieldsOf(text)]).toEqual([text, ok(value)]);
  expect(fieldsOf('a=%e9', 'iso-8859-1')).toEqual(ok({ a: 'é' }));
  expect(fieldsOf('a=%93%fa', 'shift_jis')).toEqual(ok({ a: '日' }));
  for (const charset of ['utf-7', 'utf-16', 'utf-16be'])
    expect(fieldsOf('a=1', charset)).toMatchObject({ ok: false, error: { status: 415 } });
});

it('a form is read as URLSearchParams writes it', () => {
  const text = anyText();
  const values = fc.array(text, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.dictionary(text, values, { noNullPrototype: true }), (fields) => {
      fc.pre(!Object.hasOwn(fields, 'payload'));
      const all = Object.entries(fields);
      const pairs = all.flatMap(([name, some]) => some.map((value) => [name, value]));
      const expected = all.map(([name, some]) => [
        name,
        some.length === 1 && !name.endsWith('[]') ? some[0] : some,
      ]);
      expect(fieldsOf(new URLSearchParams(pairs).toString())).toEqual(ok(Object.fromEntries(expected)));
    }),
  );
});

it('a form keeps names such as `__proto__` as plain own keys', () => {
  const result = fieldsOf('__proto__=1&constructor=2&hasOwnProperty=3&__proto__=4&toString=5');
  const value = result.ok ? result.value : null;
  expect(Object.entries(value ?? {})).toEqual([
    ['__proto__', ['1', '4']],
    ['constructor', '2'],
    ['hasOwnProperty', '3'],
    ['toString', '5'],
  ]);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

it('a form has signs that start no escape as they are', () => {
  for (const [text, value] of [
    ['host=oven-3&text=Load 87% high', { host: 'oven-3', text: 'Load 87% high' }],
    ['a=20% off%21', { a: '20% off!' }],
    ['a=%&b=%4&%=%zz', { a: '%', b: '%4', '%': '%zz' }],
    ['a=100%&b=%%41', { a: '100%', b: '%A' }],
  ] as const)
    expect([text, fieldsOf(text)]).toEqual([text, ok(value)]);
});

it('a form has a list where a name says so, though only one box was ticked', () => {
  expect(fieldsOf('size[]=xl&color[0]=red')).toEqual(ok({ 'size[]': ['xl'], 'color[0]': 'red' }));
});

it('a form is in the charset that it names, in the way of browsers or of PayPal, if that is one', () => {
  for (const [text, value] of [
    ['a=%fc%80&_charset_=windows-1252', 'ü€'],
    ['charset=windows-1252&a=%fc', 'ü'],
    ['a=%93%fa&charset=Shift_JIS', '日'],
    ['a=%c3%bc&charset=bold', 'ü'],
  ] as const)
    expect([text, fieldsOf(text)]).toEqual([text, ok(expect.objectContaining({ a: value }))]);
  expect(fieldsOf('a=%fc&charset=bold')).toMatchObject({ ok: false, error: { status: 400 } });
});

it('a form with bytes that are no text, or too many fields is refused with the place', () => {
  expect(detailOf('ok=1&a=%ff')).toBe(
    'Field 2 of the form does not decode to valid utf-8. Send it in UTF-8, or name its charset in a field `_charset_`.',
  );
  expect(fieldsOf('a=1&'.repeat(MAX_FIELDS)).ok).toBe(true);
  const detail = 'The form has more than 5000 fields. Send fewer.';
  expect(fieldsOf('a=1&'.repeat(MAX_FIELDS + 1))).toEqual(err({ status: 400, detail }));
});

const parts = (text: string) => {
  const media = parseMediaType(text);
  return media === null ? null : [media.essence, Object.fromEntries(media.parameters)];
};

it('a media type has its parameters, or is none', () => {
  for (const [text, expected] of [
    ['text/plain', ['text/plain', {}]],
    [' Text/Plain ; Charset = utf-8', ['text/plain', {}]],
    ['text/plain;charset=UTF-8', ['text/plain', { charset: 'UTF-8' }]],
    ['multipart/form-data; boundary="a b;\\"c"', ['multipart/form-data', { boundary: 'a b;"c' }]],
    ['text/plain; charset=a; CHARSET=b', ['text/plain', { charset: 'a' }]],
    ['text/plain; x="; charset=z"; charset=utf-8', ['text/plain', { x: '; charset=z', charset: 'utf-8' }]],
    ['text/plain;', ['text/plain', {}]],
    ...['', 'text', 'text/', '/plain', 'te xt/plain', 'text/plain text/html', '"text/plain"'].map(
      (none) => [none, null] as const,
    ),
  ] as const)
    expect([text, parts(text)]).toEqual([text, expected]);
});

it('a text is decoded by its charset alone, whatever the body before it was', () => {
  expect(decodeText(Uint8Array.of(0x61, 0xc3)).ok).toBe(false);
  expect(decodeText(Uint8Array.of(0xbc)).ok).toBe(false);
  expect(decodeText(bytes('ü'))).toEqual(ok('ü'));
  for (let turn = 0; turn < 2; turn += 1) expect(decodeText(bytes('\uFEFFa'))).toEqual(ok('a'));
  expect(decodeText(Uint8Array.of(0xfc), 'latin1')).toEqual(ok('ü'));
  expect(decodeText(bytes('ü'))).toEqual(ok('ü'));
});
