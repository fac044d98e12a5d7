import { createHmac } from 'node:crypto';
import { decode } from './bytes.ts';
import { timeText } from './hmac-sender.ts';
import { asObject, countJson, editForm, editJson, readJson } from './json.ts';
import { HEX, TEXT } from './keys.ts';
import { isForm, type OtherAlgorithm, type Sender, type Signing, type Webhook } from './sender.ts';

const ITEM = 'NotificationRequestItem';
const ADYEN_SIGNED =
  'pspReference originalReference merchantAccountCode merchantReference amount.value amount.currency eventCode success'.split(
    ' ',
  );
/** Those that the sample has. */
const ADYEN_SENT = ADYEN_SIGNED.filter((field) => !/^(?:original|merchant)Reference$/.test(field));

/** Each item's own signature: eight of its fields, empty where it has none. */
function signAdyen(draft: Webhook, signing: Signing): Webhook {
  const { keys, alter = (signature) => signature, algorithm = 'sha256' } = signing;
  let { body } = draft;
  for (let index = 0; index < countJson(body, 'notificationItems'); index += 1) {
    const at = `notificationItems.${index}.${ITEM}`;
    const text = ADYEN_SIGNED.map((field) => textOf(readJson(body, `${at}.${field}`))).join(':');
    const made = createHmac(algorithm, decode(keys[0] ?? '', 'hex'))
      .update(text)
      .digest('base64');
    body = editJson(body, `${at}.additionalData`, (data) => ({
      ...asObject(data),
      hmacSignature: alter(made),
    }));
  }
  return { ...draft, body };
}

/** The list at a path of the body, when it was signed, as another. */
const inList = (
  name: string,
  path: string,
  reason: OtherAlgorithm['reason'],
  change: (list: readonly unknown[]) => readonly unknown[],
): OtherAlgorithm => ({
  name,
  change: (sent) => ({
    ...sent,
    body: editJson(sent.body, path, (list) => change(Array.isArray(list) ? list : [])),
  }),
  reason,
});

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const FIRST = `notificationItems.0.${ITEM}`;

const adyenPayments: Sender = {
  provider: 'adyen-payments',
  keys: HEX,
  send: async (draft, signing) => signAdyen(draft, signing),
  proof: { in: 'body', path: `${FIRST}.additionalData.hmacSignature` },
  encoding: 'base64',
  covers: {
    body: 'fields',
    fields: ADYEN_SENT.map((field) => `${FIRST}.${field}`),
  },
  otherAlgorithms: [{ name: 'HMAC with sha1', algorithm: 'sha1', reason: 'malformed' }],
  forgeries: [
    inList('a second item with the signature of the first', 'notificationItems', 'mismatch', ([item]) => [
      item,
      asObject(JSON.parse(JSON.stringify(item).replace(/"pspReference":"/, '"pspReference":"X'))),
    ]),
    inList('no item', 'notificationItems', 'missing_field', () => []),
    inList('an item without a signature', 'notificationItems', 'missing_field', ([item]) => [item, {}]),
  ],
};

/** Mailgun signs the time and a token, which stand in the body with their signature. */
function signMailgun(body: string, signing: Signing) {
  const { keys, now, alter = (made) => made, restate = (text) => text, algorithm = 'sha256' } = signing;
  const timestamp = signing.time ?? timeText(now, 's');
  // A token of its own for each request, as hookbell recognizes repeated ones by it.
  const token = createHmac('sha256', 'token').update(body).digest('hex').slice(0, 50);
  const made = createHmac(algorithm, keys[0] ?? '')
    .update(`${timestamp}${token}`)
    .digest('hex');
  return { timestamp: restate(timestamp), token, signature: alter(made) };
}

const mailgunFacts = {
  provider: 'mailgun',
  keys: TEXT,
  encoding: 'hex',
  // As long as it goes on repeating a request, with a token that is taken once.
  time: { late: 86_400, early: 86_400 },
  otherAlgorithms: [{ name: 'HMAC with sha1', algorithm: 'sha1', reason: 'malformed' }],
} as const;
const ONLY_TOKEN = { open: 'only a token and the time are signed' };

const mailgun: Sender = {
  ...mailgunFacts,
  takes: (draft) => !isForm(draft),
  send: async (draft, signing) => ({
    ...draft,
    body: editJson(draft.body, 'signature', () => signMailgun(draft.body, signing)),
  }),
  proof: { in: 'body', path: 'signature.signature' },
  covers: { body: ONLY_TOKEN, fields: ['signature.token'] },
};

const mailgunForm: Sender = {
  ...mailgunFacts,
  variant: 'form',
  takes: isForm,
  send: async (draft, signing) => {
    const form = new URLSearchParams(draft.body);
    for (const [name, value] of Object.entries(signMailgun(draft.body, signing))) form.set(name, value);
    return { ...draft, body: form.toString() };
  },
  proof: { in: 'body', path: 'signature' },
  covers: { body: ONLY_TOKEN, fields: ['token'] },
  reasons: { doubled: 'malformed' },
};

/** The first notification, and once more with another word. */
const again = ([one]: readonly unknown[], clientState?: string) => [one, { ...asObject(one), clientState }];

const microsoftGraph: Sender = {
  provider: 'microsoft-graph',
  keys: TEXT,
  send: async (draft, { keys: [key = ''], alter = (token) => token }) => {
    let { body } = draft;
    for (let index = 0; index < countJson(body, 'value'); index += 1)
      body = editJson(body, `value.${index}.clientState`, () => alter(key));
    return { ...draft, body };
  },
  proof: { in: 'body', path: 'value.0.clientState' },
  covers: { body: { open: 'a shared token, and no signature' } },
  otherAlgorithms: [],
  reasons: { empty: 'missing_field' },
  forgeries: [
    inList('a second notification without the word', 'value', 'missing_field', (list) => again(list)),
    inList('a second notification with another', 'value', 'mismatch', (list) => again(list, 'guessed')),
    inList('no notification', 'value', 'missing_field', () => []),
  ],
};

/** Ko-fi writes its token into the JSON that is in a field of its form. */
const koFi: Sender = {
  provider: 'ko-fi',
  keys: TEXT,
  send: async (draft, { keys: [key = ''], alter = (token) => token }) => ({
    ...draft,
    body: editForm(draft.body, 'data', (json) => editJson(json, 'verification_token', () => alter(key))),
  }),
  proof: { in: 'body', path: 'verification_token', field: 'data' },
  covers: { body: { open: 'a shared token, and no signature' } },
  otherAlgorithms: [],
  reasons: { empty: 'missing_field' },
  forgeries: [
    {
      name: 'the token beside the JSON',
      change: (sent, key) => {
        const bare = editForm(sent.body, 'data', (json) =>
          editJson(json, 'verification_token', () => undefined),
        );
        return { ...sent, body: editForm(bare, 'verification_token', () => key) };
      },
      reason: 'missing_field',
    },
  ],
};

/** Senders whose proof stands in what they post. */
export const fieldSenders: readonly Sender[] = [adyenPayments, mailgun, mailgunForm, microsoftGraph, koFi];
