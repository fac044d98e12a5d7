import { createHash, createHmac } from 'node:crypto';
import { hmacSender, renamed, type Signed } from './hmac-sender.ts';
import { TEXT } from './keys.ts';
import {
  headerOf,
  isForm,
  type OtherAlgorithm,
  type Sender,
  type Webhook,
  withHeader,
  withQuery,
} from './sender.ts';

/** The escapes of an address that HubSpot decodes before it signs: of `:/?@!$'()*,;`. Others stay. */
const hubspotAddress = (url: string): string =>
  url.replaceAll(/%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gi, decodeURIComponent);

const VERSION = 'X-HubSpot-Signature-Version';

const ofVersion = (name: string, version: string, reason: OtherAlgorithm['reason']): OtherAlgorithm => ({
  name,
  change: (sent) => withHeader(sent, VERSION, version),
  reason,
});

/** A plain hash of a text that begins with the secret. */
function hubspotHash(version: 'v1' | 'v2'): Sender {
  const signed = ({ method, url, body }: Webhook) => (version === 'v1' ? body : `${method}${url}${body}`);
  return {
    provider: 'hubspot-v1',
    ...(version === 'v2' && { variant: version, query: '?from=hubspot' }),
    keys: TEXT,
    send: async (draft, { keys: [key = ''], alter = (signature) => signature, algorithm = 'sha256' }) => {
      const made = createHash(algorithm)
        .update(`${key}${signed(draft)}`)
        .digest('hex');
      return withHeader(withHeader(draft, VERSION, version), 'X-HubSpot-Signature', alter(made));
    },
    proof: { in: 'header', name: 'X-HubSpot-Signature' },
    encoding: 'hex',
    covers: { body: 'raw', ...(version === 'v2' && { url: true, method: true }) },
    otherAlgorithms: [
      { name: 'SHA-1', algorithm: 'sha1', reason: 'malformed' },
      ofVersion('the other version', version === 'v1' ? 'v2' : 'v1', 'mismatch'),
      ofVersion('a version of the future', 'v9', 'malformed'),
    ],
  };
}

/** The address and every field of the form by name, in order. */
function twilioContent({ draft }: Signed): string {
  if (!isForm(draft)) return draft.url;
  const fields = [...new URLSearchParams(draft.body)].sort(([one], [other]) => (one < other ? -1 : 1));
  return draft.url + fields.map(([name, value]) => `${name}${value}`).join('');
}

const TWILIO = {
  header: 'X-Twilio-Signature',
  algorithm: 'sha1',
  encoding: 'base64',
  content: twilioContent,
} as const;

const JSON_BODY = JSON.stringify({ CallSid: 'CA0123456789abcdef0123456789abcdef', CallStatus: 'completed' });

const twilioJson = hmacSender('twilio', {
  ...TWILIO,
  variant: 'JSON',
  adapt: (draft) => {
    const json = withHeader({ ...draft, body: JSON_BODY }, 'content-type', 'application/json');
    return withQuery(json, 'bodySHA256', createHash('sha256').update(JSON_BODY).digest('hex'));
  },
  covers: { url: true, query: ['bodySHA256'] },
  reasons: { 'no query': 'missing_field' },
  otherAlgorithms: [
    {
      name: 'nothing of the body',
      change: (sent, key) => {
        const bare = withQuery(sent, 'bodySHA256', null);
        const signature = createHmac('sha1', key).update(bare.url).digest('base64');
        return withHeader(bare, TWILIO.header, signature);
      },
      reason: 'missing_field',
    },
  ],
});

/** Each part only where there is something to sign. */
function mercadopagoContent({ draft, time }: Signed): string {
  const id = new URL(draft.url).searchParams.get('data.id');
  const request = headerOf(draft, 'x-request-id');
  return [id && `id:${id};`, request && `request-id:${request};`, `ts:${time};`].filter(Boolean).join('');
}

const mercadopago = (variant?: 'seconds'): Sender => {
  const unit = variant === undefined ? 'ms' : 's';
  return hmacSender('mercadopago', {
    ...(variant !== undefined && { variant }),
    header: 'x-signature',
    beside: { 'x-request-id': 'bb56a2f1-6aae-46ac-982e-9dcd3581d08e' },
    adapt: (draft) => withQuery(draft, 'data.id', new URL(draft.url).searchParams.get('data.id') ?? '123456'),
    content: mercadopagoContent,
    write: (signatures, time) => [`ts=${time}`, ...signatures.map((one) => `v1=${one}`)].join(),
    lists: true,
    time: { in: 'signature', name: 'ts', unit, late: 86_400 },
    // Each part is signed only where it is sent.
    reasons: { 'no id': 'mismatch' },
    covers: {
      body: { open: 'only the id in the address, the id of the request and the time are signed' },
      query: ['data.id'],
      headers: ['x-request-id'],
    },
    otherAlgorithms: [renamed('x-signature', 'v1=', 'v2=', 'unknown_key')],
  });
};

/** Senders that sign the address which they were given. */
export const addressSenders: readonly Sender[] = [
  hmacSender('square', {
    header: 'x-square-hmacsha256-signature',
    encoding: 'base64',
    query: '?from=square',
    content: ({ draft }) => `${draft.url}${draft.body}`,
    covers: { url: true },
  }),
  hmacSender('trello', {
    header: 'X-Trello-Webhook',
    algorithm: 'sha1',
    encoding: 'base64',
    query: '?from=trello',
    content: ({ draft }) => `${draft.body}${draft.url}`,
    covers: { url: true },
  }),
  hmacSender('hubspot-v3', {
    header: 'X-HubSpot-Signature-v3',
    encoding: 'base64',
    query: '?from=a%2Fb%40c%3A%20d%26e%3D1',
    content: ({ draft, time }) => `${draft.method}${hubspotAddress(draft.url)}${draft.body}${time}`,
    time: { in: 'header', name: 'X-HubSpot-Request-Timestamp', unit: 'ms', late: 300 },
    covers: { url: true, method: true },
  }),
  hubspotHash('v1'),
  hubspotHash('v2'),
  hmacSender('twilio', { ...TWILIO, query: '?foo=1&bar=2', covers: { url: true } }),
  twilioJson,
  mercadopago(),
  mercadopago('seconds'),
];
