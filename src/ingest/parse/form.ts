import { createCache } from '../../lib/cache.ts';
import { decodeText, decodeUtf8 } from '../../lib/encoding.ts';
import { ownValue } from '../../lib/json.ts';
import { ok } from '../../lib/result.ts';
import { parseJson } from './json.ts';
import {
  decoderFor,
  isJsonType,
  malformed,
  parametersOf,
  parseMediaType,
  unsupported,
  type MediaType,
  type Parsed,
} from './text.ts';

/** Real forms have some dozens; each field becomes a key of an object. */
export const MAX_FIELDS = 5_000;

type FormField = readonly [name: string, value: unknown];

const [AMPERSAND, EQUALS, PLUS, PERCENT, SPACE] = [0x26, 0x3d, 0x2b, 0x25, 0x20] as const;

/** As in the URL standard; but bytes have to be valid text in the charset that the form names, or else `charset`. */
export function parseForm(body: Uint8Array, charset = 'utf-8'): Parsed {
  const raw: ReturnType<typeof rawField>[] = [];
  for (let start = 0; start < body.length;) {
    const ampersand = body.indexOf(AMPERSAND, start);
    const end = ampersand < 0 ? body.length : ampersand;
    if (end > start) {
      if (raw.length === MAX_FIELDS) return tooManyFields();
      raw.push(rawField(body.subarray(start, end)));
    }
    start = end + 1;
  }
  const named = namedCharset((field) => raw.find(({ name }) => ascii(name) === field)?.value);
  const decoder = decoderFor(named ?? charset);
  if (!decoder.ok) return decoder;
  const { encoding } = decoder.value;
  if (encoding.startsWith('utf-16')) return unsupported(`A form cannot be in ${encoding}. Send it in UTF-8.`);
  const fields: FormField[] = [];
  for (const { name, value } of raw) {
    const nameText = decodeField(name, decoder.value, fields.length);
    if (!nameText.ok) return nameText;
    const valueText = decodeField(value, decoder.value, fields.length);
    if (!valueText.ok) return valueText;
    fields.push([nameText.value, valueText.value]);
  }
  return ok(formObject(fields));
}

const tooManyFields = () => malformed(`The form has more than ${MAX_FIELDS} fields. Send fewer.`);

/** A repeated field is a list of its values, as is each whose name ends in `[]`; `__proto__` is a plain own key. */
function formObject(fields: readonly FormField[]): Record<string, unknown> {
  const byName = Map.groupBy(fields, ([name]) => name);
  // fromEntries defines each key and never assigns, so `__proto__` is a key like any other.
  return Object.fromEntries(
    [...byName].map(([name, same]) => {
      const values = same.map(([, value]) => value);
      return [name, values.length === 1 && !name.endsWith('[]') ? values[0] : values];
    }),
  );
}

export const CHARSET_FIELD = '_charset_';
/** The fields by which forms name their charset: that of the HTML standard, and that of PayPal. */
const CHARSET_FIELDS = [CHARSET_FIELD, 'charset'];

/** Returns the charset that a form names; undefined if it names none that is known. `valueOf`: a field's first value. */
const namedCharset = (valueOf: (field: string) => Uint8Array | undefined): string | undefined =>
  CHARSET_FIELDS.map((field) => ascii(valueOf(field) ?? new Uint8Array())).find(
    (charset) => decoderFor(charset).ok,
  );

/** Returns the beginning of a text: charsets and their fields have short names. */
const ascii = (bytes: Uint8Array): string => String.fromCharCode(...bytes.subarray(0, 64));

/** Decodes the bytes of a field; `at` is its index in the form. */
function decodeField(bytes: Uint8Array, decoder: TextDecoder, at: number): Parsed<string> {
  try {
    return ok(decoder.decode(bytes));
  } catch {
    return malformed(
      `Field ${at + 1} of the form does not decode to valid ${decoder.encoding}. Send it in UTF-8, or name its charset in a field \`_charset_\`.`,
    );
  }
}

/** The bytes of a field, whose charset is not known yet. */
function rawField(bytes: Uint8Array) {
  const equals = bytes.indexOf(EQUALS);
  const end = equals < 0 ? bytes.length : equals;
  const [name, value] = [bytes.subarray(0, end), bytes.subarray(end + 1)];
  return { name: unescaped(name, PERCENT, PLUS), value: unescaped(value, PERCENT, PLUS) };
}

