import { ok } from '../../lib/result.ts';
import { malformed, unsupported, decoderFor, type Parsed } from './text.ts';
import { decodeUtf8 } from '../../lib/encoding.ts';

/** Real forms have some dozens; each field becomes a key of an object. */
export const MAX_FIELDS = 5_000;

export type FormField = readonly [name: string, value: unknown];

/** The bytes of a field, whose charset is not known yet. */
interface RawField {
  readonly name: Uint8Array;
  readonly value: Uint8Array;
}

const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const PLUS = 0x2b;
const PERCENT = 0x25;
const SPACE = 0x20;

/**
 * As in the URL standard, a `%` that starts no escape stands for itself; other than there, bytes have to be valid text
 * in the charset that the form names, or else `charset`.
 */
export function parseForm(body: Uint8Array, charset = 'utf-8'): Parsed {
  const raw: RawField[] = [];
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
  if (decoder.value.encoding.startsWith('utf-16')) {
    return unsupported(`A form cannot be in ${decoder.value.encoding}. Send it in UTF-8.`);
  }
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

export const tooManyFields = () => malformed(`The form has more than ${MAX_FIELDS} fields. Send fewer.`);

/** A repeated field is a list of its values, as is each whose name ends in `[]`; `__proto__` is a plain own key. */
export function formObject(fields: readonly FormField[]): Record<string, unknown> {
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
export const namedCharset = (valueOf: (field: string) => Uint8Array | undefined): string | undefined =>
  CHARSET_FIELDS.map((field) => ascii(valueOf(field) ?? new Uint8Array())).find(
    (charset) => decoderFor(charset).ok,
  );

/** Returns the beginning of a text: charsets and their fields have short names. */
const ascii = (bytes: Uint8Array): string => String.fromCharCode(...bytes.subarray(0, 64));

/** Decodes the bytes of a field; `at` is its index in the form. */
export function decodeField(bytes: Uint8Array, decoder: TextDecoder, at: number): Parsed<string> {
  try {
    return ok(decoder.decode(bytes));
  } catch {
    return malformed(
      `Field ${at + 1} of the form does not decode to valid ${decoder.encoding}. Send it in UTF-8, or name its charset in a field \`_charset_\`.`,
    );
  }
}

function rawField(bytes: Uint8Array): RawField {
  const equals = bytes.indexOf(EQUALS);
  const nameEnd = equals < 0 ? bytes.length : equals;
  const [name, value] = [bytes.subarray(0, nameEnd), bytes.subarray(nameEnd + 1)];
  return { name: unescaped(name, PERCENT, PLUS), value: unescaped(value, PERCENT, PLUS) };
}

/** A sign with two hex digits after it is one byte, any other is itself. `space`: the sign that stands for a space. */
export function unescaped(bytes: Uint8Array, sign: number, space?: number): Uint8Array {
  const made = new Uint8Array(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i += 1, length += 1) {
    const byte = bytes[i] ?? 0;
    const escaped = byte === sign ? hexByte(bytes[i + 1] ?? 0, bytes[i + 2] ?? 0) : null;
    made[length] = escaped ?? (byte === space ? SPACE : byte);
    if (escaped !== null) i += 2;
  }
  return made.subarray(0, length);
}

function hexByte(high: number, low: number): number | null {
  const [h, l] = [hexDigit(high), hexDigit(low)];
  return h === null || l === null ? null : h * 16 + l;
}

function hexDigit(unit: number): number | null {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  // Upper and lower case differ by the sixth bit.
  const letter = unit | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : null;
}

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
