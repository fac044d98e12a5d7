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
  'data.attributes.name data.event.title data.issue.title data.metric_alert.title ' +
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
}

const ENGLISH: Words = {
  firing: 'firing',
  ended: 'ended',
  after: 'after',
  more: ['and', 'more'],
  flapping: 'flapping',
  since: 'Since',
  missed: 'began and ended meanwhile',
};

const WORDS: ReadonlyMap<string, Words> = new Map([
  [
    'de',
    {
      firing: 'aktiv',
      ended: 'beendet',
      after: 'nach',
      more: ['und', 'weitere'],
      flapping: 'wechselt ständig',
      since: 'Seit',
      missed: 'inzwischen begonnen und beendet',
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
  const words = WORDS.get(locale.locale.slice(0, 2).toLowerCase()) ?? ENGLISH;
  const lines: string[] = [];
  const when = since === undefined ? null : formatDateTime(since, 'short', locale);
  if (when?.ok === true) lines.push(`${words.since} ${when.value}:`);
  const add = (how: string, elements: readonly ToldElement[], all: number): void => {
    if (all === 0) return;
    const named = elements.slice(-NAMED).toReversed();
    lines.push(`${all} ${how}${named.length > 0 ? ':' : ''}`);
    for (const one of named) lines.push(`• ${titleOf(one)}${remarkOn(one, words, locale)}`);
    const [before, after] = words.more;
    if (all > named.length) lines.push(`${before} ${all - named.length} ${after}`);
  };
  add(words.firing, burning, count);
  add(words.ended, ended, ended.length);
  if (missed > 0) lines.push(`${missed} ${words.missed}`);
  return truncateTo(lines.join('\n'), maxLength);
}

/** What an item is about, on one line, with nothing in it that formats. */
function titleOf({ item, key, event }: ToldElement): string {
  const texts = [item, ...TITLES.map((path) => ownValue(item, path)), key, event.type].map(
    (value) => scalarText(value)?.slice(0, MAX_READ).replace(/\s+/g, ' ').trim() ?? '',
  );
  const title = texts.find((text) => text !== '') ?? event.source;
  return plain(truncateGraphemes(title.toWellFormed(), MAX_TITLE));
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
