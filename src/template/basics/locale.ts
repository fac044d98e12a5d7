/** The decimals of a currency's minor unit by its ISO 4217 code. */
export type Exponents = Readonly<Record<string, number>>;

/** A source's locale: filters format numbers, money, dates and phone numbers by it. */
export interface Locale {
  /** ISO 3166-1 alpha-2: the country of phone numbers without a country code. */
  readonly country: string | undefined;
  /** BCP 47, such as `de-DE`. */
  readonly locale: string;
  /** IANA, such as `Europe/Berlin`. */
  readonly timezone: string;
  /** Currencies in which the source's provider counts minor units differently from ISO 4217. */
  readonly exponents?: Exponents | undefined;
}
