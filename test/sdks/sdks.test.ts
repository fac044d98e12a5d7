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
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { encode, utf8 } from '../conformance/senders/bytes.ts';
import { readJson } from '../conformance/senders/json.ts';
import { RSA_CERTIFICATE } from '../signature/certificates.ts';
import { GOOGLE_KID } from '../conformance/senders/cloud-senders.ts';
import { senders } from '../conformance/senders/senders.ts';
import { headerOf, nameOf, type Sender, type Webhook } from '../conformance/senders/sender.ts';
import { flipBody, flipField } from '../conformance/tamper.ts';
import { hmacAlgorithm, verifySigned } from '../../src/signature/schemes/signed.ts';
import { hmacOf, requestOf } from '../signature/support.ts';
import '../../cli/workerd-crypto.ts';

/** 2026-01-05T08:30:00Z. Vendors' code asks the clock itself. */
const NOW = 1_767_601_800_000;
const TWILIO = 'X-Twilio-Signature';

/** A request as vendors' code asks for its parts. */
interface Asked extends Webhook {
  readonly at: (header: string) => string;
  readonly form: Record<string, string>;
}

/** Checks a request with the vendor's own code, given what a customer of the vendor would give it. */
type SecondOpinion = (webhook: Asked, secret: string) => unknown;

const stripe = new Stripe('sk_test_unused');
const paddle = new Paddle('pdl_unused');
const adyen = new hmacValidator();
const events = new sendgrid.EventWebhook();

const asked = (webhook: Webhook): Asked => ({
  ...webhook,
  at: (name) => headerOf(webhook, name) ?? '',
  form: Object.fromEntries(new URLSearchParams(webhook.body)),
});

const standard: SecondOpinion = ({ body, headers }, secret) =>
  new StandardWebhook(secret.replace(/^v1,/, '')).verify(body, { ...headers });
const svix: SecondOpinion = ({ body, headers }, secret) =>
  new SvixWebhook(secret).verify(body, { ...headers });
const polar: SecondOpinion = ({ body, headers }, secret) =>
  polarWebhooks.validateEvent(body, { ...headers }, secret);
const discord: SecondOpinion = ({ body, at }, publicKey) =>
  verifyKey(body, at('X-Signature-Ed25519'), at('X-Signature-Timestamp'), publicKey);

/** A token of Google's, for this address; whose it is Google's code leaves to the caller. */
const google: SecondOpinion = async ({ url, at }, account) => {
  const token = at('Authorization').replace('Bearer ', '');
  const certificates = { [GOOGLE_KID]: RSA_CERTIFICATE };
  const issuers = ['https://accounts.google.com', 'accounts.google.com'];
  const ticket = await new OAuth2Client().verifySignedJwtWithCertsAsync(token, certificates, url, issuers);
  const { email, email_verified: isVerified } = ticket.getPayload() ?? {};
  return email === account && isVerified === true;
};

