import {
  isCollection,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type YAMLParseError,
} from 'yaml';
import { findJsonFault } from '../../src/ingest/parse/json.ts';
import { parseOwnJson } from '../../src/lib/json.ts';
import { firstGraphemes, graphemesIn } from '../../src/lib/text.ts';
import { err, ok, type Result } from '../../src/lib/result.ts';
import { adviceOn, LAYOUTS } from './advice.ts';
import { indentationFaults } from './indentation.ts';
import { suspectReadings, misreadings, type Misread } from './misread.ts';

/** An error in a text. Lines and columns count from 1. */
interface TextFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The line as it is. */
  readonly written?: string;
}

export interface ReadText {
  readonly value: unknown;
  /** The text as a tree, to find places in it; null when it could not be parsed. */
  readonly tree: Document | null;
  readonly lines: LineCounter;
  /** Valid YAML that its author perhaps did not mean. */
  readonly warnings: readonly TextFault[];
}

/** Reads YAML, or JSON. The error is the first mistake, with those after it. */
export function readText(
  text: string,
  isJson: boolean,
): Result<ReadText, TextFault & { readonly more?: readonly TextFault[] }> {
  const lines = new LineCounter();
  const tree = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const place = placed(lines, text.split('\n'));
  if (isJson) {
    const json = readJson(text);
    if (!json.ok) return json;
    const twice = tree.errors.find(({ code }) => code === 'DUPLICATE_KEY');
    if (twice !== undefined) return err(place(inPlainWords(twice, tree, text, place)));
    return ok({ value: json.value, tree: tree.errors.length === 0 ? tree : null, lines, warnings: [] });
  }
  const [first, ...more] = mistakesIn(tree, text, place);
  if (first !== undefined) return err({ ...first, more });
  try {
    const value: unknown = tree.toJS();
    return ok({ value, tree, lines, warnings: suspectReadings(tree, text).map(place) });
  } catch (thrown) {
    // Aliases that would expand to too much.
    const message = thrown instanceof Error ? thrown.message : 'cannot be read';
    const isBomb = message.startsWith('Excessive alias count');
    const advice = 'repeats parts with `*` too many times: write fewer of them, or write them out';
    return err({ line: 1, column: 1, message: isBomb ? advice : message });
  }
}

function readJson(text: string): Result<unknown, TextFault> {
  const fault = findJsonFault(text);
  if (fault === null) return ok(parseOwnJson<unknown>(text));
  const before = text.slice(0, fault.offset).split('\n');
  const message = `is not JSON here: ${fault.wanted} is expected`;
  return err({ line: before.length, column: graphemesIn(before.at(-1) ?? '') + 1, message });
}

/** Nobody reads more of one file at once. */
const MAX_FAULTS = 10;

/** The mistakes of a YAML text, the first of each line: what YAML says after that is mostly its consequence. */
function mistakesIn(tree: Document, text: string, place: Place): readonly TextFault[] {
  // At the same place, the error about several lines says more than the one about an invalid key.
  const overLines = new Set(
    tree.errors.flatMap(({ code, pos }) => (code === 'MULTILINE_IMPLICIT_KEY' ? [pos[0]] : [])),
  );
  const errors = tree.errors
    .filter(({ code, pos }) => code !== 'BLOCK_AS_IMPLICIT_KEY' || !overLines.has(pos[0]))
    .map((error) => inPlainWords(error, tree, text, place));
  const faults = [...errors, ...misreadings(tree, text)].toSorted((a, b) => a.offset - b.offset).map(place);
  const firsts = faults.filter(({ line }, at) => line !== faults[at - 1]?.line);
  return withLinesOfLayout(firsts, text).slice(0, MAX_FAULTS);
}

/** Errors of layout at the line that is indented wrongly. YAML stumbles over it a line early or late, and again below. */
function withLinesOfLayout(faults: readonly TextFault[], text: string): readonly TextFault[] {
  if (!faults.some(isOfLayout)) return faults;
  const lines = text.split('\n');
  const wrong = new Map(indentationFaults(text).map((one) => [one.line, one]));
  const said = new Set<number>();
  return faults.flatMap((fault) => {
    const found = isOfLayout(fault) ? (wrong.get(fault.line) ?? wrong.get(fault.line + 1)) : undefined;
    if (found === undefined) return isOfLayout(fault) && said.size > 0 ? [] : [fault];
    if (said.has(found.line)) return [];
    said.add(found.line);
    const { line, indent, message } = found;
    return [{ line, column: indent + 1, message, written: lines[line - 1]?.replace(/\r$/, '') ?? '' }];
  });
}

const isOfLayout = ({ message }: TextFault): boolean => LAYOUTS.includes(message);

function inPlainWords(
  { code, message, pos }: YAMLParseError,
  tree: Document,
  text: string,
  place: Place,
): Misread {
  const [stumbles] = pos;
  const { column, written = '' } = place({ offset: stumbles, message });
  const advice = adviceOn({ code, message, written, column: unitAt(written, column) });
  if (/^Flow|quote$/.test(message)) return { message: advice, offset: openedAt(tree, stumbles) };
  const blanks = code === 'TAB_AS_INDENT' ? '' : (/^ */.exec(text.slice(stumbles))?.[0] ?? '');
  return { message: advice, offset: stumbles + blanks.length };
}

/** The beginning of the list, the map or the quoted text that is still open at an offset. */
function openedAt(tree: Document, offset: number): number {
  let start = offset;
  visit(tree, {
    Node: (_, node) => {
      const isOpen = isCollection(node)
        ? node.flow === true
        : isScalar(node) && node.type?.startsWith('QUOTE') === true;
      if (isOpen && node.range && node.range[0] <= offset) start = node.range[0];
    },
  });
  return start;
}

/** The reverse of {@link columnOf}. */
const unitAt = (written: string, column: number): number => firstGraphemes(written, column - 1).length + 1;

/** A column in characters as a reader counts them, of one in UTF-16 units. Both count from 1. */
export const columnOf = (written: string, unit: number): number =>
  graphemesIn(written.slice(0, unit - 1)) + 1;

type Place = ReturnType<typeof placed>;

/** With the place of an offset, and its line. */
const placed =
  (counter: LineCounter, lines: readonly string[]) =>
  ({ offset, message }: Misread): TextFault => {
    const { line, col } = counter.linePos(offset);
    const written = lines[line - 1]?.replace(/\r$/, '') ?? '';
    return { line, column: columnOf(written, col), message, ...(written.trim() !== '' && { written }) };
  };
