import { ownValue, scalarText, parseOwnJson } from '../lib/json.ts';
import { truncateGraphemes, truncateTo } from '../lib/text.ts';
import { HOUR, parseDuration } from '../lib/time.ts';
import type { Action } from '../config/compiled/config.ts';
import type { Locale } from '../template/basics/locale.ts';
import { plain } from '../template/filters/chat.ts';
import { formatDateTime } from '../template/filters/dates.ts';
import { formatDuration } from '../template/filters/durations.ts';
import {
  NONE_MISSED,
  type EscalationSoFar,
  type NotificationElement,
  type NotificationContent,
} from './notification-scope.ts';

/** The maximum number of open incidents, and of those that ended, that are named: the first ones. */
export const NAMED = 10;
const CRITICAL = '🔥 ';
/** The maximum length of a title, in characters as people count them. */
const MAX_TITLE = 120;
/** The part of a text that is read for its title, in UTF-16 units. */
const MAX_READ = 1_000;

/** The places where monitoring systems describe the problem, best first. */
export const TITLES: readonly string[] = [
  ...'annotations.summary summary title labels.alertname alertname subject name'.split(' '),
  ...'message monitor.name monitorFriendlyName check_name alert.message'.split(' '),
  ...'Message.AlarmName event.data.title message.data.incident.policy_name'.split(' '),
  ...'data.attributes.name data.event.title data.issue.title data.metric_alert.title'.split(' '),
  ...'workflow_run.name workflow_run.display_title run.title workflow.name'.split(' '),
  ...'pipeline.name commit_status.name commit.title annotations.description'.split(' '),
  ...'description text reason'.split(' '),
];

type Words = typeof ENGLISH;

const ENGLISH = {
  firing: 'firing',
  resolved: 'resolved',
  after: 'after',
  more: (count: number) => `and ${count} more`,
  beyond: (count: number) => `and at least ${count} more`,
  /** Why these are not kept one by one. */
  onlyCounted: 'They are only counted: too many are open.',
  over: 'Apart from those named one by one, none is firing any more.',
  bySender: (count: number) => `The sender left out ${count} more: nothing is known of them.`,
  flapping: 'flapping',
  since: 'Since',
  unwatched: 'no longer watched',
  missed: 'opened and resolved meanwhile',
  unheard: 'not heard of any more',
  messages: 'messages',
  labels: { ack: 'I have it', resolve: 'It is resolved', stop: 'No more messages' } as Readonly<
    Partial<Record<string, string>>
  >,
  /** A person who uses the API with a token has no name. */
  somebody: 'Somebody',
  has: (who: string) => `${who} has it`,
  hasNot: (who: string) => `${who} no longer has it`,
  hasSome: (who: string, count: number) => `${who} has ${count}`,
  /** Like `more`; in English where the words around it are. */
  others: (count: number) => `and ${count} more`,
  unanswered: (time: string) => `Not acknowledged since ${time}.`,
  notified: (who: string) => `Notified: ${who}.`,
  optedOut: (who: string) => `Opted out: ${who}.`,
  silenceFor: (duration: string) => `Silence for ${duration}`,
  silenceUntil: (time: string) => `Silence until ${time}`,
  mayBeLost: 'This message may not have arrived',
  mayBeLostToo: 'more messages may not have arrived',
};

