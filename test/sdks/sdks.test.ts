import { hmacValidator } from '@adyen/api-library';
import { sign as signGithub, verify as verifyGithub } from '@octokit/webhooks-methods';
import { Paddle } from '@paddle/paddle-node-sdk';
import { webhooks as polarWebhooks } from '@polar-sh/sdk/2026-10';
import sendgrid from '@sendgrid/eventwebhook';
import acuity from 'acuityscheduling';
import { verifyKey } from 'discord-interactions';
import { parse as parseGocardless } from 'gocardless-nodejs/webhooks';
import { OAuth2Client } from 'google-auth-library';
import Razorpay from 'razorpay';
import { WebhooksHelper } from 'square';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import twilio from 'twilio';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { encode, utf8 } from '../conformance/senders/bytes.ts';
import { readJson } from '../conformance/senders/json.ts';
import { RSA_CERTIFICATE } from '../signature/certificates.ts';
import { GOOGLE_KID } from '../conformance/senders/cloud-senders.ts';
import { senders } from '../conformance/senders/senders.ts';
import { headerOf, nameOf, type Sender, type Webhook } from '../conformance/senders/sender.ts';
import { flipBody, flipField } from '../conformance/tamper.ts';

/** 2026-01-05T08:30:00Z. Vendors' code asks the clock itself. */
const NOW = 1_767_601_800_000;

/** Checks a request with the vendor's own code, given what a customer of the vendor would give it. */
type SecondOpinion = (webhook: Webhook, secret: string) => unknown;

const stripe = new Stripe('sk_test_unused');
const paddle = new Paddle('pdl_unused');
const header = (webhook: Webhook, name: string): string => headerOf(webhook, name) ?? '';
const form = ({ body }: Webhook): Record<string, string> => Object.fromEntries(new URLSearchParams(body));

const standard: SecondOpinion = ({ body, headers }, secret) =>
  new StandardWebhook(secret.replace(/^v1,/, '')).verify(body, { ...headers });
const svix: SecondOpinion = ({ body, headers }, secret) =>
  new SvixWebhook(secret).verify(body, { ...headers });
const polar: SecondOpinion = ({ body, headers }, secret) =>
  polarWebhooks.validateEvent(body, { ...headers }, secret);
const discord: SecondOpinion = (webhook, publicKey) =>
  verifyKey(
    webhook.body,
    header(webhook, 'X-Signature-Ed25519'),
    header(webhook, 'X-Signature-Timestamp'),
    publicKey,
  );

/** A token of Google's, for this address; whose it is Google's code leaves to the caller. */
const google: SecondOpinion = async (webhook, account) => {
  const token = header(webhook, 'Authorization').replace('Bearer ', '');
  const issuers = ['https://accounts.google.com', 'accounts.google.com'];
  const ticket = await new OAuth2Client().verifySignedJwtWithCertsAsync(
    token,
    { [GOOGLE_KID]: RSA_CERTIFICATE },
    webhook.url,
    issuers,
  );
  const { email, email_verified: isVerified } = ticket.getPayload() ?? {};
  return email === account && isVerified === true;
};

