import { isCollection, isScalar, visit, type Document, type LineCounter, type YAMLParseError } from 'yaml';
import { firstGraphemes, graphemesIn } from '../../src/lib/text.ts';
import { adviceOn, LAYOUTS } from './advice.ts';
import { indentationFaults } from './indentation.ts';
import { suspectReadings, misreadings, type Misread } from './misread.ts';

/** An error in a text. Lines and columns count from 1. */
export interface TextFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The line as it is. */
  readonly written?: string;
}

/** Nobody reads more of one file at once. */
const MAX_FAULTS = 10;

/** The mistakes of a YAML text, the first of each line: what YAML says after that is mostly its consequence. */
export function mistakesIn(tree: Document, text: string, counter: LineCounter): readonly TextFault[] {
  const lines = text.split('\n');
  // At the same place, the error about several lines says more than the one about an invalid key.
  const overLines = new Set(
    tree.errors.flatMap(({ code, pos }) => (code === 'MULTILINE_IMPLICIT_KEY' ? [pos[0]] : [])),
  );
  const errors = tree.errors
    .filter(({ code, pos }) => code !== 'BLOCK_AS_IMPLICIT_KEY' || !overLines.has(pos[0]))
    .map((error) => inPlainWords(error, tree, text, placed(counter, lines)));
  const faults = [...errors, ...misreadings(tree, text)]
    .toSorted((a, b) => a.offset - b.offset)
    .map(placed(counter, lines));
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

/** Finds valid YAML that perhaps parses differently from what its author meant. */
export const warningsIn = (tree: Document, text: string, counter: LineCounter): readonly TextFault[] =>
  suspectReadings(tree, text).map(placed(counter, text.split('\n')));

function inPlainWords(
  { code, message, pos }: YAMLParseError,
  tree: Document,
  text: string,
  place: (misread: Misread) => TextFault,
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

/** With the place of an offset, and its line. */
const placed =
  (counter: LineCounter, lines: readonly string[]) =>
  ({ offset, message }: Misread): TextFault => {
    const { line, col } = counter.linePos(offset);
    const written = lines[line - 1]?.replace(/\r$/, '') ?? '';
    return { line, column: columnOf(written, col), message, ...(written.trim() !== '' && { written }) };
  };
