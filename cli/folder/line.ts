import { MESSAGE_KINDS } from '../../src/gateway/kinds.ts';

/** A line of YAML in its parts: together they are the line. */
export interface Line {
  /** The indentation, and the `- ` of lists. */
  readonly head: string;
  /** The key with its colon and the blanks after it; empty in a list. */
  readonly key: string;
  /** The name of the key, without quotes. */
  readonly name: string;
  /** What follows, without blanks at the end. */
  readonly value: string;
}

const LINE = /^(\s*(?:-[ \t]+)*)((?:([\w.-]+)|'([^']*)'|"([^"]*)")[ \t]*:(?:[ \t]+|$))?(.*?)[ \t\r]*$/;

/** The parts of a line; of a comment or of an empty line null. */
export function partsOf(line: string): Line | null {
  const [, head = '', key = '', plain, single, double, value = ''] = LINE.exec(line) ?? [];
  if (value === '' && key === '') return null;
  if (key === '' && value.startsWith('#')) return null;
  return { head, key, name: plain ?? single ?? double ?? '', value };
}

/** How many columns a line is indented. */
export const indentOf = (line: string): number => /^\s*/.exec(line)?.[0].length ?? 0;

export const isBlank = (line: string): boolean => line.trim() === '';

/** The beginning of a block of text: `|`, `>-` and the like, after a key or in a list. */
export const isBlockHeader = (value: string): boolean => /^[|>][-+0-9]*([ \t]+#.*)?$/.test(value);

/** The keys of documents that hold texts for people. */
const TEXT_KEYS: ReadonlySet<string> = new Set(
  Object.values(MESSAGE_KINDS)
    .flatMap(({ required, optional }) => [...required, ...optional])
    .filter((name) => name !== 'options'),
);

export const isTextKey = (name: string): boolean => TEXT_KEYS.has(name);