/** What a language does not have is in English. */
const WORDS: Readonly<Record<string, Partial<Words>>> = {
  de: {
    firing: 'aktiv',
    resolved: 'behoben',
    // This avoids the wrong case of a noun: „nach 2 Tagen“.
    after: 'Dauer:',
    more: (count) => `und ${count} weitere`,
    beyond: (count) => `und mindestens ${count} weitere`,
    onlyCounted: 'Sie werden nur gezählt: Es sind zu viele aktiv.',
    over: 'Außer den einzeln genannten ist nichts mehr aktiv.',
    bySender: (count) => `Der Absender hat ${count} weitere weggelassen: Von ihnen ist nichts bekannt.`,
    flapping: 'wechselt ständig',
    since: 'Seit',
    unwatched: 'nicht mehr überwacht',
    missed: 'inzwischen aufgetreten und behoben',
    unheard: 'nicht mehr gemeldet',
    messages: 'Nachrichten',
    labels: { ack: 'Ich kümmere mich darum', resolve: 'Ist behoben', stop: 'Keine Nachrichten mehr' },
    somebody: 'Jemand',
    has: (who) => `${who} kümmert sich darum`,
    hasNot: (who) => `${who} kümmert sich nicht mehr darum`,
    hasSome: (who, count) => `${who} kümmert sich um ${count}`,
    others: (count) => `und ${count} weitere`,
    unanswered: (time) => `Seit ${time} hat niemand übernommen.`,
    notified: (who) => `Benachrichtigt: ${who}.`,
    optedOut: (who) => `Abgemeldet: ${who}.`,
    silenceFor: (duration) => `${duration} stummschalten`,
    silenceUntil: (time) => `Bis ${time} stummschalten`,
    mayBeLost: 'Diese Nachricht ist vielleicht nicht auf dem Telefon',
    mayBeLostToo: 'weitere Nachrichten sind vielleicht nicht auf dem Telefon',
  },
  fr: {
    firing: 'en cours',
    resolved: 'résolu(s)',
    after: 'après',
    more: (count) => `et ${count} de plus`,
    beyond: (count) => `et au moins ${count} de plus`,
    onlyCounted: 'Ils sont seulement comptés : trop sont en cours.',
    over: 'À part ceux qui sont nommés un par un, plus aucun n’est en cours.',
    bySender: (count) => `L’expéditeur en a omis ${count} de plus : on n’en sait rien.`,
    flapping: 'instable',
    since: 'Depuis',
    unwatched: 'plus surveillé(s)',
    missed: 'apparu(s) et résolu(s) entre-temps',
    unheard: 'sans nouvelles depuis',
  },
  es: {
    firing: 'en curso',
    resolved: 'resuelto(s)',
    after: 'tras',
    more: (count) => `y ${count} más`,
    beyond: (count) => `y al menos ${count} más`,
    onlyCounted: 'Solo se cuentan: hay demasiados en curso.',
    over: 'Aparte de los nombrados uno por uno, ya no hay ninguno en curso.',
    bySender: (count) => `El remitente omitió ${count} más: no se sabe nada de ellos.`,
    flapping: 'inestable',
    since: 'Desde',
    unwatched: 'ya no vigilado(s)',
    missed: 'aparecido(s) y resuelto(s) entretanto',
    unheard: 'sin más noticias',
    messages: 'mensajes',
  },
};

const wordsFor = ({ locale }: Pick<Locale, 'locale'>): Words => ({
  ...ENGLISH,
  ...WORDS[locale.slice(0, 2).toLowerCase()],
});

/**
 * Returns the text of a digest, or of a message whose template fails, in the source's language: how many are open and
 * have resolved, since when, and some of them. `critical`: the number of open ones, at the beginning, that cannot wait.
 * At most `maxLength` UTF-16 units.
 */
export function builtInText(
  {
    firing,
    critical = 0,
    count = firing.length,
    resolved,
    unwatched = [],
    ended = { resolved: resolved.length, unwatched: unwatched.length },
    since,
    missed = NONE_MISSED,
  }: Omit<NotificationContent, 'new' | 'max' | 'escalation' | 'single'> & { readonly critical?: number },
  locale: Locale,
  maxLength: number,
): string {
  const words = wordsFor(locale);
  const lines = since === undefined ? [] : sinceLine(since, words, locale);
  const named = (elements: readonly NotificationElement[], marked = 0): readonly string[] =>
    elements
      .slice(0, NAMED)
      .map((one, at) => `${at < marked ? CRITICAL : ''}${titleOf(one)}${remarkOn(one, words, locale)}`);
  lines.push(...listed(count, words.firing, named(firing, critical), words));
  lines.push(...listed(ended.resolved, words.resolved, named(resolved), words));
  const { resolved: cameAndWent, expired, unwatched: more } = missed;
  lines.push(...listed(ended.unwatched + more, words.unwatched, named(unwatched), words));
  lines.push(...listed(cameAndWent, words.missed, [], words), ...listed(expired, words.unheard, [], words));
  return truncateTo(lines.join('\n'), maxLength);
}