/** By the sender's name: the package, and how it is asked. Those that find fault throw, or say false. */
const OPINIONS: Readonly<Record<string, readonly [sdk: string, SecondOpinion]>> = {
  stripe: [
    'stripe',
    (webhook, secret) =>
      stripe.webhooks.constructEventAsync(webhook.body, header(webhook, 'Stripe-Signature'), secret),
  ],
  github: [
    '@octokit/webhooks-methods',
    (webhook, secret) => verifyGithub(secret, webhook.body, header(webhook, 'X-Hub-Signature-256')),
  ],
  'standard-webhooks': ['standardwebhooks', standard],
  'gitlab-signing-token': ['standardwebhooks', standard],
  // The package wants base64; the client secret's own bytes are the key.
  bigcommerce: ['standardwebhooks', (webhook, secret) => standard(webhook, encode(utf8(secret), 'base64'))],
  'supabase-auth-hooks': ['standardwebhooks', standard],
  svix: ['svix', svix],
  'google-pubsub': ['google-auth-library', google],
  resend: ['svix', svix],
  clerk: ['svix', svix],
  paddle: [
    '@paddle/paddle-node-sdk',
    (webhook, secret) =>
      paddle.webhooks.isSignatureValid(webhook.body, secret, header(webhook, 'Paddle-Signature')),
  ],
  razorpay: [
    'razorpay',
    (webhook, secret) =>
      Razorpay.validateWebhookSignature(webhook.body, header(webhook, 'X-Razorpay-Signature'), secret),
  ],
  square: [
    'square',
    (webhook, signatureKey) =>
      WebhooksHelper.verifySignature({
        requestBody: webhook.body,
        signatureHeader: header(webhook, 'x-square-hmacsha256-signature'),
        signatureKey,
        notificationUrl: webhook.url,
      }),
  ],
  'adyen-payments': [
    '@adyen/api-library',
    ({ body }, key) => new hmacValidator().validateHMAC(adyenItem(body), key),
  ],
  'adyen-platform': [
    '@adyen/api-library',
    (webhook, key) =>
      new hmacValidator().validateHMACSignature(key, header(webhook, 'HmacSignature'), webhook.body),
  ],
  polar: ['@polar-sh/sdk', polar],
  'polar (secrets before September 2026)': ['@polar-sh/sdk', polar],
  gocardless: [
    'gocardless-nodejs',
    (webhook, secret) => parseGocardless(webhook.body, secret, header(webhook, 'Webhook-Signature')),
  ],
  acuity: [
    'acuityscheduling',
    (webhook, key) => acuity.verifyMessageSignature(key, webhook.body, header(webhook, 'X-Acuity-Signature')),
  ],
  sendgrid: [
    '@sendgrid/eventwebhook',
    (webhook, publicKey) => {
      const events = new sendgrid.EventWebhook();
      return events.verifySignature(
        events.convertPublicKeyToECDSA(publicKey),
        webhook.body,
        header(webhook, sendgrid.EventWebhookHeader.SIGNATURE()),
        header(webhook, sendgrid.EventWebhookHeader.TIMESTAMP()),
      );
    },
  ],
  'discord-interactions': ['discord-interactions', discord],
  'discord-webhook-events': ['discord-interactions', discord],
  twilio: [
    'twilio',
    (webhook, token) =>
      twilio.validateRequest(token, header(webhook, 'X-Twilio-Signature'), webhook.url, form(webhook)),
  ],
  'twilio (JSON)': [
    'twilio',
    (webhook, token) =>
      twilio.validateRequestWithBody(token, header(webhook, 'X-Twilio-Signature'), webhook.url, webhook.body),
  ],
};

type AdyenItem = Parameters<InstanceType<typeof hmacValidator>['validateHMAC']>[0];

const adyenItem = (body: string): AdyenItem =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the draft below is one
  readJson(body, 'notificationItems.0.NotificationRequestItem') as AdyenItem;

const ADYEN_BODY = {
  live: 'false',
  notificationItems: [
    {
      NotificationRequestItem: {
        additionalData: {},
        amount: { currency: 'EUR', value: 4990 },
        eventCode: 'AUTHORISATION',
        eventDate: '2026-01-05T08:29:58+01:00',
        merchantAccountCode: 'ExampleShopECOM',
        merchantReference: 'order:1042\\a',
        pspReference: 'NC6HT9CRT65ZGN82',
        success: 'true',
      },
    },
  ],
};

