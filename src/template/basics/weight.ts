import { TemplateFailure, type Spend } from './budget.ts';
import { SCANNED_PER_ELEMENT, SCANNED_PER_KEY } from './limits.ts';

export type { Spend } from './budget.ts';

/** Returns the cost of a value without its contents: a text's characters, a list's elements, an object's keys. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value)) return value.length * SCANNED_PER_ELEMENT;
  return isObject(value) ? Object.keys(value).length * SCANNED_PER_KEY : 1;
}

/** Returns the number of a text's characters, as standard Liquid counts them: an emoji is one. */
export function countCharacters(text: string, spend: Spend): number {
  spend(text.length);
  return /[\ud800-\udfff]/.test(text) ? Array.from(text).length : text.length;
}

/**
 * Spends the cost of walking through everything in a value. Each part is paid for before it is entered, so that the
 * walk ends with the budget. `indent`: the number of blanks per level that are printed with each element.
 */
export function spendWeight(value: unknown, spend: Spend, indent = 0, level = 1): void {
  if (!isObject(value)) return spend(sizeOf(value));
  if (Array.isArray(value)) {
    spend(value.length * (SCANNED_PER_ELEMENT + indent * level));
    for (const part of value as unknown[]) spendPart(part, spend, indent, level);
    return;
  }
  const keys = Object.keys(value);
  spend(keys.length * (SCANNED_PER_KEY + indent * level));
  for (const key of keys) {
    spend(key.length);
    spendPart(value[key], spend, indent, level);
  }
}

/** Numbers and the like are paid for as elements. */
function spendPart(part: unknown, spend: Spend, indent: number, level: number): void {
  if (typeof part === 'string') spend(part.length);
  else if (typeof part === 'object') spendWeight(part, spend, indent, level + 1);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/**
 * The longest text that is searched for, or that equals a value of a `case`. For a longer one, V8 may examine each
 * place again and again.
 */
export const MAX_WANTED_LENGTH = 250;

/** The number of characters that V8 compares in one unit. */
const COMPARED_PER_UNIT = 16;

/** Backward, V8 compares the whole wanted text at each place. */
export function payForSearch(text: string, wanted: string, spend: Spend): void {
  spend((text.length * shortEnough(wanted).length) / COMPARED_PER_UNIT);
}

export function shortEnough(wanted: string): string {
  if (wanted.length <= MAX_WANTED_LENGTH) return wanted;
  throw new TemplateFailure(`the text to look for must have at most ${MAX_WANTED_LENGTH} characters`);
}
