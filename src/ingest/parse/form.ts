import { err, ok, type Result } from '../../lib/result.ts';
import { malformed, unsupported, type ParseRefusal } from './refusal.ts';
import { decoderFor } from './text.ts';

/** Real forms have some dozens; each field becomes a key of an object. */
export const MAX_FIELDS = 5_000;

/** A field's name and value. */
export type FormField = readonly [name: string, value: unknown];

const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const PLUS = 0x2b;
const PERCENT = 0x25;
const SPACE = 0x20;

/**
 * Parses an `application/x-www-form-urlencoded` body into an object, see {@link formObject}. Stricter than the URL
 * standard, which repairs what it does not understand: each `%` has to start an escape, and bytes have to be valid text
 * in the charset.
 */
export function parseForm(body: Uint8Array, charset = 'utf-8'): Result<unknown, ParseRefusal> {
  const decoder = decoderFor(charset);
  if (!decoder.ok) return decoder;
  if (decoder.value.encoding.startsWith('utf-16')) {
    return err(unsupported(`A form cannot be in ${decoder.value.encoding}. Send it in UTF-8.`));
  }
  const fields: FormField[] = [];
  for (let start = 0; start < body.length;) {
    const ampersand = body.indexOf(AMPERSAND, start);
    const end = ampersand < 0 ? body.length : ampersand;
    if (end > start) {
      if (fields.length === MAX_FIELDS) return err(tooManyFields());
      const field = parseField(body, start, end, decoder.value);
      if (!field.ok) return field;
      fields.push(field.value);
    }
    start = end + 1;
  }
  return ok(formObject(fields));
}

/** The refusal of a form with more than {@link MAX_FIELDS} fields. */
export const tooManyFields = (): ParseRefusal =>
  malformed(`The form has more than ${MAX_FIELDS} fields. Send fewer.`);

/**
 * Returns fields as an object: a repeated field is a list of its values, and names such as `__proto__` are plain own
 * keys.
 */
export function formObject(fields: readonly FormField[]): Record<string, unknown> {
  const byName = Map.groupBy(fields, ([name]) => name);
  // fromEntries defines each key and never assigns, so `__proto__` is a key like any other.
  return Object.fromEntries(
    [...byName].map(([name, same]) => [name, oneOrList(same.map(([, value]) => value))]),
  );
}

const oneOrList = (values: readonly unknown[]): unknown => (values.length === 1 ? values[0] : values);

function parseField(
  body: Uint8Array,
  start: number,
  end: number,
  decoder: TextDecoder,
): Result<FormField, ParseRefusal> {
  const equals = body.subarray(start, end).indexOf(EQUALS);
  const nameEnd = equals < 0 ? end : start + equals;
  const name = decodePart(body, start, nameEnd, decoder);
  if (!name.ok) return name;
  const value = decodePart(body, Math.min(nameEnd + 1, end), end, decoder);
  return value.ok ? ok([name.value, value.value]) : value;
}

function decodePart(
  body: Uint8Array,
  start: number,
  end: number,
  decoder: TextDecoder,
): Result<string, ParseRefusal> {
  const bytes = new Uint8Array(end - start);
  let length = 0;
  for (let i = start; i < end; i += 1, length += 1) {
    const byte = body[i] ?? 0;
    if (byte === PERCENT) {
      const escaped = i + 2 < end ? hexByte(body[i + 1] ?? 0, body[i + 2] ?? 0) : null;
      if (escaped === null) return err(brokenEscape(i));
      bytes[length] = escaped;
      i += 2;
    } else bytes[length] = byte === PLUS ? SPACE : byte;
  }
  try {
    return ok(decoder.decode(bytes.subarray(0, length)));
  } catch {
    return err(
      malformed(`The form field at byte ${start + 1} does not decode to valid ${decoder.encoding}.`),
    );
  }
}

const brokenEscape = (at: number): ParseRefusal =>
  malformed(
    `The form has a \`%\` at byte ${at + 1} without two hex digits after it. Send a percent sign as \`%25\`.`,
  );

/** Returns the byte of two hex digits; null if they are not hex digits. */
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