/** A sign with two hex digits after it is one byte, any other is itself. `space`: the sign that stands for a space. */
function unescaped(bytes: Uint8Array, sign: number, space?: number): Uint8Array {
  const made = new Uint8Array(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i += 1, length += 1) {
    const byte = bytes[i] ?? 0;
    const high = byte === sign ? HEX.get(bytes[i + 1] ?? 0) : undefined;
    const low = high === undefined ? undefined : HEX.get(bytes[i + 2] ?? 0);
    if (high !== undefined && low !== undefined) {
      made[length] = high * 16 + low;
      i += 2;
    } else made[length] = byte === space ? SPACE : byte;
  }
  return made.subarray(0, length);
}

const HEX = new Map(
  Array.from('0123456789abcdefABCDEF', (digit) => [digit.charCodeAt(0), Number.parseInt(digit, 16)]),
);

/** Checks that a query is text: the platform reads it as UTF-8, and hides what is none behind replacement characters. */
export function checkQuery({ search }: URL): Parsed<null> {
  if (!search.includes('%')) return ok(null);
  const place = search
    .slice(1)
    .split('&')
    .findIndex((one) => decodeUtf8(unescaped(new TextEncoder().encode(one), PERCENT)) === null);
  return place < 0
    ? ok(null)
    : malformed(
        `Parameter ${place + 1} of the query is not valid utf-8. Write the address in UTF-8, such as \`%C3%A4\` for ä.`,
      );
}

/** `head`: the bytes of its headers, if they are not UTF-8; `headers` then says only what is ASCII in them. */
type Part = Readonly<{ headers: PartHeaders; head: Uint8Array | null; content: Uint8Array }>;

const NO_BOUNDARY = 'The Content-Type has no `boundary`. Send the one that separates the parts of the body.';

/**
 * A `multipart/form-data` body as an object like a form's, see `formObject`; files lose their content, of which no
 * template has a use, and a part that says that it is JSON is what that holds. `jsonField`: a field that stays text, since
 * it is the whole payload. This is not the platform's parser, which reads every text as UTF-8 and hides what is none.
 */
export function parseMultipart(media: MediaType, body: Uint8Array, jsonField?: string): Parsed {
  const boundary = media.parameters.get('boundary') ?? '';
  if (boundary === '') return malformed(NO_BOUNDARY);
  const parts = splitParts(body, boundary);
  if (!parts.ok) return parts;
  const decoderOf = decodersOf(parts.value, media);
  const texts = parts.value.length === 1 ? [jsonField, 'payload'] : [jsonField];
  const fields: FormField[] = [];
  for (const part of parts.value) {
    const field = readField(part, fields.length, decoderOf(part.headers), texts);
    if (!field.ok) return field;
    fields.push(field.value);
  }
  return ok(formObject(fields));
}

/** More than any real part has. It bounds the work of the patterns below. */
const MAX_HEAD_BYTES = 16_384;

function splitParts(body: Uint8Array, boundary: string): Parsed<readonly Part[]> {
  const broken = (fault: string) =>
    malformed(`The multipart body of ${body.length} bytes is malformed: ${fault}. Send it again as a whole.`);
  // One character a byte, so that a place in the text is a place in the bytes. Only its ASCII means anything.
  const text = new TextDecoder('latin1').decode(body);
  const escaped = boundary.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const delimiter = new RegExp(`(?:^|\\r?\\n)--${escaped}(--)?[ \\t]*(?:\\r?\\n|$)`, 'g');
  const parts: Part[] = [];
  let start: number | null = null;
  for (const { 0: line, 1: isLast, index } of text.matchAll(delimiter)) {
    if (start !== null) {
      if (parts.length === MAX_FIELDS) return tooManyFields();
      const blank = /\r?\n\r?\n/.exec(text.slice(start, index));
      if (blank === null || blank.index > MAX_HEAD_BYTES)
        return broken('the headers of a part do not end, or are too long');
      const end = start + blank.index;
      const head = body.subarray(start, end);
      // Most programs write names in UTF-8, whatever the text is in.
      const utf8 = decodeUtf8(head);
      const headers = headersOf(utf8 ?? text.slice(start, end));
      if (headers.name === undefined) return broken('a part has no Content-Disposition with a name');
      const content = body.subarray(end + blank[0].length, index);
      parts.push({ headers, head: utf8 === null ? head : null, content });
    }
    if (isLast !== undefined) return ok(parts);
    start = index + line.length;
  }
  return broken(
    start === null
      ? 'it does not have the boundary that its Content-Type names'
      : 'its last part does not end with the boundary',
  );
}

type PartHeaders = ReturnType<typeof headersOf>;

