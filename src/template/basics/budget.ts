import { textOf, type Token } from './tokens.ts';

export type Spend = (count: number) => void;

/** Why a render stops: an exception, since the interpreter has no other way out. Callers get it as a value. */
export class TemplateFailure extends Error {
  override readonly name = 'TemplateFailure';
}

/** A TemplateFailure whose message begins with its place in the template. */
class LocatedFailure extends TemplateFailure {}

export type RouteBudget = Readonly<ReturnType<typeof createRouteBudget>>;

/** Of all renders of a route for an event, such as a list of a thousand. A runaway route does not stop others. */
export const createRouteBudget = () => ({
  work: counter(MAX_ROUTE_WORK, 'units of work for all messages of the route together'),
});

export type Budget = ReturnType<typeof createBudget>;

export function createBudget(ofRoute = createRouteBudget()) {
  const work = counter(MAX_WORK, 'units of work: loop over less, or read shorter values');
  return {
    work: (count: number): void => {
      work(count);
      ofRoute.work(count);
    },
    write: counter(MAX_OUTPUT_LENGTH, 'characters of output'),
  };
}

function counter(limit: number, what: string): Spend {
  let left = limit;
  return function spend(count) {
    // Never a refund, and never NaN, which would make every later comparison false.
    left -= count > 0 ? count : 0;
    if (left < 0) throw new TemplateFailure(`more than ${limit} ${what}`);
  };
}

/** Bounds count work, never time: on deployed Workers the clock does not advance during a computation. */

/** The maximum length of a template, in UTF-16 units. The longest message has 4096; the rest is space for logic. */
export const MAX_SOURCE_LENGTH = 32 * 1024;

/** The maximum depth of blocks inside blocks. Parsing and rendering recurse, so this also prevents a stack overflow. */
export const MAX_BLOCK_DEPTH = 32;

/** The maximum depth of parentheses and brackets inside each other in one expression; they recurse as well. */
export const MAX_EXPRESSION_DEPTH = 16;

/** The maximum number of names in one path: each is a look-up that is made even after the path has led to null. */
export const MAX_PATH_LENGTH = 32;

/** The price of rendering a node. A loop in a loop over 100 elements fits. */
export const STEP = 160;

export const FILTER_CALL = 60;

/** Characters of source per step: about one ordinary expression. */
export const SOURCE_PER_STEP = 24;

/**
 * The maximum work of a render, in units of about 10 ns: a character that is read or made, or a part of something that
 * takes longer. A body of the default cap of 1 MiB can be read four times. The output is bounded as well, far under the
 * 128 MB of an isolate, which all requests share.
 */
export const MAX_WORK = 4 * 1024 * 1024;

/** The maximum work for all messages of one route and event: a thousand messages of two hundred nodes. */
export const MAX_ROUTE_WORK = 32 * 1024 * 1024;

/** The price of a list's element: it takes a filter longer than a character. */
const SCANNED_PER_ELEMENT = 8;

/** The price of an object's key, which is looked up as well. */
const SCANNED_PER_KEY = 16;

/** The maximum number of UTF-16 units written, captures included: many times the longest message. */
export const MAX_OUTPUT_LENGTH = 64 * 1024;

/** Above 2^53, adding one changes nothing, so the loop that builds a range would never end. */
export const MAX_RANGE_END = 100_000;

/** Returns the cost of a value without its contents: a text's characters, a list's elements, an object's keys. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value)) return value.length * SCANNED_PER_ELEMENT;
  return isObject(value) ? Object.keys(value).length * SCANNED_PER_KEY : 1;
}

/** Returns the number of a text's characters, a list's elements or an object's keys; undefined for other values. */
export function countIn(value: unknown, spend: Spend): number | undefined {
  if (typeof value === 'string') return countCharacters(value, spend);
  if (Array.isArray(value)) return value.length;
  if (!isObject(value)) return undefined;
  spend(sizeOf(value));
  return Object.keys(value).length;
}

/** Returns the number of a text's characters, as standard Liquid counts them: an emoji is one. */
export function countCharacters(text: string, spend: Spend): number {
  spend(text.length);
  return /[\ud800-\udfff]/.test(text) ? Array.from(text).length : text.length;
}

/** Each part is paid for before it is entered, so the walk ends with the budget. `indent`: blanks per level. */
export function spendWeight(value: unknown, spend: Spend, indent = 0, level = 1): void {
  if (!isObject(value)) return spend(sizeOf(value));
  const [keys, parts, price] = Array.isArray(value)
    ? [[], value as unknown[], SCANNED_PER_ELEMENT]
    : [Object.keys(value), Object.values(value), SCANNED_PER_KEY];
  spend(parts.length * (price + indent * level));
  for (const key of keys) spend(key.length);
  // Numbers and the like are paid for as elements.
  for (const part of parts)
    if (typeof part === 'string' || typeof part === 'object') spendWeight(part, spend, indent, level + 1);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Of a longer text that is searched for, V8 may examine each place again and again. */
export const MAX_WANTED_LENGTH = 250;

const COMPARED_PER_UNIT = 16;

/** Backward, V8 compares the whole wanted text at each place. */
export function payForSearch(text: string, wanted: string, spend: Spend): void {
  spend((text.length * shortEnough(wanted).length) / COMPARED_PER_UNIT);
}

export function shortEnough(wanted: string): string {
  if (wanted.length <= MAX_WANTED_LENGTH) return wanted;
  throw new TemplateFailure(`the text to look for must have at most ${MAX_WANTED_LENGTH} characters`);
}

const MAX_QUOTED = 80;

/** Returns the text of an exception for a person. Texts of unknown errors are left out: they could quote a payload. */
export function describeFailure(error: unknown): string {
  if (error instanceof TemplateFailure) return error.message;
  if (error instanceof RangeError && /call stack/i.test(error.message)) return 'a value is nested too deeply';
  return 'cannot be evaluated';
}

/** Returns the same failure, with the innermost output or tag that it came from. */
export function locateFailure(error: unknown, token: Token): LocatedFailure {
  if (error instanceof LocatedFailure) return error;
  const text = textOf(token);
  const quoted = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
  const line = token.source.slice(0, token.begin).split('\n').length;
  return new LocatedFailure(`line ${line}, ${quoted}: ${describeFailure(error)}`);
}
