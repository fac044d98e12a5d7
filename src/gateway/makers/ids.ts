/** In the order in which people are offered them. The Worker needs no more before it reads the makers' facts. */
export const MAKER_IDS = [
  'ntfy',
  'telegram',
  'pushover',
  'signal',
  'waha',
  'evolution',
  'whatsapp-cloud',
  'twilio',
] as const;

/** What has something for each maker is keyed by it, so that one without does not compile. */
export type MakerId = (typeof MAKER_IDS)[number];
