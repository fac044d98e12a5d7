import { indentOf, isBlank, isBlockHeader, partsOf } from './line.ts';
import { isSuspicious, fixValue } from './fix-value.ts';

/** Lines in place of others of the same number. The first one that differs is the one to show. */
export interface FixedLines {
  readonly why: string;
  /** The first line, from 0. */
  readonly at: number;
  readonly lines: readonly string[];
  /** Where in the first line, from 1; absent: where its text begins. */
  readonly column?: number;
}

/** Ways to lay out anew what begins at a line, the likeliest first. */
export const fixLayout = (lines: readonly string[], at: number): readonly FixedLines[] => [
  ...blanks(lines, at),
  ...dashes(lines, at),
  ...blocks(lines, at),
  ...columns(lines, at),
];

const ODD_BLANKS = /^[ ]*[\t\u00a0\u2000-\u200a\u202f\u3000][\s]*/;

/** Tabs and no-break spaces: on this line, and on those below that have them, too. */
function blanks(lines: readonly string[], at: number): readonly FixedLines[] {
  const odd = ODD_BLANKS.exec(lines[at] ?? '')?.[0];
  if (odd === undefined) return [];
  const why = odd.includes('\t')
    ? 'a tab in the indentation: YAML takes only blanks'
    : 'a no-break space in the indentation, as web pages have them: YAML takes only blanks';
  const end = lines.findIndex((line, index) => index > at && !ODD_BLANKS.test(line) && !isBlank(line));
  const those = lines.slice(at, end < 0 ? lines.length : end);
  const column = odd.search(/[^ ]/) + 1;
  return [2, 4, 8].map((width) => ({
    why,
    at,
    column,
    lines: those.map((line) =>
      line.replace(ODD_BLANKS, (found) => found.replaceAll('\t', ' '.repeat(width)).replaceAll(/[^ ]/g, ' ')),
    ),
  }));
}

const DASH = /^(\s*)-(?=[^\s-])/;
const COLON = /^(\s*(?:-[ \t]+)*[A-Za-z_][\w-]*):(?=[^\s:/])/;

/** A `-` or a colon that no blank follows. */
function dashes(lines: readonly string[], at: number): readonly FixedLines[] {
  const line = lines[at] ?? '';
  const found: FixedLines[] = [];
  if (DASH.test(line)) {
    const end = lines.findIndex((other, index) => index > at && !DASH.test(other));
    const those = lines.slice(at, end < 0 ? lines.length : end);
    const why = 'no blank after the `-` of a list';
    found.push({ why, at, lines: those.map((one) => one.replace(DASH, '$1- ')) });
  }
  if (COLON.test(line))
    found.push({ why: 'no blank after the colon of a key', at, lines: [afterColon(line)] });
  return found;
}

/** With a blank after the colon, and a value that can stand there. */
function afterColon(line: string): string {
  const parts = partsOf(line.replace(COLON, '$1: '));
  if (parts === null) return line;
  return `${parts.head}${parts.key}${isSuspicious(parts) ? fixValue(parts).value : parts.value}`;
}

/** Text below `key: |` that is not indented as far as it has to be. */
function blocks(lines: readonly string[], at: number): readonly FixedLines[] {
  const indent = indentOf(lines[at] ?? '');
  for (let above = at - 1; above >= 0; above -= 1) {
    const line = lines[above] ?? '';
    const parts = partsOf(line);
    if (parts === null || !isBlockHeader(parts.value)) {
      if (!isBlank(line) && indentOf(line) < indent) return [];
      continue;
    }
    const outer = parts.head.length;
    const first = lines.slice(above + 1, at).find((one) => !isBlank(one));
    const inner = first === undefined ? outer + 2 : Math.max(indentOf(first), outer + 1);
    const end = lines.findIndex(
      (one, index) => index > at && !isBlank(one) && (indentOf(one) >= inner || isEntry(one, outer)),
    );
    const those = lines.slice(at, end < 0 ? lines.length : end);
    const why = `the text below \`${parts.key.trim()} ${parts.value}\` must be indented by at least ${inner} blanks`;
    return [
      { why, at, lines: those.map((one) => (isBlank(one) ? one : ' '.repeat(inner) + one.trimStart())) },
    ];
  }
  return [];
}

const isEntry = (line: string, atMost: number): boolean => {
  const parts = partsOf(line);
  return indentOf(line) <= atMost && parts !== null && (parts.key !== '' || parts.head.includes('-'));
};

/** A key that does not begin in the column of the others, with all that is below it. */
function columns(lines: readonly string[], at: number): readonly FixedLines[] {
  const line = lines[at] ?? '';
  const indent = indentOf(line);
  if (partsOf(line) === null) return [];
  const wanted: number[] = [];
  for (let above = at - 1; above >= 0; above -= 1) {
    const parts = partsOf(lines[above] ?? '');
    if (parts === null) continue;
    for (const column of [parts.head.length, indentOf(lines[above] ?? '')])
      if (column !== indent && !wanted.includes(column)) wanted.push(column);
  }
  const end = lines.findIndex((one, index) => index > at && !isBlank(one) && indentOf(one) <= indent);
  const those = lines.slice(at, end < 0 ? lines.length : end);
  return wanted.map((column) => ({
    why: `wrong indentation: a key begins in the column of those it belongs to, here column ${column + 1}`,
    at,
    lines: those.map((one) => (isBlank(one) ? one : ' '.repeat(column) + one.slice(indent))),
  }));
}
