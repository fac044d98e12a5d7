import { ownValue, scalarText } from '../lib/own-path.ts';
import { truncateGraphemes, truncateTo } from '../template/basics/graphemes.ts';
import type { Locale } from '../template/basics/locale.ts';
import { plain } from '../template/filters/chat.ts';
import { formatDateTime } from '../template/filters/dates.ts';
import { formatDuration } from '../template/filters/durations.ts';
import type { ToldElement, ToTell } from './told-scope.ts';

/** How many of those that burn, and of those that ended, are named: the newest. */
const NAMED = 10;
/** Longest title, in characters as people count them. */
const MAX_TITLE = 120;
/** How much of a text is read for its title, in UTF-16 units. */
const MAX_READ = 1_000;

/** Where monitoring systems say in words what is wrong, best first. */
const TITLES = (
  'annotations.summary summary title labels.alertname alertname subject name message ' +
  'monitor.name monitorFriendlyName check_name alert.message Message.AlarmName event.data.title ' +
  'message.data.incident.policy_name data.attributes.name data.event.title data.issue.title data.metric_alert.title ' +
  'workflow_run.name workflow_run.display_title run.title workflow.name pipeline.name commit_status.name commit.title ' +
  'annotations.description description text reason'
).split(' ');

interface Words {
  readonly firing: string;
  readonly ended: string;
  readonly after: string;
  /** Before and after a number. */
  readonly more: readonly [string, string];
  readonly flapping: string;
  readonly since: string;
  /** After the number of those that began and ended meanwhile. */
  readonly missed: string;
  readonly messages: string;
}

const ENGLISH: Words = {
  firing: 'firing',
  ended: 'ended',
  after: 'after',
  more: ['and', 'more'],
  flapping: 'flapping',
  since: 'Since',
  missed: 'began and ended meanwhile',
  messages: 'messages',
};

const WORDS: ReadonlyMap<string, Words> = new Map([
  [
    'de',
    {
      firing: 'aktiv',
      ended: 'beendet',
      // No case of the noun to get wrong: „nach 2 Tagen“.
      after: 'Dauer:',
      more: ['und', 'weitere'],
      flapping: 'wechselt ständig',
      since: 'Seit',
      missed: 'inzwischen begonnen und beendet',
      messages: 'Nachrichten',
    },
  ],
  [
    'fr',
    {
      firing: 'en cours',
      ended: 'terminé(s)',
      after: 'après',
      more: ['et', 'de plus'],
      flapping: 'instable',
      since: 'Depuis',
      missed: 'apparu(s) et terminé(s) entre-temps',
      messages: 'messages',
    },
  ],
  [
    'es',
    {
      firing: 'en curso',
      ended: 'terminado(s)',
      after: 'tras',
      more: ['y', 'más'],
      flapping: 'inestable',
      since: 'Desde',
      missed: 'aparecido(s) y terminado(s) entretanto',
      messages: 'mensajes',
    },
  ],
]);

/**
 * The text of a digest, or of a message whose template fails, in the words of the source's language: how many burn and
 * ended, since when, and the newest of them. At most `maxLength` UTF-16 units.
 */
export function plainTold(
  {
    burning,
    count = burning.length,
    ended,
    since,
    missed = 0,
  }: Pick<ToTell, 'burning' | 'count' | 'ended' | 'since' | 'missed'>,
  locale: Locale,
  maxLength: number,
): string {
  const words = wordsFor(locale);
  const lines = since === undefined ? [] : sinceLine(since, words, locale);
  const named = (elements: readonly ToldElement[]): readonly string[] =>
    elements
      .slice(-NAMED)
      .toReversed()
      .map((one) => `${titleOf(one)}${remarkOn(one, words, locale)}`);
  lines.push(...listed(count, words.firing, named(burning), words));
  lines.push(...listed(ended.length, words.ended, named(ended), words));
  if (missed > 0) lines.push(`${missed} ${words.missed}`);
  return truncateTo(lines.join('\n'), maxLength);
}

/** The words of a language; of one that is not known, English ones. */
export const wordsFor = ({ locale }: Locale): Words => WORDS.get(locale.slice(0, 2).toLowerCase()) ?? ENGLISH;

/** `Since …:`, if it is a time. */
export function sinceLine(since: string, words: Words, locale: Locale): string[] {
  const when = formatDateTime(since, 'short', locale);
  return when.ok ? [`${words.since} ${when.value}:`] : [];
}

/** How many there are, those that are named, and how many more. */
export function listed(all: number, how: string, named: readonly string[], words: Words): string[] {
  if (all === 0) return [];
  const [before, after] = words.more;
  return [
    `${all} ${how}${named.length > 0 ? ':' : ''}`,
    ...named.map((one) => `• ${one}`),
    ...(all > named.length ? [`${before} ${all - named.length} ${after}`] : []),
  ];
}

/** A title on one line, with nothing in it that formats. */
export const titleFrom = (text: string): string =>
  plain(truncateGraphemes(text.slice(0, MAX_READ).replace(/\s+/g, ' ').trim().toWellFormed(), MAX_TITLE));

/** What an item is about, on one line, with nothing in it that formats. */
function titleOf({ item, key, event }: ToldElement): string {
  const texts = [item, ...TITLES.map((path) => ownValue(item, path)), key, event.type].map(
    (value) => scalarText(value)?.slice(0, MAX_READ) ?? '',
  );
  return titleFrom(texts.find((text) => text.trim() !== '') ?? event.source);
}

function remarkOn(
  { ended_at, burned_ms, flapping, changes }: ToldElement,
  words: Words,
  { locale }: Locale,
): string {
  if (flapping) return ` (${words.flapping}, ${changes}×)`;
  const burned = ended_at === null ? null : formatDuration(burned_ms / 1_000, locale);
  return burned?.ok === true ? ` (${words.after} ${burned.value})` : '';
}
