/** A source's locale: filters format numbers, money, dates and phone numbers by it. */
export interface Locale {
  /** ISO 3166-1 alpha-2: the country of phone numbers without a country code. */
  readonly country: string | undefined;
  /** BCP 47, such as `de-DE`. */
  readonly locale: string;
  /** IANA, such as `Europe/Berlin`. */
  readonly timezone: string;
}
