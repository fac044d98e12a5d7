/** The values of `gateway:` in an account's document, besides `v2` and `http`. */
export const MAKER_IDS: readonly string[] = [
  'ntfy',
  'telegram',
  'pushover',
  'signal',
  'waha',
  'evolution',
  'whatsapp-cloud',
  'twilio',
];
