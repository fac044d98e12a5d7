import { expect, it } from 'vitest';
import { parseMediaType } from '../../../src/ingest/parse/text.ts';
import { parseMultipart } from '../../../src/ingest/parse/form.ts';
import { parseBody } from '../../../src/ingest/parse/parse.ts';
import { MAX_FIELDS } from '../../../src/ingest/parse/form.ts';
import { parseOwnJson } from '../../../src/lib/json.ts';
import { ok } from '../../../src/lib/result.ts';

const part = (name: string, value: string, more = ''): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const typed = (name: string, type: string, value: string) => part(name, value, `\r\nContent-Type: ${type}`);
const END = '--b--\r\n';

const TYPE = 'multipart/form-data; boundary=b';
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
/** One byte a character. */
const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

function parse(body: string | Uint8Array, type = TYPE, jsonField?: string) {
  const media = parseMediaType(type);
  if (media === null) throw new Error(`${type} is no media type`);
  return parseMultipart(media, typeof body === 'string' ? utf8(body) : body, jsonField);
}

/** The detail of a refusal. Fails the test if the body is taken. */
function refusalOf(body: string | Uint8Array, type?: string, status = 400): string {
  const result = parse(body, type);
  if (result.ok) throw new Error(`taken: ${JSON.stringify(result.value)}`);
  expect(result.error.status).toBe(status);
  return result.error.detail;
}

it('a multipart body has fields as a form has them, however its boundary is written', () => {
  const fields = part('a', '1') + part('b', 'ü\r\n2') + part('a', '3') + part('c[]', '--b x') + END;
  const expected = ok({ a: ['1', '3'], b: 'ü\r\n2', 'c[]': ['--b x'] });
  for (const boundary of ['"b"', 'b; charset=utf-8', 'b'])
    expect(parse(fields, `multipart/form-data; boundary=${boundary}`)).toEqual(expected);
  for (const written of [
    `A preamble.\r\n${fields}`,
    `${fields}an epilogue`,
    fields.replaceAll('--b\r', '--b \t\r'),
  ])
    expect(parse(written)).toEqual(expected);
  expect(parse(fields.replaceAll('\r\n', '\n'))).toEqual(ok({ ...expected.value, b: 'ü\n2' }));
  const odd = "a+b.(c)?'*";
  expect(parse(fields.replaceAll('--b', `--${odd}`), `multipart/form-data; boundary="${odd}"`)).toMatchObject(
    ok({ a: ['1', '3'] }),
  );
});

it('a multipart body keeps of a file its name, type and size, and takes none called `payload` for JSON', () => {
  const file = part('f', 'héllo', '; filename="a.txt"\r\nContent-Type: text/plain; charset=x-unknown');
  expect(parse(part('a', '1') + file + END)).toEqual(
    ok({ a: '1', f: { filename: 'a.txt', type: 'text/plain', size: 6 } }),
  );
  const json = part('payload', '{}', '; filename="x.json"\r\nContent-Type: application/json') + END;
  expect(parse(json)).toMatchObject({ ok: true, value: { payload: { filename: 'x.json', size: 2 } } });
});

it('a multipart body reads names in each way that programs write them', () => {
  for (const [written, name] of [
    ['name=a', 'a'],
    ['name="%22a%22 %C3"', '"a" %C3'],
    ['name="\\"a\\""', '"a"'],
    ['name="C:\\x\\a"', 'C:\\x\\a'],
    ['name="Größe"', 'Größe'],
    ["name*=utf-8''Gr%C3%B6%C3%9Fe", 'Größe'],
    ['filename="x"; name="a"', 'a'],
  ] as const) {
    const body = `--b\r\nX-Other: 1\r\ncontent-disposition:form-data;\r\n ${written}\r\n\r\n1\r\n${END}`;
    const fields = parse(body);
    expect(fields, written).toHaveProperty(['value', name]);
  }
  const file = parse(part('f', '', "; filename*=iso-8859-1'de'%FCber.pdf") + END);
  expect(file).toMatchObject({ ok: true, value: { f: { filename: 'über.pdf' } } });
});

