import type { Action } from '../config/compiled/config.ts';
import { MAX_PUBLIC_URL } from '../config/public-url.ts';
import { truncateGraphemes, truncateTo } from '../lib/text.ts';
import { labelOf } from './built-in-text.ts';
import type { Locale } from '../template/basics/locale.ts';
import type { Scope } from '../template/basics/scope.ts';
import { renderText } from '../template/text.ts';

/** A link that the message's outbox makes when it writes the message. Until then a stand-in takes its place. */
export interface DraftLink {
  readonly standIn: string;
  readonly id: string;
  readonly label: string;
  /** True if the label contains something of the event. */
  readonly isOfEvent: boolean;
  readonly expiresMs: number;
}

export interface DraftLinks {
  /** The place of its element in the event, from 1; absent: it is about the whole event. */
  readonly item?: number;
  readonly all: readonly DraftLink[];
}

/** The form fields of a send. */
export type SendParams = Readonly<Record<string, string>>;

export const TOKEN_LENGTH = 24;

export const LINK_PATH = '/a/';

/** The length of the longest link. A text with a stand-in is at least as long as the text with the link. */
const LENGTH = MAX_PUBLIC_URL + LINK_PATH.length + TOKEN_LENGTH;

/** It contains the event's id, which nobody knows before the event exists, so no payload can contain it. */
const standInOf = (eventId: string, index: number): string =>
  `https://action.invalid/${eventId.replace('evt_', '')}/${index}/`.padEnd(LENGTH, 'x');

/** Returns a scope in which templates find the links of these actions. */
export function withLinks(scope: Scope, actions: readonly Action[]): Scope {
  if (actions.length === 0) return scope;
  const entries = actions.map(({ id }, index) => [id, { url: standInOf(scope.event.id, index) }] as const);
  return { ...scope, actions: Object.fromEntries(entries) };
}

/** The maximum length of a button's text, in characters as people count them. */
const MAX_LABEL = 60;

export function linksIn(
  texts: readonly string[],
  actions: readonly Action[],
  scope: Scope,
  locale: Locale,
): readonly DraftLink[] {
  return actions.flatMap((action): DraftLink[] => {
    const { id, label, expiresMs } = action;
    const standIn = scope.actions?.[id]?.url;
    if (standIn === undefined || !texts.some((text) => text.includes(standIn))) return [];
    const rendered = label === null ? null : renderText(label, scope, locale);
    const text = rendered?.ok === true ? rendered.value.replaceAll(/\s+/g, ' ').trim().toWellFormed() : '';
    const shown = truncateGraphemes(text === '' ? (labelOf(action, locale) ?? id) : text, MAX_LABEL);
    return [{ standIn, id, label: shown, isOfEvent: label?.nodes !== undefined, expiresMs }];
  });
}

/**
 * Returns a text of at most `maxLength` UTF-16 units with the links of these actions below it, one in a line. None if
 * hardly anything else would be left. `textOf`: the text itself, by its length.
 */
export function linkLines(
  actions: readonly Action[],
  textOf: (maxLength: number) => string,
  { scope, locale, maxLength }: { scope: Scope; locale: Locale; maxLength: number },
): { readonly text: string; readonly links: DraftLinks | null } {
  const own = withLinks(scope, actions);
  const all = linksIn(standInsOf(own), actions, own, locale);
  const lines = all.map(({ label, standIn }) => `\n${label}: ${standIn}`).join('');
  if (all.length === 0 || 2 * lines.length > maxLength) return { text: textOf(maxLength), links: null };
  return { text: textOf(maxLength - lines.length) + lines, links: { all } };
}

export const standInsOf = ({ actions = {} }: Scope): readonly string[] =>
  Object.values(actions).map(({ url }) => url);

/** Up to this length (UTF-16 units) a line is kept whole for its link; of a longer one, only the link is. */
const MAX_LINE = 240;

/** At most `max` UTF-16 units without losing a link: lines with links come after the others. Null: it has no space. */
export function truncateAround(text: string, max: number, standIns: readonly string[]): string | null {
  const links = standIns.filter((link) => text.includes(link));
  if (links.length === 0) return truncateTo(text, max);
  const isKept = (line: string): boolean => links.some((link) => line.includes(link));
  const lines = text.split('\n');
  const kept = lines.filter(isKept).map((line) => {
    const own = links.filter((link) => line.includes(link));
    return line.length <= MAX_LINE * own.length ? line : own.join(' ');
  });
  const tail = `\n${kept.join('\n')}`;
  if (tail.length >= max) return null;
  const others = lines.filter((line) => !isKept(line)).join('\n');
  return truncateTo(others.trimEnd(), max - tail.length) + tail;
}

interface Linked {
  readonly params: SendParams;
  readonly fallback?: readonly { readonly kind: string; readonly params: SendParams }[];
  readonly links?: DraftLinks;
}

/** Returns a message as a preview shows it: its links are made when it is accepted. */
export function withShownLinks<Message extends Linked>({
  links,
  ...message
}: Message): Omit<Message, 'links'> {
  if (links === undefined) return message;
  const replaced = replacing(links.all.map(({ standIn, id }) => [standIn, `https://…${LINK_PATH}${id}`]));
  const { params, fallback } = message;
  return {
    ...message,
    params: replaced(params),
    ...(fallback && { fallback: fallback.map((one) => ({ ...one, params: replaced(one.params) })) }),
  };
}

export const replacing =
  (pairs: readonly (readonly [from: string, to: string])[]) =>
  (params: SendParams): Record<string, string> =>
    Object.fromEntries(
      Object.entries(params).map(([name, text]) => [
        name,
        pairs.reduce((all, [from, to]) => all.replaceAll(from, () => to), text),
      ]),
    );
