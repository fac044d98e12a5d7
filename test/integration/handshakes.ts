import { createHmac } from 'node:crypto';
import { CERTIFICATES } from '../conformance/senders/certificate-senders.ts';
import { SNS_TOPICS, TEXT } from '../conformance/senders/keys.ts';
import type { Webhook } from '../conformance/senders/sender.ts';
import { senders } from '../conformance/senders/senders.ts';
import { TEST_ONLY_RSA_KEY } from '../signature/certificates.ts';

/** A provider's first request to an address, as it makes it, and the answer that it waits for. */
export interface Greeting {
  readonly provider: string;
  /** For a provider that greets in several ways. */
  readonly variant?: string;
  /** The source's document, without its provider. */
  readonly source: object;
  readonly request: () => Promise<Webhook> | Webhook;
  /** True if the request is signed, so that it gets 401 without its signature. */
  readonly signed: boolean;
  readonly answer: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    /** Absent: none. */
    readonly body?: string;
  };
}

const [SECRET = ''] = TEXT.secrets;
const TEXT_SOURCE = { secrets: ['CONFORMANCE_TEXT_1'] };
const ED25519_SOURCE = { secrets: ['CONFORMANCE_ED25519_1'] };
const PLAIN = { 'content-type': 'text/plain; charset=utf-8' };
const JSON_TYPE = { 'content-type': 'application/json' };

const webhook = (
  provider: string,
  parts: Partial<Webhook> & { readonly path?: string; readonly query?: string } = {},
): Webhook => ({
  method: parts.method ?? 'POST',
  url: `https://relay.example/hooks/${provider}${parts.path ?? ''}${parts.query ?? ''}`,
  headers: parts.headers ?? {},
  body: parts.body ?? '',
});

const posted = (provider: string, payload: object): Webhook =>
  webhook(provider, { headers: JSON_TYPE, body: JSON.stringify(payload) });

/** Signs a request as the provider does, with the key that goes with the source's secret. */
export async function signed(provider: string, payload: object): Promise<Webhook> {
  const sender = senders.find((one) => one.provider === provider);
  const key = sender?.keys.signers[0]?.key;
  if (sender === undefined || key === undefined) throw new Error(`nobody signs like ${provider}`);
  return sender.send(posted(provider, payload), { keys: [key], now: Date.now() });
}

/** The key of the certificate that the tests serve for SNS, in DER. */
const snsKey = (): Uint8Array =>
  Uint8Array.from(atob(TEST_ONLY_RSA_KEY.replaceAll(/-----[A-Z ]+-----|\s/g, '')), (character) =>
    character.charCodeAt(0),
  );

/** The address at which SNS wants its subscriptions confirmed. */
export const SUBSCRIBE_URL =
  'https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&Token=2336412f37f';

/** A signed request of SNS that is not a notification. */
export async function snsConfirmation(
  type: 'SubscriptionConfirmation' | 'UnsubscribeConfirmation',
  subscribeUrl = SUBSCRIBE_URL,
): Promise<Webhook> {
  const signedFields = {
    Message: 'You have chosen to subscribe to the topic.',
    MessageId: '165545c9-2a5c-472c-8df2-7ff2be2b3b1b',
    SubscribeURL: subscribeUrl,
    Timestamp: new Date().toISOString(),
    Token: '2336412f37f',
    TopicArn: SNS_TOPICS.secrets[0],
    Type: type,
  };
  const text = Object.entries(signedFields).map(([name, value]) => `${name}\n${value}\n`);
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('pkcs8', snsKey(), algorithm, false, ['sign']);
  const signature = await crypto.subtle.sign(algorithm, key, new TextEncoder().encode(text.join('')));
  return webhook('aws-sns', {
    headers: { 'content-type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': type },
    body: JSON.stringify({
      ...signedFields,
      SignatureVersion: '2',
      SigningCertURL: CERTIFICATES.sns,
      Signature: btoa(String.fromCharCode(...new Uint8Array(signature))),
    }),
  });
}

