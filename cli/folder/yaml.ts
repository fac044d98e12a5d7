import { LineCounter, parseDocument, type Document } from 'yaml';
import { findJsonFault } from '../../src/ingest/parse/json.ts';
import { parseOwnJson } from '../../src/lib/json.ts';
import { graphemesIn } from '../../src/lib/text.ts';
import { err, ok, type Result } from '../../src/lib/result.ts';
import { warningsIn, mistakesIn, type TextFault } from './mistakes.ts';

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
  if (isJson) {
    const json = readJson(text);
    if (!json.ok) return json;
    return ok({ value: json.value, tree: tree.errors.length === 0 ? tree : null, lines, warnings: [] });
  }
  const [first, ...more] = mistakesIn(tree, text, lines);
  if (first !== undefined) return err({ ...first, more });
  try {
    const value: unknown = tree.toJS();
    return ok({ value, tree, lines, warnings: warningsIn(tree, text, lines) });
  } catch (thrown) {
    // Aliases that would expand to too much.
    const message = thrown instanceof Error ? thrown.message : 'cannot be read';
    const isBomb = message.startsWith('Excessive alias count');
    return err({
      line: 1,
      column: 1,
      message: isBomb
        ? 'repeats parts with `*` too many times: write fewer of them, or write them out'
        : message,
    });
  }
}

function readJson(text: string): Result<unknown, TextFault> {
  const fault = findJsonFault(text);
  if (fault === null) return ok(parseOwnJson<unknown>(text));
  const before = text.slice(0, fault.offset).split('\n');
  const message = `is not JSON here: ${fault.wanted} is expected`;
  return err({ line: before.length, column: graphemesIn(before.at(-1) ?? '') + 1, message });
}
