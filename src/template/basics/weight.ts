import { Drop } from 'liquidjs';
import { SCANNED_PER_ELEMENT, SCANNED_PER_KEY } from './limits.ts';

/** Spends some of a budget. Throws when there is no more. */
export type Spend = (count: number) => void;

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

/** True for an object of the payload. Liquid's own objects (`empty`, the state of a loop) do not count. */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !(value instanceof Drop);
}
