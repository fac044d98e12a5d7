import { isAlias, isScalar, LineCounter, parseDocument, visit, type Document } from 'yaml';
import { indentOf, isBlank, partsOf } from './line.ts';
import { fixLayout, type FixedLines } from './fix-layout.ts';
import { isSuspicious, fixValue } from './fix-value.ts';
import { doubtfulReadings, misreadings } from './misread.ts';
import { inQuotes } from './quote.ts';

/** An error in a text. Lines and columns count from 1. */
export interface TextFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The line as it is, and as it should be; absent when nobody can know. */
  readonly written?: string;
  readonly fixed?: string;
}

/** Nobody reads more of one file at once. */
const MAX_FAULTS = 10;
/** Further above an error its cause is not looked for. */
const MAX_LINES_ABOVE = 100;

/**
 * The mistakes of a YAML text. Each is fixed in turn to find the next one, and a fixed line is given only if YAML
 * then reads on past it.
 */
export function mistakesIn(text: string): readonly TextFault[] {
  const faults: TextFault[] = [];
  for (let lines = text.split('\n'); faults.length < MAX_FAULTS;) {
    const raw = firstFault(lines.join('\n'));
    if (raw === null) break;
    const fix = findFix(lines, raw);
    faults.push(fix === null ? asItIs(lines, raw) : asFixed(lines, fix));
    if (fix === null) break;
    lines = replaced(lines, fix);
  }
  return faults;
}

/** What is valid, but perhaps not what its author meant. */
export const doubtsIn = (tree: Document, text: string, counter: LineCounter): readonly TextFault[] =>
  doubtfulReadings(tree, text).map(({ offset, message }) => {
    const { line, col } = counter.linePos(offset);
    const written = withoutReturn(text.split('\n')[line - 1] ?? '');
    const parts = partsOf(written);
    const fixed =
      parts === null || /^[[{"']/.test(parts.value)
        ? {}
        : { fixed: `${parts.head}${parts.key}${inQuotes(parts.value)}` };
    return { line, column: col, message, written, ...fixed };
  });

interface RawFault {
  /** From 0. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  readonly code: string;
  readonly message: string;
  /** Of a text in quotes without an end: the line that it begins in. */
  readonly opened?: number;
}

function firstFault(text: string): RawFault | null {
  const counter = new LineCounter();
  const tree = parseDocument(text, { lineCounter: counter, prettyErrors: false });
  const found = [
    ...tree.errors.map(({ code, message, pos }) => ({ code, message, offset: pos[0] })),
    ...misreadings(tree, text).map((one) => ({ code: 'MISREAD', ...one })),
  ].toSorted((a, b) => a.offset - b.offset)[0];
  if (found === undefined) return null;
  const { line, col } = counter.linePos(found.offset);
  const isOpen = found.code === 'MISSING_CHAR' && found.message.endsWith('quote');
  const opened = isOpen ? counter.linePos(openedAt(tree, found.offset)).line - 1 : undefined;
  const { code, message } = found;
  return { line: line - 1, column: col, code, message, ...(opened !== undefined && { opened }) };
}

/** Where the quoted text begins that goes on to an offset. */
function openedAt(tree: Document, offset: number): number {
  let start = offset;
  visit(tree, {
    Node: (_, node) => {
      if (isAlias(node) || !isScalar(node) || node.range === undefined || node.range === null) return;
      if (node.type?.startsWith('QUOTE') === true && node.range[0] <= offset) start = node.range[0];
    },
  });
  return start;
}

/** Returns what fixes a fault; null: no known fix. */
function findFix(lines: readonly string[], raw: RawFault): FixedLines | null {
  const below = lines.findIndex((line, index) => index > raw.line && !isBlank(line));
  const layouts = [raw.line, ...(below < 0 ? [] : [below])].flatMap((at) => fixLayout(lines, at));
  return [...valueFixes(lines, raw), ...layouts].find((fix) => isProgress(lines, raw, fix)) ?? null;
}

function valueFixes(
  lines: readonly string[],
  { line, column: stumbles, opened }: RawFault,
): readonly FixedLines[] {
  const found: FixedLines[] = [];
  const order = Array.from({ length: Math.min(line + 1, MAX_LINES_ABOVE) }, (_, above) => line - above);
  for (const at of opened === undefined ? order : [opened, ...order]) {
    const parts = partsOf(lines[at] ?? '');
    if (parts === null || !isSuspicious(parts)) continue;
    const { why, value, isAtStart } = fixValue(parts);
    const start = `${parts.head}${parts.key}`;
    const column = isAtStart === true || at !== line ? start.length + 1 : stumbles;
    found.push({ why, at, lines: [`${start}${value}`], column });
  }
  return found;
}

/** Whether YAML reads on past a fault once it is fixed. */
function isProgress(lines: readonly string[], raw: RawFault, fix: FixedLines): boolean {
  const next = firstFault(replaced(lines, fix).join('\n'));
  if (next === null || next.line > raw.line) return true;
  return raw.opened === fix.at && next.line > fix.at;
}

const replaced = (lines: readonly string[], { at, lines: by }: FixedLines): string[] => [
  ...lines.slice(0, at),
  ...by,
  ...lines.slice(at + by.length),
];

function asFixed(lines: readonly string[], fix: FixedLines): TextFault {
  const written = lines[fix.at] ?? '';
  const fixed = fix.lines[0] ?? '';
  const more = fix.lines.slice(1).filter((line, index) => line !== lines[fix.at + 1 + index]).length;
  const too = more === 0 ? '' : `; the same for the ${more === 1 ? 'line' : `${more} lines`} below`;
  const column = fix.column ?? indentOf(written) + 1;
  return { line: fix.at + 1, column, message: `${fix.why}${too}`, written: withoutReturn(written), fixed };
}

function asItIs(lines: readonly string[], { line, column, code, message }: RawFault): TextFault {
  const written = withoutReturn(lines[line] ?? '');
  const shown = MESSAGES[code]?.(written) ?? message.split('\n')[0] ?? message;
  return { line: line + 1, column, message: shown, ...(!isBlank(written) && { written }) };
}

const MESSAGES: Readonly<Record<string, (line: string) => string>> = {
  MULTIPLE_DOCS: () => 'has several documents (`---`); write one in a file',
  DUPLICATE_KEY: (line) => {
    const name = partsOf(line)?.name ?? '';
    return `${name === '' ? 'a key' : `\`${name}\``} is written twice in the same place: keep one of them`;
  },
};

const withoutReturn = (line: string): string => line.replace(/\r$/, '');
