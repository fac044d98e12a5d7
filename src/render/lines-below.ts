import type { Send } from '../config/compiled/send.ts';
import { isMessageKind, paramsOf } from '../gateway/kinds.ts';
import type { Locale } from '../template/basics/locale.ts';
import { leftOutText } from './built-in-text.ts';
import type { RenderedSends } from './fallback.ts';

/**
 * Returns the space that lines below a text leave for it, and what adds them. A text that has hardly more space than the
 * lines need goes without.
 */
export function linesBelow(lines: readonly string[], maxLength: number) {
  const line = lines.join('\n');
  const left = maxLength - line.length - 1;
  const isAdded = line !== '' && left >= line.length;
  return {
    maxLength: isAdded ? left : maxLength,
    add: <Sends extends Lined>(sends: Sends): Sends => (isAdded ? appended(sends, line) : sends),
  };
}

/** True if a text of a send names one of these words. */
export const names = ({ params, fallback }: Send, words: RegExp): boolean =>
  [params, ...fallback.map((one) => one.params)]
    .flat()
    .some(({ texts }) => texts.some(({ source }) => words.test(source)));

/** Returns the line about what the sender left out, unless the send says it itself. */
export const leftOutLines = (count: number | undefined, send: Send | null, locale: Locale): string[] =>
  count === undefined || (send !== null && names(send, /\bleft_out\b/)) ? [] : [leftOutText(count, locale)];

type Lined = Pick<RenderedSends, 'kind' | 'sets' | 'fallback'>;

/** Appends a line to the text of a message, and to those of its fallbacks. A kind without a text stays as it is. */
const appended = <Sends extends Lined>(sends: Sends, line: string): Sends => ({
  ...sends,
  sets: sends.sets.map((params) => withLine(sends.kind, params, line)),
  fallback: sends.fallback.map((one) => ({ ...one, params: withLine(one.kind, one.params, line) })),
});

function withLine(
  kind: string,
  params: Readonly<Record<string, string>>,
  line: string,
): Readonly<Record<string, string>> {
  const [name] = isMessageKind(kind) ? (paramsOf(kind).find(([, { holds }]) => holds === 'text') ?? []) : [];
  if (name === undefined) return params;
  const { [name]: text = '' } = params;
  return { ...params, [name]: text === '' ? line : `${text}\n${line}` };
}
