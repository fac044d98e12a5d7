import { createHmac } from 'node:crypto';
import { receiverNumber } from './receivers.ts';

/** The secret that the webhooks are signed with. */
export const HOOK_SECRET = 'hook-secret-of-the-proof';

/** One event of the source `proof`, and whom it is for. */
interface Webhook {
  /** Its id for dedupe, and the text of its message. */
  readonly id: string;
  /** As a payload has it: `+` and digits. */
  readonly phone: string;
}

/** A request that can be posted any number of times. */
export interface SignedWebhook extends Webhook {
  readonly body: string;
  readonly signature: string;
}

const BODY_BYTES = 1_024;

/** N webhooks, signed, of about 1 KiB each; the receivers take turns. `label` begins their ids. */
export function makeWebhooks(label: string, count: number, receivers: number): readonly SignedWebhook[] {
  return Array.from({ length: count }, (_, index) =>
    sign({
      id: `${label}-${String(index).padStart(6, '0')}`,
      phone: `+${receiverNumber(index % receivers)}`,
    }),
  );
}

/** Signs an event; `more` is in its payload as well. */
export function sign(webhook: Webhook, more: object = {}): SignedWebhook {
  const bare = { ...webhook, event: 'proof', ...more, filler: '' };
  const filler = 'x'.repeat(Math.max(0, BODY_BYTES - JSON.stringify(bare).length));
  const body = JSON.stringify({ ...bare, filler });
  return { ...webhook, body, signature: createHmac('sha256', HOOK_SECRET).update(body).digest('hex') };
}

/**
 * The published configuration: one signed source that sends each event's id to its receiver, or has routes of its own.
 */
export const proofConfig = (
  route: object,
  account: object,
  routes: readonly object[] = [
    {
      name: 'all',
      to: '{{ payload.phone }}',
      send: { kind: 'text', message: '{{ payload.id }}' },
      ...route,
    },
  ],
  accounts: Readonly<Record<string, object>> = {},
): object => ({
  sources: {
    proof: {
      provider: 'generic',
      verify: { scheme: 'hmac', header: 'X-Signature', algorithm: 'sha256', encoding: 'hex' },
      secrets: ['HOOK_SECRET'],
      dedupe: { key: '{{ payload.id }}' },
      routes,
    },
  },
  templates: {},
  recipients: {},
  accounts: Object.fromEntries(
    Object.entries({ default: account, ...accounts }).map(([name, document]) => [
      name,
      // As fast as it can: what is proved here is not the pace.
      { rate: false, per_recipient: false, ...document },
    ]),
  ),
});
