/** The decimals of a currency's minor unit by its ISO 4217 code. */
export type Exponents = Readonly<Record<string, number>>;

/** A source's locale: filters format numbers, money, dates and phone numbers by it. */
export interface Locale {
  /** ISO 3166-1 alpha-2: the country of phone numbers without a country code. */
  readonly country: string | undefined;
  /** The countries in which receivers from a payload may be; undefined for any. */
  readonly countries?: readonly string[] | undefined;
  /** The paths of a chat's ids in a payload; undefined if the source does not prove its sender. */
  readonly chatIds?: readonly string[] | undefined;
  /** BCP 47, such as `de-DE`. */
  readonly locale: string;
  /** IANA, such as `Europe/Berlin`. */
  readonly timezone: string;
  /** True if a time without a zone is one of that zone's clock, and not UTC. */
  readonly localTimes?: boolean | undefined;
  /** Currencies in which the source's provider counts minor units differently from ISO 4217. */
  readonly exponents?: Exponents | undefined;
}
