import { ownValue, scalarText, parseOwnJson } from '../lib/json.ts';
import { truncateGraphemes, truncateTo, isGerman } from '../lib/text.ts';
import type { Locale } from '../template/basics/locale.ts';
import { plain } from '../template/filters/chat.ts';
import { formatDateTime } from '../template/filters/dates.ts';
import { formatDuration } from '../template/filters/durations.ts';
import { NONE_MISSED, type NotificationElement, type NotificationContent } from './notification-scope.ts';

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

type BuiltInWords = Readonly<typeof ENGLISH>;

/** Of two texts, one comes before a number and the other after it. */
const ENGLISH = {
  firing: 'firing',
  resolved: 'resolved',
  after: 'after',
  more: ['and', 'more'],
  /** The second is the reason why they are not kept one by one. */
  beyond: ['and at least', 'They are only counted: too many are open.'],
  over: 'Apart from those named one by one, none is firing any more.',
  bySender: ['The sender left out', 'more: nothing is known of them.'],
  flapping: 'flapping',
  since: 'Since',
  unwatched: 'no longer watched',
  missed: 'opened and resolved meanwhile',
  unheard: 'not heard of any more',
  messages: 'messages',
} satisfies Readonly<Record<string, string | readonly [string, string]>>;

const WORDS: Readonly<Record<string, BuiltInWords>> = {
  de: {
    firing: 'aktiv',
    resolved: 'behoben',
    // This avoids the wrong case of a noun: „nach 2 Tagen“.
    after: 'Dauer:',
    more: ['und', 'weitere'],
    beyond: ['und mindestens', 'Sie werden nur gezählt: Es sind zu viele aktiv.'],
    over: 'Außer den einzeln genannten ist nichts mehr aktiv.',
    bySender: ['Der Absender hat', 'weitere weggelassen: Von ihnen ist nichts bekannt.'],
    flapping: 'wechselt ständig',
    since: 'Seit',
    unwatched: 'nicht mehr überwacht',
    missed: 'inzwischen aufgetreten und behoben',
    unheard: 'nicht mehr gemeldet',
    messages: 'Nachrichten',
  },
  fr: {
    firing: 'en cours',
    resolved: 'résolu(s)',
    after: 'après',
    more: ['et', 'de plus'],
    beyond: ['et au moins', 'Ils sont seulement comptés : trop sont en cours.'],
    over: 'À part ceux qui sont nommés un par un, plus aucun n’est en cours.',
    bySender: ['L’expéditeur en a omis', 'de plus : on n’en sait rien.'],
    flapping: 'instable',
    since: 'Depuis',
    unwatched: 'plus surveillé(s)',
    missed: 'apparu(s) et résolu(s) entre-temps',
    unheard: 'sans nouvelles depuis',
    messages: 'messages',
  },
  es: {
    firing: 'en curso',
    resolved: 'resuelto(s)',
    after: 'tras',
    more: ['y', 'más'],
    beyond: ['y al menos', 'Solo se cuentan: hay demasiados en curso.'],
    over: 'Aparte de los nombrados uno por uno, ya no hay ninguno en curso.',
    bySender: ['El remitente omitió', 'más: no se sabe nada de ellos.'],
    flapping: 'inestable',
    since: 'Desde',
    unwatched: 'ya no vigilado(s)',
    missed: 'aparecido(s) y resuelto(s) entretanto',
    unheard: 'sin más noticias',
    messages: 'mensajes',
  },
};

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
  const [before, why] = words.beyond;
  if (count === 0) return `${source}: ${words.over}`;
  const named = names.map((name) => `• ${titleFrom(name)}`);
  const rest = named.length > 0 && count > named.length ? ['• …'] : [];
  const head = `${source}: ${before} ${count} ${words.more[1]}${named.length > 0 ? ':' : ''}`;
  return [...sinceLine(since, words, locale), head, ...named, ...rest, why].join('\n');
}

export function leftOutText(count: number, locale: Locale): string {
  const [before, after] = wordsFor(locale).bySender;
  return `${before} ${count} ${after}`;
}

const wordsFor = ({ locale }: Locale): BuiltInWords => WORDS[locale.slice(0, 2).toLowerCase()] ?? ENGLISH;

/** Returns `Since …:`, if it is a time. */
function sinceLine(since: string, words: BuiltInWords, locale: Locale): string[] {
  const when = formatDateTime(since, 'short', locale);
  return when.ok ? [`${words.since} ${when.value}:`] : [];
}

/** Returns the number of all, the named ones, and the number of the others. */
function listed(all: number, how: string, named: readonly string[], words: BuiltInWords): string[] {
  if (all === 0) return [];
  const [before, after] = words.more;
  return [
    `${all} ${how}${named.length > 0 ? ':' : ''}`,
    ...named.map((one) => `• ${one}`),
    ...(named.length > 0 && all > named.length ? [`${before} ${all - named.length} ${after}`] : []),
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
  words: BuiltInWords,
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
  const [one, more] = isGerman(locale)
    ? [
        'Diese Nachricht ist vielleicht nicht auf dem Telefon',
        'weitere Nachrichten sind vielleicht nicht auf dem Telefon',
      ]
    : ['This message may not have arrived', 'more messages may not have arrived'];
  if (count === 1) return `${one}: ${texts.join('')}`;
  const named = texts.map((text) => `• ${truncateTo(text, MOST_OF_ONE)}`);
  return [`${count} ${more}:`, ...named, '…'].join('\n');
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