function draftFor({ provider, query = '', adapt }: Sender): Webhook {
  const isForm = provider === 'twilio';
  const body = isForm
    ? 'MessageSid=SM0123&MessageStatus=delivered&Body=Gr%C3%BC%C3%9Fe+%26+more&AccountSid=AC0123'
    : JSON.stringify(provider === 'adyen-payments' ? ADYEN_BODY : { type: 'order.paid', note: 'Grüße' });
  const draft = {
    method: 'POST',
    url: `https://relay.example/hooks/${provider}${query}`,
    headers: { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' },
    body,
  };
  return adapt === undefined ? draft : adapt(draft);
}

const CASES = senders.flatMap((sender) => {
  const opinion = OPINIONS[nameOf(sender)];
  return opinion === undefined ? [] : [[nameOf(sender), opinion[0], sender, opinion[1]] as const];
});

/** True if the vendor's code takes the request: it does not throw, and does not return false. */
async function takes(opinion: SecondOpinion, webhook: Webhook, secret: string): Promise<boolean> {
  try {
    return (await opinion(webhook, secret)) !== false;
  } catch {
    return false;
  }
}

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
});
afterAll(() => {
  vi.useRealTimers();
});

describe('what our senders make', () => {
  it.each(CASES)('%s: %s, of the vendor, takes it, and nothing else', async (_, _sdk, sender, opinion) => {
    const [signer] = sender.keys.signers;
    const [secret = ''] = sender.keys.secrets;
    const key = signer?.key ?? '';
    // Of secrets that stand in one text the vendor's code gets the one in use.
    const own = secret === '' || secret.includes('|') ? key : secret;
    const sent = await sender.send(draftFor(sender), { keys: [key], now: NOW });
    expect(await takes(opinion, sent, own)).toBe(true);

    const [other = ''] = flipBody(sent.body);
    const { body, fields = [] } = sender.covers;
    // A proof that does not cover the body is for one address.
    const elsewhere = { ...sent, url: `${sent.url}-2` };
    const inBody = body === 'fields' ? flipField(sent, fields[0] ?? '') : { ...sent, body: other };
    const changed = typeof body === 'string' ? inBody : elsewhere;
    expect(await takes(opinion, changed, own)).toBe(false);

    const forged = await sender.send(draftFor(sender), { keys: [sender.keys.stranger], now: NOW });
    expect(await takes(opinion, forged, own)).toBe(false);
  });

  it('has every opinion asked', () => {
    expect(CASES.map(([name]) => name).sort()).toEqual(Object.keys(OPINIONS).sort());
  });
});

const senderOf = (name: string): Sender => {
  const sender = senders.find((one) => nameOf(one) === name);
  if (sender === undefined) throw new Error(name);
  return sender;
};

describe('vendors’ code that signs makes the same', () => {
  const signedBy: readonly (readonly [string, string, (webhook: Webhook, secret: string) => unknown])[] = [
    [
      'stripe',
      'Stripe-Signature',
      ({ body }, secret) =>
        stripe.webhooks.generateTestHeaderStringAsync({ payload: body, secret, timestamp: NOW / 1_000 }),
    ],
    ['github', 'X-Hub-Signature-256', ({ body }, secret) => signGithub(secret, body)],
    [
      'standard-webhooks',
      'webhook-signature',
      (webhook, secret) =>
        new StandardWebhook(secret).sign(header(webhook, 'webhook-id'), new Date(NOW), webhook.body),
    ],
    [
      'svix',
      'svix-signature',
      (webhook, secret) =>
        new SvixWebhook(secret).sign(header(webhook, 'svix-id'), new Date(NOW), webhook.body),
    ],
    [
      'twilio',
      'X-Twilio-Signature',
      (webhook, token) => twilio.getExpectedTwilioSignature(token, webhook.url, form(webhook)),
    ],
  ];

  it.each(signedBy)('%s: %s', async (name, signature, sign) => {
    const sender = senderOf(name);
    const [secret = ''] = sender.keys.secrets;
    const sent = await sender.send(draftFor(sender), { keys: [secret], now: NOW });
    expect(await sign(sent, secret)).toBe(header(sent, signature));
  });
});
