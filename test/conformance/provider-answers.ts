import type { Provider } from '../../src/provider/provider.ts';

/** The answer that a provider waits for when it has posted an event. */
export interface ExpectedAnswer {
  readonly status: number;
  /** Word for word; absent: it does not look at the body. */
  readonly body?: string;
  readonly type?: string;
}

const OK: ExpectedAnswer = { status: 200 };
/** They look for a 200, and at nothing else. */
const TAKE_200 = `
  brevo docusign dropbox flutterwave gumroad instagram jotform ko-fi lemonsqueezy linear
  mailchimp mailgun mercadopago messenger meta-lead-ads meta-whatsapp mollie-legacy monday paddle paystack
  postmark quickbooks trello webflow x zoom
`;
const EMPTY: ExpectedAnswer = { status: 200, body: '' };
const json = (value: object): ExpectedAnswer => ({
  status: 200,
  body: JSON.stringify(value),
  type: 'application/json',
});

/**
 * From the providers' documents: those that take no 202, or that read the body of the answer. By the provider's id, or
 * by that and the name of a sample where it is not one answer for all.
 */
export const answers: Readonly<Record<string, ExpectedAnswer>> = {
  ...Object.fromEntries(
    TAKE_200.trim()
      .split(/\s+/)
      .map((id) => [id, OK]),
  ),
  'adyen-payments': { status: 200, body: '[accepted]' },
  airtable: EMPTY,
  'discord-interactions: command': json({ type: 4, data: { content: 'Received.', flags: 64 } }),
  'discord-interactions: button': json({ type: 6 }),
  'discord-interactions: button again': json({ type: 6 }),
  'discord-interactions: autocompletion': json({ type: 8, data: { choices: [] } }),
  'discord-webhook-events': { status: 204, body: '' },
  // A browser sees a page, and a script gets JSON.
  'html-form: contact form': OK,
  'microsoft-teams-outgoing': json({ type: 'message', text: 'Received.' }),
  okta: { status: 204, body: '' },
  'slack: slash command': json({ response_type: 'ephemeral', text: 'Received.' }),
  'supabase-auth-hooks': json({}),
  twilio: { status: 200, body: '<Response/>', type: 'text/xml' },
  xero: EMPTY,
};

/** Samples of providers that name their events, which nothing names: each time they come they are new. */
const nameless: ReadonlySet<string> = new Set([
  // A list beside that of messages, and several of them may come in another order.
  'meta-whatsapp: our message: sent',
  'meta-whatsapp: our message: delivered',
  'meta-whatsapp: our message: read',
  'meta-whatsapp: the same failure again',
  'meta-whatsapp: message failed',
  // Instagram's comments, too, and the outcome of a message.
  'instagram: message is read',
  'instagram: comment',
  'instagram: our comment',
  'instagram: mention in a comment',
  // About the subscription, and no notification of it.
  'microsoft-graph: subscription ends',
  'microsoft-graph: notifications were missed',
  'microsoft-graph: subscription ends, repeated',
  'microsoft-graph: subscription is gone',
  // Its elements have ids, in a list in a list.
  'quickbooks: two companies, old format',
  // A test of the connection.
  'buildkite: test',
  'intercom: test',
  'instagram: test',
  'messenger: test',
  'messenger: message is read',
]);

/** True if a sample's event, or each of its elements, has an id by which a repeat of it is known. */
export const hasName = ({ dedupe, items }: Provider, sample: string): boolean =>
  (dedupe.length > 0 || (items?.id.length ?? 0) > 0) && !nameless.has(sample);

/** Samples of providers whose events have types, which nothing gives a type. */
export const typeless: readonly string[] = [
  // About a certificate, a domain or the notification itself, and no heartbeat.
  'uptime-kuma: certificate expires',
  'uptime-kuma: domain expires',
  'uptime-kuma: test',
];
