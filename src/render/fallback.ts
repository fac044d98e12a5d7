import type { Reason } from '../lib/reason.ts';
import { type Elsewhere, sendIn, type Send } from '../config/compiled/config.ts';
import { type MessageKind, paramsOf, whyTooLarge } from '../gateway/kinds.ts';
import { err, ok, type Result } from '../lib/result.ts';
import type { Locale } from '../template/basics/locale.ts';
import type { Scope } from '../template/basics/scope.ts';
import type { RouteFailure } from './failure.ts';
import { linksIn, withLinks, type DraftLinks, type SendParams } from './links.ts';
import { cutting, renderSend, type Fit } from './send.ts';
import { leftOutText } from './built-in-text.ts';

/** A fallback of a message: one call of a gateway. */
export interface Further {
  readonly kind: MessageKind;
  readonly params: SendParams;
  /** The account that sends it; absent: the one that sends the message. */
  readonly account?: string;
  /** The receiver in that account; absent: the message's. */
  readonly phone?: string | null;
  /** It is sent if the message is not sent within this time (ms); absent: when the message is dead. */
  readonly after_ms?: number;
}

/** The result of a template: form fields (several sets if a text was split), and the fallbacks for a dead message. */
export interface RenderedSends {
  readonly kind: MessageKind;
  readonly sets: readonly SendParams[];
  readonly fallback: readonly Further[];
  /** The reason why a fallback is sent instead of the template; null if it is the template. */
  readonly reason: string | null;
  readonly notes: readonly RouteFailure[];
  readonly links?: DraftLinks;
}

/**
 * A fallback that cannot be rendered is left out, and the next one takes its place: nothing is lost because a picture
 * has no address. If none can be rendered, the failures are the template's.
 */
export function renderSends(
  route: Fit,
  send: Send,
  scope: Scope,
  locale: Locale,
): Result<RenderedSends, readonly RouteFailure[]> {
  const { actions = [] } = route;
  const own = withLinks(scope, actions);
  const chosen = sendIn(send, locale.locale);
  const first = renderSend(route, chosen, own, locale);
  const notes: RouteFailure[] = [];
  function leave(failures: readonly RouteFailure[], then: string): void {
    for (const { message, reason, ...one } of failures) {
      const said = message !== undefined && { message: `${message}: ${then}` };
      notes.push({ ...one, ...said, reason: `${reason}: ${then}` });
    }
  }
  let made = first.ok ? { kind: chosen.kind, sets: first.value } : null;
  if (!first.ok) leave(first.error, 'its fallback is sent');
  const fallback: Further[] = [];
  for (const [at, { kind, params: texts, account, afterMs }] of chosen.fallback.entries()) {
    const fit = { ...(made === null ? route : cutting(route)), within: `fallback[${at}].` };
    const sets = renderSend(fit, { params: texts }, own, locale);
    if (!sets.ok) leave(sets.error, 'it is left out');
    // The account of the route sends it, because no call has failed yet.
    else if (made === null) made = { kind, sets: sets.value };
    else {
      const by = { ...(account !== null && { account }), ...(afterMs !== null && { after_ms: afterMs }) };
      fallback.push(...sets.value.map((params) => ({ kind, params, ...by })));
    }
  }
  if (made === null) return err(first.ok ? [] : first.error);
  // All of them are in one row.
  const isTooMuch = (set = {}) => whyTooLarge({ ...set, '': JSON.stringify(fallback) }) !== null;
  while (fallback.length > 0 && isTooMuch(made.sets[0])) fallback.pop();
  const all = linksIn(textsOf([...made.sets, ...fallback.map(({ params }) => params)]), actions, own, locale);
  const item = scope.index === undefined ? {} : { item: scope.index };
  const reason = first.ok ? null : (notes[0]?.reason ?? null);
  return ok({ ...made, fallback, reason, notes, ...(all.length > 0 && { links: { ...item, all } }) });
}

const textsOf = (sets: readonly SendParams[]): readonly string[] => sets.flatMap((one) => Object.values(one));

/** The receiver of a message, and the way in which other accounts reach the receivers of its route. */
interface Reached {
  readonly phone: string | null;
  readonly elsewhere: ReadonlyMap<string, Elsewhere>;
}

/** The further fields of a template's message for a receiver. `at`: its place among the parts of a split text. */
export function withFallback(
  { sets, fallback, reason, links }: Pick<RenderedSends, 'sets' | 'fallback' | 'reason' | 'links'>,
  at: number,
  reached: Reached,
): { readonly fallback?: readonly Further[]; readonly reason?: Reason; readonly links?: DraftLinks } {
  const steps = at === 0 ? fallback.flatMap((step) => stepFor(step, reached) ?? []) : [];
  const texts = textsOf([sets[at] ?? {}, ...steps.map(({ params }) => params)]);
  // Of the links of all pieces.
  const all = links?.all.filter(({ standIn }) => texts.some((text) => text.includes(standIn))) ?? [];
  return {
    ...(steps.length > 0 && { fallback: steps }),
    ...(reason !== null && { reason: { code: 'other-text' as const, params: { error: reason } } }),
    ...(all.length > 0 && { links: { ...links, all } }),
  };
}

/** Null if its account does not reach the receiver, who has left the list with that address. */
function stepFor(step: Further, { phone, elsewhere }: Reached): Further | null {
  const { account, after_ms: _, ...plain } = step;
  if (account === undefined) return step;
  const there = elsewhere.get(account);
  // This account is the one that sends the message.
  if (there === undefined) return plain;
  if (phone === null) return step;
  const receiver = there.receivers.get(phone) ?? (there.isSame ? phone : null);
  return receiver === null ? null : { ...step, phone: receiver };
}

/**
 * Returns the space that lines below a text leave for it, and what adds them. A text that has hardly more space than the
 * lines need goes without.
 */
export function linesBelow(lines: readonly string[], maxLength: number) {
  const line = lines.join('\n');
  const left = maxLength - line.length - 1;
  const isAdded = line !== '' && left >= line.length;
  /** Also to the texts of its fallbacks. */
  const add = <Sends extends Pick<RenderedSends, 'kind' | 'sets' | 'fallback'>>(sends: Sends): Sends => ({
    ...sends,
    sets: sends.sets.map((params) => withLine(sends.kind, params, line)),
    fallback: sends.fallback.map((one) => ({ ...one, params: withLine(one.kind, one.params, line) })),
  });
  return isAdded ? { maxLength: left, add } : { maxLength, add: <Sends>(sends: Sends): Sends => sends };
}

export const names = ({ params, fallback }: Send, words: RegExp): boolean =>
  [params, ...fallback.map((one) => one.params)]
    .flat()
    .some(({ texts }) => texts.some(({ source }) => words.test(source)));

/** Returns the line about what the sender left out, unless the send says it itself. */
export const leftOutLines = (count: number | undefined, send: Send | null, locale: Locale): string[] =>
  count === undefined || (send !== null && names(send, /\bleft_out\b/)) ? [] : [leftOutText(count, locale)];

/** Appends a line to the text of a message. A kind without a text stays as it is. */
function withLine(kind: MessageKind, params: SendParams, line: string): SendParams {
  const [name] = paramsOf(kind).find(([, { holds }]) => holds === 'text') ?? [];
  if (name === undefined) return params;
  const { [name]: text = '' } = params;
  return { ...params, [name]: text === '' ? line : `${text}\n${line}` };
}