it('a multipart body keeps names such as `__proto__` as plain own keys', () => {
  const result = parse(part('__proto__', '1') + part('constructor', '2') + END);
  const value = result.ok ? result.value : null;
  expect(Object.keys(value ?? {})).toEqual(['__proto__', 'constructor']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

it('a multipart body without a boundary, or that is none, is refused, and shows nothing of the body', () => {
  for (const type of ['', '; boundary=', '; boundary=""'])
    expect(refusalOf(part('a', '1') + END, `multipart/form-data${type}`)).toContain('has no `boundary`');
  for (const body of [
    '',
    'hello',
    '--c\r\n\r\n--c--',
    '--b\r\nContent-Type: text/plain\r\n\r\n1\r\n--b--',
    '--b\r\n\r\n1\r\n--b--',
    `--b\r\nX: ${'x'.repeat(20_000)}\r\n${part('a', '1').slice(5)}${END}`,
  ])
    expect(refusalOf(body)).toMatch(
      /^The multipart body of \d+ bytes is malformed: .+\. Send it again as a whole\.$/,
    );
  expect(refusalOf(part('secret-name', 'secret-value'))).not.toContain('secret');
  expect(refusalOf('--b\r\n'.repeat(100_000))).toContain('malformed');
  expect(parse(part('a', '1').repeat(MAX_FIELDS) + END).ok).toBe(true);
  expect(refusalOf(part('a', '1').repeat(MAX_FIELDS + 1) + END)).toContain('more than 5000 fields');
});

it('a multipart body is refused wherever it is cut off', () => {
  const whole = part('a', '1') + part('f', 'x--b', '; filename="a.txt"') + '--b--';
  for (let length = 0; length < whole.length; length += 1)
    expect(refusalOf(whole.slice(0, length))).toContain('malformed');
  expect(parse(whole).ok).toBe(true);
});

it('a part is in its own charset, or that of its form, or that of a list of charsets', () => {
  const charsets = part('charsets', '{"subject":"UTF-8","text":"windows-1252"}');
  for (const [body, text] of [
    [typed('text', 'text/plain; charset=ISO-8859-1', 'Ren\xe9e'), 'Renée'],
    [part('text', 'M\xfchle') + charsets, 'Mühle'],
    [part('text', 'M\xfchle') + part('_charset_', 'iso-8859-15'), 'Mühle'],
    [part('text', '\x93\xfa') + part('charset', 'Shift_JIS'), '日'],
    [typed('text', 'text/plain; charset=utf-8', '\xc3\xbc') + charsets, 'ü'],
  ] as const)
    expect([body, parse(latin1(body + END))]).toEqual([body, ok(expect.objectContaining({ text }))]);
  expect(parse(latin1(part('text', '\xfc') + END), `${TYPE}; charset=latin1`)).toEqual(ok({ text: 'ü' }));
  expect(parse(latin1(part('Gr\xf6\xdfe', 'M') + part('_charset_', 'latin1') + END))).toMatchObject(
    ok({ Größe: 'M' }),
  );
});

it('a part is refused if its bytes are no text in its charset, or nobody knows that', () => {
  for (const text of ['M\xfchle', '\xe2\x82', '\xff\xfe'])
    expect(refusalOf(latin1(part('a', '1') + part('text', text) + END))).toContain(
      'Field 2 of the form does not decode to valid utf-8',
    );
  expect(refusalOf(latin1(part('f', '', '; filename="\xfc.pdf"') + END))).toContain('Field 1');
  expect(refusalOf(typed('a', 'text/plain; charset=utf-7', 'a') + END, TYPE, 415)).toContain('`utf-7`');
});

it('a part is decoded from quoted-printable and base64, and refused in another encoding', () => {
  const encoded = (encoding: string, value: string) =>
    part('a', value, `\r\nContent-Transfer-Encoding: ${encoding}`) + END;
  for (const [encoding, value] of [
    ['quoted-printable', 'Ren=C3=A9e =3D=\r\n 100%'],
    ['Quoted-Printable', 'Ren=c3=a9e =3D= \n 100%'],
    ['base64', 'UmVuw6ll\r\nID0gMTAwJQ=='],
    ['8bit', 'Renée = 100%'],
  ] as const)
    expect([value, parse(encoded(encoding, value))]).toEqual([value, ok({ a: 'Renée = 100%' })]);
  const latin = part(
    'a',
    'Ren=E9e',
    '\r\nContent-Type: text/plain; charset=latin1\r\nContent-Transfer-Encoding: quoted-printable',
  );
  expect(parse(latin + END)).toEqual(ok({ a: 'Renée' }));
  for (const [encoding, value] of [
    ['base64', 'not base64'],
    ['quoted-printable', 'Ren=E9e'],
    ['uuencode', 'x'],
  ] as const)
    expect(refusalOf(encoded(encoding, value))).toContain('Field 1');
});

it('a part that says that it is JSON is what that holds; any other stays text', () => {
  const json = '{"event":"media.stop","Metadata":{"title":"Dunes"}}';
  const body =
    typed('data', 'application/json', json) + part('text', json) + typed('none', 'text/json', '') + END;
  expect(parse(body)).toEqual(ok({ data: parseOwnJson<unknown>(json), text: json, none: '' }));
  expect(refusalOf(typed('data', 'application/json', '{"a":') + END)).toContain('not valid JSON');
});

it('a part of JSON that is the whole payload is the payload', async () => {
  const only = typed('payload', 'application/json', '{"a":1}') + END;
  expect(await parseBody(TYPE, utf8(only))).toMatchObject(ok({ format: 'json_in_form', payload: { a: 1 } }));
  const data = typed('data', 'application/json', '{"a":1}') + part('other', 'x') + END;
  expect(await parseBody(TYPE, utf8(data), { json_field: 'data' })).toMatchObject(ok({ payload: { a: 1 } }));
});