/** By the sender's name: the package, and how it is asked. Those that find fault throw, or say false. */
const OPINIONS: Readonly<Record<string, readonly [sdk: string, SecondOpinion]>> = {
  stripe: [
    'stripe',
    ({ body, at }, key) => stripe.webhooks.constructEventAsync(body, at('Stripe-Signature'), key),
  ],
  github: [
    '@octokit/webhooks-methods',
    ({ body, at }, key) => verifyGithub(key, body, at('X-Hub-Signature-256')),
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
    ({ body, at }, key) => paddle.webhooks.isSignatureValid(body, key, at('Paddle-Signature')),
  ],
  razorpay: [
    'razorpay',
    ({ body, at }, key) => Razorpay.validateWebhookSignature(body, at('X-Razorpay-Signature'), key),
  ],
  square: [
    'square',
    ({ body: requestBody, at, url: notificationUrl }, signatureKey) => {
      const signatureHeader = at('x-square-hmacsha256-signature');
      return WebhooksHelper.verifySignature({ requestBody, signatureHeader, signatureKey, notificationUrl });
    },
  ],
  'adyen-payments': ['@adyen/api-library', ({ body }, key) => adyen.validateHMAC(adyenItem(body), key)],
  'adyen-platform': [
    '@adyen/api-library',
    ({ body, at }, key) => adyen.validateHMACSignature(key, at('HmacSignature'), body),
  ],
  polar: ['@polar-sh/sdk', polar],
  'polar (secrets before September 2026)': ['@polar-sh/sdk', polar],
  gocardless: [
    'gocardless-nodejs',
    ({ body, at }, key) => parseGocardless(body, key, at('Webhook-Signature')),
  ],
  acuity: [
    'acuityscheduling',
    ({ body, at }, key) => acuity.verifyMessageSignature(key, body, at('X-Acuity-Signature')),
  ],
  sendgrid: [
    '@sendgrid/eventwebhook',
    ({ body, at }, publicKey) => {
      const key = events.convertPublicKeyToECDSA(publicKey);
      return events.verifySignature(
        key,
        body,
        at(sendgrid.EventWebhookHeader.SIGNATURE()),
        at(sendgrid.EventWebhookHeader.TIMESTAMP()),
      );
    },
  ],
  'discord-interactions': ['discord-interactions', discord],
  'discord-webhook-events': ['discord-interactions', discord],
  twilio: ['twilio', ({ url, at, form }, token) => twilio.validateRequest(token, at(TWILIO), url, form)],
  'twilio (JSON)': [
    'twilio',
    ({ url, at, body }, token) => twilio.validateRequestWithBody(token, at(TWILIO), url, body),
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
    return (await opinion(asked(webhook), secret)) !== false;
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

describe('vendors’ code that signs makes the same', () => {
  const timestamp = NOW / 1_000;
  const time = new Date(NOW);
  const signedBy: readonly (readonly [name: string, signature: string, SecondOpinion])[] = [
    [
      'stripe',
      'Stripe-Signature',
      ({ body: payload }, secret) =>
        stripe.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp }),
    ],
    ['github', 'X-Hub-Signature-256', ({ body }, secret) => signGithub(secret, body)],
    [
      'standard-webhooks',
      'webhook-signature',
      ({ body, at }, secret) => new StandardWebhook(secret).sign(at('webhook-id'), time, body),
    ],
    [
      'svix',
      'svix-signature',
      ({ body, at }, secret) => new SvixWebhook(secret).sign(at('svix-id'), time, body),
    ],
    ['twilio', TWILIO, ({ url, form }, token) => twilio.getExpectedTwilioSignature(token, url, form)],
  ];

  it.each(signedBy)('%s: %s', async (name, signature, sign) => {
    const sender = senders.find((one) => nameOf(one) === name);
    if (sender === undefined) throw new Error(name);
    const [secret = ''] = sender.keys.secrets;
    const sent = asked(await sender.send(draftFor(sender), { keys: [secret], now: NOW }));
    expect(await sign(sent, secret)).toBe(sent.at(signature));
  });
});

it('Twilio’s signature is accepted over any form, as its own library makes it, and over nothing more', async () => {
  const block = { header: 'X-S', algorithm: 'sha1', encoding: 'base64', signed: '{url}{form_sorted}' };
  const secret = 'a-secret';
  const url = 'https://hooks.example.com/hooks/sms?a=1';
  const values = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 3 });
  const forms = fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1 }), values, { maxKeys: 6 });
  const scheme = hmacOf(block);
  await fc.assert(
    fc.asyncProperty(forms, async (parameters) => {
      const pairs = Object.entries(parameters).flatMap(([name, some]) => some.map((one) => [name, one]));
      const signature = twilio.getExpectedTwilioSignature(secret, url, parameters);
      const headers = { 'X-S': signature, 'Content-Type': 'application/x-www-form-urlencoded' };
      const body = new URLSearchParams(pairs).toString();
      const accepts = async (sent: string) => {
        const request = requestOf({ url, headers, body: sent });
        return (await verifySigned(scheme, hmacAlgorithm(scheme), { secrets: [secret], request, now: NOW }))
          .ok;
      };
      expect(await accepts(body)).toBe(true);
      expect(await accepts(`${body}&extra=1`)).toBe(false);
    }),
    { numRuns: 50 },
  );
});
