import { safe, widthOf, wrap } from './text.ts';

/** A name, its value, and a function that colours the value. */
export type PrintedField = readonly [
  name: string,
  value: string | undefined,
  paint?: (text: string) => string,
];

const GAP = 2;

/**
 * Names and values, one under the other, in lines of at most `columns`; those without a value are left out. A value
 * whose words have no room beside the names has lines of its own below its name.
 */
export function fieldLines(
  fields: readonly PrintedField[],
  columns: number,
  head: (name: string) => string,
): readonly string[] {
  const given = fields.filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...given.map(([name]) => widthOf(name))) + GAP;
  return given.flatMap(([name, value = '', paint = asItIs]) => {
    const text = safe(value);
    const longest = Math.max(...text.split(/\s/).map(widthOf));
    const isBelow = longest > columns - width;
    const indent = isBelow ? Math.max(0, Math.min(GAP, columns - longest)) : width;
    const lines = wrap(text, columns - indent).map(paint);
    const title = head(name);
    const [first = '', ...rest] = isBelow ? ['', ...lines] : lines;
    const pad = ' '.repeat(width - widthOf(name));
    return [first === '' ? title : title + pad + first, ...rest.map((line) => ' '.repeat(indent) + line)];
  });
}

const asItIs = (text: string): string => text;
