/**
 * The values of `gateway:` in an account's document, besides `v2` and `http`, in the order in which they are offered to
 * people. The Worker needs no more of the makers before it reads their facts.
 */
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