interface BeyondContent {
  readonly source: string;
  readonly names: readonly string[];
  /** The minimum number of items that were only counted; 0: they are over. */
  readonly count: number;
  readonly since: string;
}

export function beyondText({ source, names, count, since }: BeyondContent, locale: Locale): string {
  const words = wordsFor(locale);
  if (count === 0) return `${source}: ${words.over}`;
  const named = names.map((name) => `• ${titleFrom(name)}`);
  const rest = named.length > 0 && count > named.length ? ['• …'] : [];
  const head = `${source}: ${words.beyond(count)}${named.length > 0 ? ':' : ''}`;
  return [...sinceLine(since, words, locale), head, ...named, ...rest, words.onlyCounted].join('\n');
}

export const leftOutText = (count: number, locale: Locale): string => wordsFor(locale).bySender(count);

/** Returns `Since …:`, if it is a time. */
function sinceLine(since: string, words: Words, locale: Locale): string[] {
  const when = formatDateTime(since, 'short', locale);
  return when.ok ? [`${words.since} ${when.value}:`] : [];
}

/** Returns the number of all, the named ones, and the number of the others. */
function listed(all: number, how: string, named: readonly string[], words: Words): string[] {
  if (all === 0) return [];
  return [
    `${all} ${how}${named.length > 0 ? ':' : ''}`,
    ...named.map((one) => `• ${one}`),
    ...(named.length > 0 && all > named.length ? [words.more(all - named.length)] : []),
  ];
}

/** Returns a title on one line, without anything that formats. */
export const titleFrom = (text: string): string =>
  plain(truncateGraphemes(text.slice(0, MAX_READ).replace(/\s+/g, ' ').trim().toWellFormed(), MAX_TITLE));

/** Returns the subject of an item on one line, without formatting. */
export function titleOf({ item, key, event }: Pick<NotificationElement, 'item' | 'key' | 'event'>): string {
  const texts = [item, ...TITLES.map((path) => ownValue(item, path)), key, event.type].map(
    (value) => scalarText(value)?.slice(0, MAX_READ) ?? '',
  );
  return titleFrom(texts.find((text) => text.trim() !== '') ?? event.source);
}

function remarkOn(
  { resolved_at, duration_ms, flapping, changes }: NotificationElement,
  words: Words,
  { locale }: Locale,
): string {
  if (flapping) return ` (${words.flapping}, ${changes}×)`;
  const duration = resolved_at === null ? null : formatDuration(duration_ms / 1_000, locale);
  return duration?.ok === true ? ` (${words.after} ${duration.value})` : '';
}

const MOST_OF_ONE = 120;

/**
 * For the escape channel: one message in full, or the beginnings of the first few. `params`: JSON of the parameters of a
 * stored one, all of them texts. `locale`: their source's.
 */
export function escapeText(
  messages: readonly { readonly params: string }[],
  count: number,
  locale: string,
): string {
  const texts = messages.map(({ params }) =>
    Object.values(parseOwnJson<Readonly<Record<string, string>>>(params)).join('\n'),
  );
  const words = wordsFor({ locale });
  if (count === 1) return `${words.mayBeLost}: ${texts.join('')}`;
  const named = texts.map((text) => `• ${truncateTo(text, MOST_OF_ONE)}`);
  return [`${count} ${words.mayBeLostToo}:`, ...named, '…'].join('\n');
}

export const NAMED_WAITING = 5;

/** The parameters with the content of a message, best first. */
const SAYING = ['message', 'caption', 'text', 'title', 'question'];

