import { hmacSender, type HmacFacts, keyBytes, renamed } from './hmac-sender.ts';
import { HEX, POLAR } from './keys.ts';
import { headerOf, type Sender } from './sender.ts';

/** By Standard Webhooks, but for what the key is. */
const polar = (facts: Partial<HmacFacts>): Sender =>
  hmacSender('polar', {
    header: 'webhook-signature',
    keys: POLAR,
    encoding: 'base64',
    content: ({ draft, time }) => `${headerOf(draft, 'webhook-id')}.${time}.${draft.body}`,
    beside: { 'webhook-id': 'msg_2Lml7bxRGqPRHTJz4kOHmjQnlTf' },
    write: (signatures) => signatures.map((one) => `v1,${one}`).join(' '),
    lists: true,
    time: { in: 'header', name: 'webhook-timestamp', unit: 's', late: 300 },
    covers: { headers: ['webhook-id'] },
    otherAlgorithms: [
      renamed('webhook-signature', 'v1,', 'v1a,', 'unknown_key'),
      renamed('webhook-signature', 'v1,', 'v2,', 'unknown_key'),
    ],
    ...facts,
  });

/** Senders of shops and payments. */
export const shopSenders: readonly Sender[] = [
  polar({ variant: 'secrets before September 2026' }),
  polar({ decodeKey: (key) => keyBytes.base64(key.replace(/^(polar_whs_|whsec_)/, '')) }),
  hmacSender('gocardless', { header: 'Webhook-Signature' }),
  hmacSender('squarespace', { header: 'Squarespace-Signature', keys: HEX, decodeKey: keyBytes.hex }),
  hmacSender('revolut', {
    header: 'Revolut-Signature',
    content: ({ draft, time }) => `v1.${time}.${draft.body}`,
    write: (signatures) => signatures.map((one) => `v1=${one}`).join(),
    lists: true,
    time: { in: 'header', name: 'Revolut-Request-Timestamp', unit: 'ms', late: 300 },
    otherAlgorithms: [
      renamed('Revolut-Signature', 'v1=', 'v0=', 'unknown_key'),
      renamed('Revolut-Signature', 'v1=', 'v2=', 'unknown_key'),
    ],
    reasons: { doubled: null },
  }),
];
