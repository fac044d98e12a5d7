import { createHmac } from 'node:crypto';
import { receiverNumber } from '../e2e/receivers.ts';
import { HOOK_SECRET } from '../e2e/webhook.ts';

/** So many phones take turns. */
export const RECEIVERS = 640;

/** As a payment provider's webhook: about 1.2 KB. */
const BYTES = 1_200;

/** Begins each id; a run and an index of so many digits follow. The gateway finds it in the message's text. */
export const ID_PREFIX = 'payx';
export const RUN_DIGITS = 4;
export const INDEX_DIGITS = 6;

const padded = (number: number, digits: number): string => String(number).padStart(digits, '0');

export const paymentId = (run: number, index: number): string =>
  `${ID_PREFIX}${padded(run, RUN_DIGITS)}${padded(index, INDEX_DIGITS)}`;

/** One webhook of a payment. All that is sent for it is one text message. */
export function payment(run: number, index: number): { readonly body: string; readonly signature: string } {
  const bare = {
    id: paymentId(run, index),
    type: 'payment.succeeded',
    created: '2026-11-22T10:00:00Z',
    data: {
      amount: 4_900 + (index % 100),
      currency: 'EUR',
      status: 'succeeded',
      description: `Order ${index}`,
      customer: {
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        phone: `+${receiverNumber(index % RECEIVERS)}`,
      },
      method: { type: 'card', brand: 'visa', last4: '4242', country: 'DE' },
      refunds: [],
      metadata: {},
    },
    note: '',
  };
  const note = 'x'.repeat(BYTES - JSON.stringify(bare).length);
  const body = JSON.stringify({ ...bare, note });
  return { body, signature: createHmac('sha256', HOOK_SECRET).update(body).digest('hex') };
}

const utf8 = new TextEncoder();

/** The same as bytes on the wire, over a connection that stays open. */
export function paymentRequest(run: number, index: number, path: string): Uint8Array {
  const { body, signature } = payment(run, index);
  return utf8.encode(
    `POST ${path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n` +
      `X-Signature: ${signature}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

/** What the relay is configured with for it. `rate`: of the account; false: as fast as it can. */
export const paymentConfig = (account: object = {}): object => ({
  sources: {
    proof: {
      provider: 'generic',
      verify: { scheme: 'hmac', header: 'X-Signature', algorithm: 'sha256', encoding: 'hex' },
      secrets: ['HOOK_SECRET'],
      dedupe: { key: '{{ payload.id }}' },
      limit: false,
      routes: [
        {
          name: 'paid',
          to: '{{ payload.data.customer.phone }}',
          send: {
            kind: 'text',
            message:
              'Payment {{ payload.id }} of {{ payload.data.amount }} {{ payload.data.currency }} from {{ payload.data.customer.name }}',
          },
        },
      ],
    },
  },
  templates: {},
  recipients: {},
  accounts: { default: { rate: false, per_recipient: false, ...account } },
});
