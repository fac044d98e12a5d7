import { createHmac } from 'node:crypto';
import { receiverNumber } from '../e2e/receivers.ts';
import { HOOK_SECRET } from '../e2e/webhook.ts';

/** The number of phones that take turns. */
export const RECEIVERS = 640;

/** The size of a webhook. */
export interface Shape {
  readonly bytes: number;
  /** The number of elements in its list. Each has an id of its own for the gateway to find. */
  readonly items: number;
}

/** As a payment provider's webhook: about 1.2 KB. */
export const PAYMENT: Shape = { bytes: 1_200, items: 0 };

/** Begins each id; a run and an index of N digits follow. The gateway finds it in the message's text. */
export const ID_PREFIX = 'payx';
export const RUN_DIGITS = 4;
export const INDEX_DIGITS = 6;

const padded = (number: number, digits: number): string => String(number).padStart(digits, '0');

export const paymentId = (run: number, index: number): string =>
  `${ID_PREFIX}${padded(run, RUN_DIGITS)}${padded(index, INDEX_DIGITS)}`;

/** One webhook of a payment. All that is sent for it is one text message; of one with a list, one for each element. */
export function payment(
  run: number,
  index: number,
  { bytes, items }: Shape = PAYMENT,
): { readonly body: string; readonly signature: string } {
  const bare = {
    id: paymentId(run, index),
    type: 'payment.succeeded',
    // fixed date: a text of the payload that no rule reads
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
    ...(items > 0 && {
      items: Array.from({ length: items }, (_, item) => ({ id: paymentId(run, index * items + item) })),
    }),
    note: '',
  };
  const note = 'x'.repeat(Math.max(0, bytes - JSON.stringify(bare).length));
  const body = JSON.stringify({ ...bare, note });
  return { body, signature: createHmac('sha256', HOOK_SECRET).update(body).digest('hex') };
}

const utf8 = new TextEncoder();

/** The same as bytes on the wire, over a connection that stays open. */
export function paymentRequest(run: number, index: number, path: string, shape: Shape): Uint8Array {
  const { body, signature } = payment(run, index, shape);
  return utf8.encode(
    `POST ${path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n` +
      `X-Signature: ${signature}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

/** The one message of a payment. */
export const PAID_ROUTE = {
  name: 'paid',
  to: '{{ payload.data.customer.phone }}',
  send: {
    kind: 'text',
    message:
      'Payment {{ payload.id }} of {{ payload.data.amount }} {{ payload.data.currency }} from {{ payload.data.customer.name }}',
  },
};

/** A source of payments, to one account. */
export const paymentSource = (routes: readonly object[] = [PAID_ROUTE], account = 'default'): object => ({
  provider: 'generic',
  verify: { scheme: 'hmac', header: 'X-Signature', algorithm: 'sha256', encoding: 'hex' },
  secrets: ['HOOK_SECRET'],
  dedupe: { key: '{{ payload.id }}' },
  limit: false,
  account,
  routes,
});

/** Of an account that sends as fast as it can. */
export const UNPACED = { rate: false, per_recipient: false };

/** The relay's configuration for a payment. `account`: additions to its document. */
export const paymentConfig = (account: object = {}): object => ({
  sources: { proof: paymentSource() },
  templates: {},
  recipients: {},
  accounts: { default: { ...UNPACED, ...account } },
});
