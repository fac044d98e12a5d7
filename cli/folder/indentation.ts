/** A line whose indentation fits no line above it. */
export interface IndentationFault {
  /** From 1. */
  readonly line: number;
  /** The number of blanks before it. */
  readonly indent: number;
  readonly message: string;
}

/** A column in which something begins that a line may go on with. */
interface Level {
  readonly column: number;
  readonly line: number;
  /** The text that is written there: `when`, `- name`. */
  readonly what: string;
  readonly isDash: boolean;
}

const ITEM = /^(-\s+)/;
const KEY = /^(?:"[^"]*"|'[^']*'|[^\s#&*!|>'"%@`{}[\],-][^:#]*|-[^\s:#][^:#]*):(?=\s|$)/;
const OPENS_TEXT = /[|>][+-]?\d?[+-]?\s*(?:#.*)?$/;

/**
 * The lines of a YAML text that begin in no column of those above them, as a person would find them: each is compared
 * with the keys that are open there, and counts as corrected for the lines below it. A text in several lines is not looked
 * into; only lines that YAML stumbles over should be asked for.
 */
export function indentationFaults(text: string): readonly IndentationFault[] {
  const found: IndentationFault[] = [];
  let levels: readonly Level[] = [];
  /** True if the line above has a key or a dash without a value, so that the lines below may be indented more. */
  let isOpen = true;
  /** The column above which lines belong to a block of text; null: there is none. */
  let block: number | null = null;
  for (const [at, whole] of text.split('\n').entries()) {
    const content = whole.trim();
    if (content === '' || content.startsWith('#') || content === '---') continue;
    const indent = whole.length - whole.trimStart().length;
    if (block !== null && indent > block) continue;
    block = null;
    const begins = beginnings(content, at + 1);
    if (begins.length === 0) {
      isOpen = false;
      continue;
    }
    const top = levels.at(-1)?.column ?? -1;
    const fits: boolean = levels.some(({ column }) => column === indent) || (isOpen && indent > top);
    const expected: Level | null = fits ? null : nearest(levels, indent, begins[0]?.isDash === true);
    const column = expected?.column ?? indent;
    if (expected !== null) found.push({ line: at + 1, indent, message: faultOf(indent, expected) });
    const inner: readonly Level[] = begins.map((one) => ({ ...one, column: one.column + column }));
    levels = [...levels.filter((one) => one.column < column), ...inner];
    const last = inner.at(-1);
    isOpen = last !== undefined && (last.isDash || /:\s*(?:#.*)?$/.test(content));
    if (last !== undefined && OPENS_TEXT.test(content)) block = last.column;
  }
  return found;
}

/** The beginnings in a line, by columns from its first character: `- name: x` is an item and a key. */
function beginnings(content: string, line: number): readonly Level[] {
  const found: Level[] = [];
  let rest = content;
  for (let item = ITEM.exec(rest); item !== null || rest === '-'; item = ITEM.exec(rest)) {
    const { length } = item?.[0] ?? rest;
    const column = content.length - rest.length;
    rest = rest.slice(length);
    found.push({ column, line, what: keyAt(rest) === null ? '-' : `- ${keyAt(rest)}`, isDash: true });
  }
  const key = keyAt(rest);
  if (key !== null) found.push({ column: content.length - rest.length, line, what: key, isDash: false });
  return found;
}

const keyAt = (text: string): string | null => KEY.exec(text)?.[0].slice(0, -1).trim() ?? null;

/** An item goes with items, a key with keys; a deeper level first, of two that are as near. */
function nearest(levels: readonly Level[], indent: number, isDash: boolean): Level | null {
  const alike = levels.filter((one) => one.isDash === isDash);
  const distance = ({ column }: Level): number => Math.abs(column - indent);
  return (
    (alike.length > 0 ? alike : levels).toReversed().toSorted((a, b) => distance(a) - distance(b))[0] ?? null
  );
}

const faultOf = (indent: number, { column, line, what }: Level): string =>
  `is indented by ${blanks(indent)}; ${column === 0 ? 'none is' : `${column} ${column === 1 ? 'is' : 'are'}`} expected here, as for \`${what}\` in line ${line}`;

const blanks = (count: number): string => (count === 1 ? '1 space' : `${count === 0 ? 'no' : count} spaces`);
