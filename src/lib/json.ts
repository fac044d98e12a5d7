/** Parses JSON that this code wrote to its own tables, and trusts its type. A schema checks all other JSON. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names what the writer wrote
export function parseOwnJson<Value>(text: string): Value {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the row's writer is the proof
  return JSON.parse(text) as Value;
}

export function maybeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON object in a text; null for anything else. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  const value = maybeJson(text);
  return isObject(value) ? value : null;
}

/** The value at a dotted path (`data.items.0.id`) of parsed data; undefined if a step is not an own property. */
export function ownValue(data: unknown, path: string): unknown {
  let current = data;
  for (const step of path.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return undefined;
    current = Reflect.get(current, step);
  }
  return current;
}

/** Returns a copy of data with a change at the path; the data themselves if it does not exist. */
export function changedAt(
  data: unknown,
  [step, ...rest]: readonly string[],
  change: (value: unknown) => unknown,
): unknown {
  if (step === undefined) return change(data);
  if (typeof data !== 'object' || data === null || !Object.hasOwn(data, step)) return data;
  const changed = changedAt(Reflect.get(data, step), rest, change);
  if (Array.isArray(data)) return data.map((own: unknown, at) => (String(at) === step ? changed : own));
  // fromEntries defines each key and never assigns, so `__proto__` is a key like any other.
  return Object.fromEntries(Object.entries(data).map(([key, own]) => [key, key === step ? changed : own]));
}

/** A string, or a number as JSON writes it. Null for anything else, so that no object becomes a text. */
export function scalarText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
}

/** Makes each value at its first use, in place of its text: for large tables of which an isolate uses a few rows. */
export function lazyRecord<Value extends object>(
  texts: Readonly<Record<string, string>>,
  make: (text: string) => Value,
): Readonly<Record<string, Value>> {
  const get = (rows: object, name: string | symbol): unknown => {
    const row: unknown = Reflect.get(rows, name);
    if (typeof row !== 'string') return row;
    const value = make(row);
    Reflect.set(rows, name, value);
    return value;
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nobody reads a text before `get` has made a value of it
  return new Proxy(texts, { get }) as unknown as Readonly<Record<string, Value>>;
}

/** A number that a float may not hold: one of 16 digits, or with an exponent of three. Most texts have none. */
const DOUBTFUL = /[\d.]{17}|\d{16}|\d[eE]\+?\d{3}/;

/** A string's start, or such a number alone: not before a colon, since a number as key stays malformed. */
const TOKEN =
  /"|(?<![\w.+-])-?(?:(?=[\d.]{16})(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|(?:0|[1-9]\d*)(?:\.\d+)?[eE]\+?\d{3,})(?![\w.+-])(?!\s*:)/g;

/**
 * No number becomes another one: an integer beyond 2^53, a fraction with more digits than a float has, and `1e400` are
 * the text as it came. Throws like JSON.parse; its places are those of another text.
 */
export const parseExactJson = (text: string): unknown =>
  JSON.parse(DOUBTFUL.test(text) ? quoted(text) : text);

/** Puts quotes around such numbers, in one pass over the text. */
function quoted(text: string): string {
  let made = '';
  let copied = 0;
  for (let found = TOKEN.exec(text); found !== null; found = TOKEN.exec(text)) {
    const [number] = found;
    if (number === '"') TOKEN.lastIndex = endOfString(text, found.index) + 1;
    else if (!isHeld(number)) {
      made += `${text.slice(copied, found.index)}"${number}"`;
      copied = TOKEN.lastIndex;
    }
  }
  return made + text.slice(copied);
}

/** No program prints a float with more digits. */
const FLOAT_DIGITS = 17;

/** True if a float holds a number to its last digit. */
function isHeld(number: string): boolean {
  const value = Number(number);
  if (/^-?\d+$/.test(number)) return Number.isSafeInteger(value);
  const digits = digitsOf(number);
  const first = digits.slice(0, FLOAT_DIGITS).replace(/0+$/, '');
  if (!Number.isFinite(value) || /[1-9]/.test(digits.slice(FLOAT_DIGITS))) return false;
  // Of two that are as near, programs print either.
  return (
    first === '' || [value.toPrecision(first.length), String(value)].some((one) => digitsOf(one) === first)
  );
}

/** Returns the digits of a number from the first one that is not zero, without its exponent. */
const digitsOf = (number: string): string =>
  number
    .replace(/[eE].*/, '')
    .replaceAll(/[-.]/g, '')
    .replace(/^0+/, '');

/** The offset of the quote that ends the string from `start`, or the end of the text. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

const BACKSLASH = 0x5c;

/** A character is escaped when an odd number of backslashes precedes it. */
function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}

/** A part of a document, which nothing has checked: what is no object has no fields. */
export const asObject = (part: unknown): Readonly<Record<string, unknown>> =>
  typeof part === 'object' && part !== null ? { ...part } : {};

/** The fields that have a value. */
export const present = <Fields extends object>(fields: Fields) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- these are left
  Object.fromEntries(Object.entries(fields).filter(([, value]) => (value ?? null) !== null)) as {
    readonly [Key in keyof Fields]?: NonNullable<Fields[Key]>;
  };
