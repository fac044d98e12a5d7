/** The width of a screen. */
export const COLUMNS = 80;

/** Lines that go on in a column far to the right. */
const PARAGRAPH = /^.*\n( {20,})\S.*(?:\n\1\S.*)*$/gm;
/** Stands in an unwrapped paragraph where its column begins; nothing prints it. */
const COLUMN = '\u0000';
const UNWRAPPED = new RegExp(`^(.*)${COLUMN}(.*)$`, 'gm');

/**
 * The paragraphs that say how long ago something was, each in one line: how they are broken depends on that.
 * {@link wrapAgain} breaks them when the times are taken out.
 */
export const unwrapTimes = (screen: string): string =>
  screen.replaceAll(PARAGRAPH, (lines, { length }: string) => {
    const text = oneLine(lines.slice(length));
    return / ago\b/.test(text) ? `${lines.slice(0, length)}${COLUMN}${text}` : lines;
  });

export const wrapAgain = (screen: string): string =>
  screen.replaceAll(UNWRAPPED, (_, before: string, text: string) => wrapped(before, text));

const ATTEMPTS = /^(TRY {2}AT .*?) +DETAIL\n((?:.+\n?)+)/gm;

/**
 * A message's attempts with their details below: whether there is room for them beside depends on how long the calls
 * took.
 */
export const detailsBelow = (screen: string): string =>
  screen.replaceAll(ATTEMPTS, (all, head: string, body: string) => {
    const column = all.indexOf('DETAIL');
    const rows = body.trimEnd().split(/\n(?! {20})/);
    const below = rows.flatMap((row) => {
      const detail = oneLine(row.slice(column));
      return [row.slice(0, column).trimEnd(), ...(detail === '' ? [] : [wrapped('  ', detail)])];
    });
    return `${head}\n  DETAIL\n${below.join('\n')}${body.endsWith('\n') ? '\n' : ''}`;
  });

const oneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');

/** As the command line breaks it, in a column that begins behind `before`. */
function wrapped(before: string, text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = [lines.at(-1), word].filter(Boolean).join(' ');
    if (before.length + line.length <= COLUMNS) lines[lines.length - 1] = line;
    else lines.push(word);
  }
  return before + lines.join(`\n${' '.repeat(before.length)}`);
}