const DISPOSITION = /^content-disposition[ \t]*:([^\r\n]*)/im;
const TYPE = /^content-type[ \t]*:([^\r\n]*)/im;
const TRANSFER = /^content-transfer-encoding[ \t]*:([^\r\n]*)/im;

/** `filename`: undefined if the part is no file. */
function headersOf(head: string) {
  const lines = head.replaceAll(/\r?\n[ \t]+/g, ' ');
  const [disposition = '', type = '', transfer = ''] = [DISPOSITION, TYPE, TRANSFER].map(
    (header) => header.exec(lines)?.[1],
  );
  const parameters = parametersOf(disposition);
  return {
    name: parameterOf(parameters, 'name'),
    filename: parameterOf(parameters, 'filename'),
    media: parseMediaType(type),
    transfer: transfer.trim().toLowerCase(),
  };
}

/** Browsers escape quotes and line ends in their own way, and some programs all that is not ASCII (RFC 8187). */
const parameterOf = (parameters: ReadonlyMap<string, string>, name: string): string | undefined =>
  extendedValue(parameters.get(`${name}*`) ?? '') ??
  parameters.get(name)?.replace(/%(?:22|0[AD])/gi, decodeURIComponent);

function extendedValue(text: string): string | undefined {
  const [, charset, value = ''] = /^([^']+)'[^']*'(.*)$/.exec(text) ?? [];
  const decoder = charset === undefined ? null : decoderFor(charset);
  if (!decoder?.ok) return undefined;
  const decoded = decodeField(unescaped(new TextEncoder().encode(value), PERCENT), decoder.value, 0);
  return decoded.ok ? decoded.value : undefined;
}

/** The decoder of a part's charset: its own, that of SendGrid's list by field, or that of the whole form. */
function decodersOf(parts: readonly Part[], { parameters }: MediaType) {
  const valueOf = (field: string): Uint8Array | undefined =>
    parts.find(({ headers }) => headers.name === field)?.content;
  const list = parseJson(decodeUtf8(valueOf('charsets') ?? new Uint8Array()) ?? '', 'The body');
  const whole = namedCharset(valueOf) ?? (parameters.get('charset') || 'utf-8');
  // The sender writes their names.
  const decoders = createCache<ReturnType<typeof decoderFor>>(8);
  return ({ name = '', media }: PartHeaders) => {
    const listed = list.ok && !name.includes('.') ? ownValue(list.value, name) : undefined;
    const charset = media?.parameters.get('charset') || (typeof listed === 'string' && listed) || whole;
    return decoders(charset, () => decoderFor(charset));
  };
}

/** `texts`: the names of fields that are the whole payload, and stay text. */
function readField(
  part: Part,
  at: number,
  decoder: Parsed<TextDecoder>,
  texts: readonly (string | undefined)[],
): Parsed<FormField> {
  const decoded = (bytes: Uint8Array) => (decoder.ok ? decodeField(bytes, decoder.value, at) : decoder);
  const head = part.head === null ? null : decoded(part.head);
  if (head?.ok === false) return head;
  const { name = '', filename, media, transfer } = head === null ? part.headers : headersOf(head.value);
  const bytes = transferred(part.content, transfer);
  if (bytes === null) return malformed(`Field ${at + 1} of the form ${NOT_TRANSFERRED}.`);
  if (filename !== undefined)
    return ok([name, { filename, type: media?.essence ?? '', size: bytes.byteLength }]);
  const text = decoded(bytes);
  if (!text.ok) return text;
  const isText = media === null || !isJsonType(media) || texts.includes(name) || text.value.trim() === '';
  const value = isText ? text : parseJson(text.value, `Field ${at + 1} of the form`);
  return value.ok ? ok([name, value.value]) : value;
}

const NOT_TRANSFERRED =
  'is not in its Content-Transfer-Encoding, or that is none of base64, quoted-printable, 7bit, 8bit and binary';

/** Returns the bytes of a part; null if they are not in the encoding that its headers name. */
function transferred(content: Uint8Array, encoding: string): Uint8Array | null {
  if (['', '7bit', '8bit', 'binary'].includes(encoding)) return content;
  const text = decodeUtf8(content);
  if (text === null) return null;
  if (encoding === 'base64') return decodeText(text.replaceAll(/\s+/g, ''), 'base64');
  if (encoding !== 'quoted-printable') return null;
  // A line that ends in `=` continues.
  return unescaped(new TextEncoder().encode(text.replaceAll(/=[ \t]*\r?\n/g, '')), EQUALS);
}
