import type { ReceiverRules } from '../../phone/read.ts';
import { createCache } from '../../lib/cache.ts';

/** The decimals of a currency's minor unit by its ISO 4217 code. */
export type Exponents = Readonly<Record<string, number>>;

/** A source's locale: filters format numbers, money, dates and phone numbers by it. */
export interface Locale extends ReceiverRules {
  /** BCP 47, such as `de-DE`. */
  readonly locale: string;
  /** IANA, such as `Europe/Berlin`. */
  readonly timezone: string;
  /** True if a time without a zone is one of that zone's clock, and not UTC. */
  readonly localTimes?: boolean | undefined;
  /** Currencies in which the source's provider counts minor units differently from ISO 4217. */
  readonly exponents?: Exponents | undefined;
}

/** The name of the argument of a filter that takes a locale. Without a name, it is the last one. */
export const LOCALE = 'locale';

/** True if a document's `locale` is not a tag, but a text that reads one from each event. */
export const isExpression = (locale: string): boolean => /\{[{%]/.test(locale);

/** A language, perhaps a script and a region, as senders write them: `de`, `de_AT`, `zh-hant-tw`, `de_DE.UTF-8`. */
const TAG = /^[a-z]{2,3}(?:[-_][a-z]{4})?(?:[-_](?:[a-z]{2}|\d{3}))?(?=$|[-_.@])/i;

/** The maximum number of languages of a text that are looked at: `Accept-Language` has several. */
const MAX_TAGS = 8;

/** Returns the first language that a text of a sender names and the runtime knows, as BCP 47; null if there is none. */
export function localeIn(text: unknown): string | null {
  for (const one of typeof text === 'string' ? text.slice(0, 256).split(/[,;]/, MAX_TAGS) : []) {
    const tag = TAG.exec(one.trim())?.[0].replaceAll('_', '-') ?? [];
    const [known] = Intl.DateTimeFormat.supportedLocalesOf(tag);
    if (known !== undefined) return known;
  }
  return null;
}

/** The formatters of the platform, by locale and options: making one takes longer than using it. */
export function formatsOf<Options, Format>(Formatter: new (locale: string, options: Options) => Format) {
  const known = createCache<Format>(64);
  return (locale: string, options: Options): Format =>
    known(`${locale} ${JSON.stringify(options)}`, () => new Formatter(locale, options));
}

/** The longest IANA names have 32 characters. A stranger's text is not kept as the key of a cache. */
export const MAX_ZONE_LENGTH = 64;

/** In place of a zone in a template: a time without one is local to the source. */
export const LOCAL = 'local';

const zones = createCache<boolean>(64);

export function isZone(timeZone: string): boolean {
  if (timeZone.length > MAX_ZONE_LENGTH) return false;
  return zones(timeZone, () => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone }).format(0) !== '';
    } catch {
      return false;
    }
  });
}