interface WaitingDigest {
  readonly count: number;
  /** The time when the first of them was accepted (ISO 8601). */
  readonly since: string;
  readonly texts: readonly Readonly<Record<string, string>>[];
  /** The text of the digest that it replaces, whose messages are older; null if there is none. */
  readonly before: string | null;
}

/** How many wait, since when, and the first lines of the newest, without anything that formats. */
export function plainWaiting({ count, since, texts, before }: WaitingDigest, locale: Locale): string {
  const words = wordsFor(locale);
  const lines = texts.map((params) => {
    const text = SAYING.map((name) => params[name]).find((one) => one !== undefined);
    return titleFrom((text ?? Object.values(params)[0] ?? '').trimStart().split('\n')[0] ?? '');
  });
  const older = [...(before ?? '').matchAll(/^• (.*)$/gm)].map(([, line = '']) => line);
  const named = [...lines.toReversed(), ...older].slice(0, NAMED_WAITING);
  return [...sinceLine(since, words, locale), ...listed(count, words.messages, named, words)].join('\n');
}

/** Returns the button text of a built-in action; undefined for any other action. */
export function labelOf({ id, silence }: Pick<Action, 'id' | 'silence'>, locale: Locale): string | undefined {
  const words = wordsFor(locale);
  if (silence === null) return words.labels[id];
  if (silence.includes(':')) return words.silenceUntil(silence);
  const parsed = parseDuration(silence);
  const shown = parsed.ok ? formatDuration(parsed.value / 1_000, locale.locale) : parsed;
  return words.silenceFor(shown.ok ? shown.value : silence);
}

export const NAMED_HOLDERS = 5;

/** The form of the text for the others of an incident. */
export interface TextOptions {
  readonly locale: string;
  readonly isBack: boolean;
  /** True if it stands below a list of others, so that their number matters. */
  readonly isCounted?: boolean;
  readonly maxLength: number;
}

/** For the others of an incident: somebody has it, or no longer. `name`: null if it is not known. */
export function whoHasText(
  name: string | null,
  titles: readonly string[],
  { locale, isBack, isCounted = false, maxLength }: TextOptions,
): string {
  const words = wordsFor({ locale });
  const who = name ?? words.somebody;
  const has = isCounted ? words.hasSome(who, titles.length) : words.has(who);
  const first = isBack ? words.hasNot(who) : has;
  const [only] = titles;
  if (titles.length === 1 && only !== undefined) return truncateTo(`${first}: ${only}`, maxLength);
  const named = titles.slice(0, NAMED_HOLDERS).map((title) => `• ${title}`);
  const more = titles.length > NAMED_HOLDERS ? [words.others(titles.length - NAMED_HOLDERS)] : [];
  return truncateTo([`${first}:`, ...named, ...more].join('\n'), maxLength);
}

/** A time of the last hours needs no date. */
const SAME_DAY_MS = 12 * HOUR;

/** Since when nobody has acknowledged, who was notified, who has opted out. `now`: ISO 8601. */
export function escalationText(
  { since, notified, opted_out: out }: EscalationSoFar,
  now: string,
  locale: Locale,
): string {
  const words = wordsFor(locale);
  const timeOf = (at: string): string => {
    const style = Date.parse(now) - Date.parse(at) < SAME_DAY_MS ? 'time' : 'short';
    const time = formatDateTime(at, style, locale);
    return time.ok ? time.value : at;
  };
  const sentence = (all: readonly string[], say: (who: string) => string): string => {
    const named = all.slice(0, NAMED_HOLDERS);
    if (all.length > NAMED_HOLDERS) named.push(words.others(all.length - NAMED_HOLDERS));
    return all.length === 0 ? '' : ` ${say(named.join(', '))}`;
  };
  const known = notified.map(({ name, at }) => `${name} (${timeOf(at)})`);
  return words.unanswered(timeOf(since)) + sentence(known, words.notified) + sentence(out, words.optedOut);
}