const zoomToken = 'qgg8vlvZRS6UYooatFL8Aw';
const crcToken = 'NTA4NjQ3ZTQtM2M5Yy00';
const graphToken =
  'Validation: Testing client application reachability for subscription Request-Id: 5a3d1f2e';

/** Event Grid's check, as Microsoft documents it. */
const GRID_VALIDATION = [
  {
    id: '2d1781af-3a4c-4d7c-bd0c-e34b19da4e66',
    topic: '/subscriptions/xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx',
    subject: '',
    data: {
      validationCode: '512d38b6-c7b8-40c8-89fe-f46f9e9622b6',
      validationUrl:
        'https://rp-eastus2.eventgrid.azure.net:553/eventsubscriptions/hookbell/validate?id=512d38b6',
    },
    eventType: 'Microsoft.EventGrid.SubscriptionValidationEvent',
    eventTime: '2026-01-05T08:30:01.0000000Z', // fixed date: nobody reads it
    metadataVersion: '1',
    dataVersion: '2',
  },
];

const hmac = (text: string, encoding: 'hex' | 'base64') =>
  createHmac('sha256', SECRET).update(text).digest(encoding);

const ok = { status: 200 };
const text = (body: string) => ({ status: 200, headers: PLAIN, body });
const json = (value: object) => ({ status: 200, headers: JSON_TYPE, body: JSON.stringify(value) });

/** One that is signed, as the payload that the provider signs says. */
const bySignature = (
  provider: string,
  payload: () => object,
  answer: Greeting['answer'],
  source: object = TEXT_SOURCE,
): Greeting => ({ provider, source, request: () => signed(provider, payload()), signed: true, answer });

/** One that is not. */
const openly = (
  provider: string,
  parts: Parameters<typeof webhook>[1],
  answer: Greeting['answer'],
  source: object = TEXT_SOURCE,
): Greeting => ({ provider, source, request: () => webhook(provider, parts), signed: false, answer });

const postedJson = (value: object, headers: Readonly<Record<string, string>> = {}) => ({
  headers: { ...JSON_TYPE, ...headers },
  body: JSON.stringify(value),
});

const meta = (provider: string, answer: Greeting['answer'] = text('1158201444'), more = {}): Greeting =>
  openly(
    provider,
    { method: 'GET', query: '?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=hook-secret' },
    answer,
    { ...TEXT_SOURCE, handshake: { secret: 'HOOK_SECRET' }, ...more },
  );

const sns = (type: Parameters<typeof snsConfirmation>[0], variant: string): Greeting => ({
  provider: 'aws-sns',
  variant,
  source: { secrets: ['CONFORMANCE_SNS_1'] },
  request: () => snsConfirmation(type),
  signed: true,
  answer: ok,
});

