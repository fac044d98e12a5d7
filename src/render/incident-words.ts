import type { Locale } from '../template/basics/locale.ts';
import type { Action } from '../config/compiled/config.ts';
import { formatDateTime } from '../template/filters/dates.ts';
import { formatDuration } from '../template/filters/durations.ts';
import type { EscalationSoFar } from './notification-scope.ts';
import { HOUR, parseDuration } from '../lib/time.ts';
import { isGerman, truncateTo } from '../lib/text.ts';

type IncidentWords = Readonly<typeof ENGLISH>;

const ENGLISH = {
  labels: { ack: 'I have it', resolve: 'It is resolved', stop: 'No more messages' } as Readonly<
    Partial<Record<string, string>>
  >,
  /** A person who uses the API with a token has no name. */
  somebody: 'Somebody',
  has: (who: string) => `${who} has it`,
  hasNot: (who: string) => `${who} no longer has it`,
  hasSome: (who: string, count: number) => `${who} has ${count}`,
  more: (count: number) => `and ${count} more`,
  unheard: (time: string) => `Not acknowledged since ${time}.`,
  notified: (who: string) => `Notified: ${who}.`,
  optedOut: (who: string) => `Opted out: ${who}.`,
  silenceFor: (duration: string) => `Silence for ${duration}`,
  silenceUntil: (time: string) => `Silence until ${time}`,
};

const GERMAN: IncidentWords = {
  labels: { ack: 'Ich kümmere mich darum', resolve: 'Ist behoben', stop: 'Keine Nachrichten mehr' },
  somebody: 'Jemand',
  has: (who) => `${who} kümmert sich darum`,
  hasNot: (who) => `${who} kümmert sich nicht mehr darum`,
  hasSome: (who, count) => `${who} kümmert sich um ${count}`,
  more: (count) => `und ${count} weitere`,
  unheard: (time) => `Seit ${time} hat niemand übernommen.`,
  notified: (who) => `Benachrichtigt: ${who}.`,
  optedOut: (who) => `Abgemeldet: ${who}.`,
  silenceFor: (duration) => `${duration} stummschalten`,
  silenceUntil: (time) => `Bis ${time} stummschalten`,
};

const wordsFor = ({ locale }: Pick<Locale, 'locale'>): IncidentWords => (isGerman(locale) ? GERMAN : ENGLISH);

/** Returns the button text of a built-in action; undefined for any other action. */
export function labelOf({ id, silence }: Pick<Action, 'id' | 'silence'>, locale: Locale): string | undefined {
  const words = wordsFor(locale);
  if (silence === null) return words.labels[id];
  if (silence.includes(':')) return words.silenceUntil(silence);
  const parsed = parseDuration(silence);
  const shown = parsed.ok ? formatDuration(parsed.value / 1_000, locale.locale) : parsed;
  return words.silenceFor(shown.ok ? shown.value : silence);
}

export const NAMED = 5;

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
  const named = titles.slice(0, NAMED).map((title) => `• ${title}`);
  const more = titles.length > NAMED ? [words.more(titles.length - NAMED)] : [];
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
    const named = all.slice(0, NAMED);
    if (all.length > NAMED) named.push(words.more(all.length - NAMED));
    return all.length === 0 ? '' : ` ${say(named.join(', '))}`;
  };
  const known = notified.map(({ name, at }) => `${name} (${timeOf(at)})`);
  return words.unheard(timeOf(since)) + sentence(known, words.notified) + sentence(out, words.optedOut);
}
