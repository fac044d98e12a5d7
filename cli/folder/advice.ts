/** Explains a mistake in a line of YAML and how to write it, to somebody who does not know YAML. */

export const BRACE = 'YAML reads `{` at the start of a value as a map: put the text in quotes';
export const NO_BLANK_AFTER_DASH = 'there is no space after the `-` of a list: add one';
export const NO_BLANK_AFTER_COLON = 'there is no space after the colon of a key: add one';
export const NO_BREAK_SPACE =
  'there is a no-break space before this key, probably copied from a web page: use plain spaces';

const LINE_BELOW =
  'the line below is read as part of this text: if it is a key, indent it like the other keys; else put the whole text in quotes';
const WRONG_INDENTATION = 'wrong indentation: keys that belong together begin in the same column';

/** The advice about a line that is indented wrongly, or about one beside it. */
export const LAYOUTS: readonly string[] = [LINE_BELOW, WRONG_INDENTATION];

/** The meaning of these characters at the start of a YAML value. */
const STARTS: Readonly<Record<string, string>> = {
  '@': 'which YAML reserves',
  '`': 'which YAML reserves',
  '%': 'which begins a directive of YAML',
  '*': 'which repeats a value that `&` named',
  '!': 'which names a type',
  '&': 'which names a value for later',
  '#': 'which begins a comment',
  '|': 'which begins a block of text on the lines below',
  '>': 'which begins a block of text on the lines below',
  '-': 'which begins a list',
  '?': 'which begins a key',
  ',': 'which separates the elements of a list',
  ']': 'which ends a list',
  '}': 'which ends a map',
};

/** Returns the advice on a text that begins with one of these characters. */
export function startsWith(sign: string): string {
  const shown = sign === '`' ? 'a backtick' : `\`${sign}\``;
  return `a text cannot begin with ${shown}, ${STARTS[sign] ?? 'which means something to YAML'}: put it in quotes`;
}

/** An error of the YAML library: `written` is its line, `column` its place in it, from 1. */
export interface YamlError {
  readonly code: string;
  readonly message: string;
  readonly written: string;
  readonly column: number;
}

/** The same in plain words. */
export const adviceOn = (error: YamlError): string => (ADVICE[error.code] ?? aboutValue)(error);

const ADVICE: Readonly<Record<string, (error: YamlError) => string>> = {
  MULTIPLE_DOCS: () => 'has several documents (`---`): put each into its own file',
  RESOURCE_EXHAUSTION: () => 'has more maps and lists inside each other than can be read: leave some out',
  TAB_AS_INDENT: () => 'the indentation contains a tab: use spaces',
  BAD_DQ_ESCAPE: () =>
    'in double quotes, `\\` begins an escape such as `\\n`: write `\\\\`, or use single quotes',
  BLOCK_AS_IMPLICIT_KEY: () => 'a colon and a space inside a text begin another key: put the text in quotes',
  DUPLICATE_KEY: ({ written, column }) =>
    `\`${/^[^:]*/.exec(written.slice(column - 1))?.[0] ?? ''}\` appears twice in the same map: keep one of them`,
  MULTILINE_IMPLICIT_KEY: (error) => (isFirst(error) ? aboutLayout(error) : LINE_BELOW),
  BAD_INDENT: aboutStructure,
  MISSING_CHAR: aboutStructure,
};

const NOT_CLOSED =
  '`[` begins a list and `{` a map, and this one is not closed: close it, or put the text in quotes';

const isFirst = ({ written, column }: YamlError): boolean => written.slice(0, column - 1).trim() === '';

function aboutStructure(error: YamlError): string {
  const { message } = error;
  if (message.endsWith('quote'))
    return `the quote ${message.at(-6) ?? ''} is not closed: write it again at the end of the text`;
  if (message.startsWith('Flow')) return NOT_CLOSED;
  return isFirst(error) ? aboutLayout(error) : aboutValue(error);
}

function aboutLayout({ written }: YamlError): string {
  if (/^\s*-[^\s-]/.test(written)) return NO_BLANK_AFTER_DASH;
  if (/^\s*(?:- +)*[\w-]+:\S/.test(written)) return NO_BLANK_AFTER_COLON;
  return /^\s*(?:- +)*[\w-]+:/.test(written)
    ? WRONG_INDENTATION
    : 'YAML expects a key and a colon here: if this is a text, indent it below its key, or put it in quotes';
}

function aboutValue({ written, column }: YamlError): string {
  const at = written[column - 1] ?? '';
  const before =
    written
      .slice(0, column - 1)
      .trimEnd()
      .at(-1) ?? '';
  if (before === '"' || before === "'")
    return `the text ends at the quote ${before}, and more follows: put all of it in quotes of the other kind`;
  if (before === '{') return BRACE;
  if (before === '}' || before === ']')
    return `\`${before}\` ends a map or a list, and more follows: put the text in quotes`;
  const sign = [at, before].find((one) => Object.hasOwn(STARTS, one));
  return sign === undefined ? 'YAML cannot read this value: put the text in quotes' : startsWith(sign);
}