export const GREETINGS: readonly Greeting[] = [
  bySignature(
    'slack',
    () => ({ type: 'url_verification', token: 'x', challenge: '3eZbrw1aBm2rZgRN' }),
    text('3eZbrw1aBm2rZgRN'),
  ),
  bySignature(
    'zoom',
    () => ({
      event: 'endpoint.url_validation',
      event_ts: Date.now(),
      payload: { plainToken: zoomToken },
    }),
    json({ plainToken: zoomToken, encryptedToken: hmac(zoomToken, 'hex') }),
  ),
  openly(
    'monday',
    postedJson({ challenge: '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmd' }),
    json({ challenge: '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmd' }),
    { ...TEXT_SOURCE, url: 'https://relay.example/hooks/monday' },
  ),
  bySignature(
    'discord-interactions',
    () => ({ id: '1', application_id: '2', type: 1, version: 1 }),
    json({ type: 1 }),
    ED25519_SOURCE,
  ),
  bySignature(
    'discord-webhook-events',
    () => ({ version: 1, application_id: '2', type: 0 }),
    { status: 204, headers: JSON_TYPE },
    ED25519_SOURCE,
  ),
  ...['meta-whatsapp', 'instagram', 'messenger', 'meta-lead-ads'].map((id) => meta(id)),
  meta('strava', json({ 'hub.challenge': '1158201444' }), { verify: { scheme: 'token', in: 'path' } }),
  openly(
    'mailchimp',
    { method: 'GET', path: `/${SECRET}`, headers: { 'user-agent': 'MailChimp.com WebHook Validator' } },
    ok,
    { ...TEXT_SOURCE, verify: { scheme: 'token', in: 'path' } },
  ),
  openly(
    'dropbox',
    { method: 'GET', query: '?challenge=2T6gEHkLpP-x_8' },
    { ...text('2T6gEHkLpP-x_8'), headers: { ...PLAIN, 'x-content-type-options': 'nosniff' } },
  ),
  openly(
    'okta',
    {
      method: 'GET',
      headers: { 'x-okta-verification-challenge': 'h7Zq3p0cB9', authorization: `Bearer ${SECRET}` },
    },
    json({ verification: 'h7Zq3p0cB9' }),
  ),
  openly(
    'microsoft-graph',
    {
      query: `?validationToken=${new URLSearchParams([['', graphToken]]).toString().slice(1)}`,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    },
    text(graphToken),
  ),
  {
    ...bySignature('front', () => ({}), json({ challenge: 'c-1042' })),
    request: () => {
      const time = String(Date.now());
      const proof = { 'X-Front-Request-Timestamp': time, 'X-Front-Signature': hmac(`${time}:{}`, 'base64') };
      return webhook('front', postedJson({}, { ...proof, 'X-Front-Challenge': 'c-1042' }));
    },
  },
  openly('asana', postedJson({}, { 'X-Hook-Secret': SECRET }), {
    status: 200,
    headers: { 'x-hook-secret': SECRET },
  }),
  openly('notion', postedJson({ verification_token: SECRET }), ok),
  sns('SubscriptionConfirmation', 'subscribes'),
  sns('UnsubscribeConfirmation', 'unsubscribed'),
  openly(
    'cloudevents-abuse-protection',
    {
      method: 'OPTIONS',
      headers: { 'WebHook-Request-Origin': 'eventemitter.example.com', 'WebHook-Request-Rate': '120' },
    },
    {
      status: 200,
      headers: {
        allow: 'POST',
        'webhook-allowed-origin': 'eventemitter.example.com',
        'webhook-allowed-rate': '*',
      },
    },
  ),
  ...['trello', 'intercom'].map((id) => openly(id, { method: 'HEAD' }, ok)),
  openly('onfleet', { method: 'GET', query: '?check=6d2a1f4c' }, text('6d2a1f4c')),
  {
    ...bySignature('twitch', () => ({}), text('pogchamp-kappa')),
    request: () => {
      const [at, to] = [new Date().toISOString(), 'Twitch-Eventsub-Message-'];
      const sent = postedJson(
        { challenge: 'pogchamp-kappa' },
        { [`${to}Type`]: 'webhook_callback_verification' },
      );
      const proof = `sha256=${hmac(`e7${at}${sent.body}`, 'hex')}`;
      const signs = { [`${to}Id`]: 'e7', [`${to}Timestamp`]: at, [`${to}Signature`]: proof };
      return webhook('twitch', { ...sent, headers: { ...sent.headers, ...signs } });
    },
  },
  openly(
    'woocommerce',
    { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'webhook_id=27' },
    ok,
  ),
  openly(
    'x',
    { method: 'GET', query: `?crc_token=${crcToken}&nonce=MTIz` },
    json({ response_token: `sha256=${hmac(crcToken, 'base64')}` }),
  ),
  openly(
    'azure-event-grid',
    postedJson(GRID_VALIDATION, { 'aeg-event-type': 'SubscriptionValidation' }),
    json({ validationResponse: '512d38b6-c7b8-40c8-89fe-f46f9e9622b6' }),
  ),
  bySignature(
    'xero',
    () => ({ events: [], lastEventSequence: 0, firstEventSequence: 0, entropy: 'S0m3r4Nd0mt3xt' }),
    ok,
  ),
];

/** The name of a test. */
export const greetingName = ({ provider, variant }: Greeting): string =>
  variant === undefined ? provider : `${provider} (${variant})`;
