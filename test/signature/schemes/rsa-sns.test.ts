import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { verifySns } from '../../../src/signature/schemes/rsa.ts';
import { VALID_TO } from '../certificates.ts';
import * as rsa from '../rsa-support.ts';
import { providers } from '../../platform/providers.ts';
import { outcome, outcomeInFull, requestOf } from '../support.ts';

const { freshName, serverOf, signRsa } = rsa;

/** JSON under text/plain, with JSON in `Message`. */
const QUIRKS = providers.get('aws-sns')?.body ?? {};

const TOPIC = 'arn:aws:sns:us-east-1:123456789012:orders';
const OTHER_TOPIC = 'arn:aws:sns:us-east-1:999999999999:orders';
const SCHEME = { tolerance: 300_000 };
const TIME = '2026-01-05T08:30:00.000Z';
const SUBSCRIBE = 'https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&Token=2336412f37';

type Message = Readonly<Record<string, unknown>>;

const certUrl = () => `https://sns.us-east-1.amazonaws.com/SimpleNotificationService-${freshName()}.pem`;

/** The fields of a notification, with and without a subject. */
const NOTIFICATION = {
  Type: 'Notification',
  MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
  TopicArn: TOPIC,
  Message: 'Zahlung über 5 €\n{"id":1}',
  Timestamp: TIME,
};
const WITH_SUBJECT = { ...NOTIFICATION, Subject: 'My First Message' };

const confirmation = (type: string) => ({
  Type: type,
  MessageId: '165545c9-2a5c-472c-8df2-7ff2be2b3b1b',
  Token: '2336412f37',
  TopicArn: TOPIC,
  Message: 'You have chosen to subscribe to the topic.',
  SubscribeURL: SUBSCRIBE,
  Timestamp: TIME,
});
const [SUBSCRIPTION, END] = ['SubscriptionConfirmation', 'UnsubscribeConfirmation'];
const MESSAGES: readonly (readonly [string, Message])[] = [
  ['a notification', NOTIFICATION],
  ['a notification with a subject', WITH_SUBJECT],
  ['a confirmation of a subscription', confirmation(SUBSCRIPTION)],
  ['a confirmation of its end', confirmation(END)],
];

/** What SNS signs: name and value of each field, on lines of their own, by name. */
const textOf = (message: Message): string =>
  Object.keys(message)
    .toSorted()
    .map((name) => `${name}\n${String(message[name])}\n`)
    .join('');

/** A message as SNS sends it. */
const signed = (message: Message, version = '2'): Message => ({
  ...message,
  SignatureVersion: version,
  Signature: signRsa(textOf(message), version === '1' ? 'sha1' : 'sha256'),
  SigningCertURL: certUrl(),
});
const plain = () => signed(NOTIFICATION);

interface Options {
  readonly topics?: readonly string[];
  readonly server?: rsa.CertificateServer;
  readonly headers?: Readonly<Record<string, string>>;
}

const send = (body: string | Uint8Array, options: Options = {}) => {
  const { topics = [TOPIC], server = serverOf(), headers = {} } = options;
  const type = { 'Content-Type': 'text/plain; charset=UTF-8' };
  const request = requestOf({ body, headers: { ...type, ...headers }, quirks: QUIRKS });
  return verifySns(SCHEME, { ...server, secrets: topics, request });
};
const verify = async (message: Message, options: Options = {}) =>
  outcome(await send(JSON.stringify(message), options));

/** A message that was made at this time. */
const madeAt = (Timestamp: string) => signed({ ...NOTIFICATION, Timestamp });

/** Returns the reason of the refusal, and expects that nothing was fetched for it. */
async function refusedUnfetched(message: Message, topics: readonly string[] = [TOPIC]): Promise<string> {
  const server = serverOf();
  const result = await verify(message, { server, topics });
  expect(server.calls).toEqual([]);
  return result;
}

it.each(MESSAGES)(
  'a message of SNS is accepted as it was signed, by either version, and in no other way: %s',
  async (...row) => {
    const [, message] = row;
    for (const version of ['1', '2']) expect(await verify(signed(message, version))).toBe('accepted');
    const original = signed(message);
    const fields = Object.keys(message).filter((field) => field !== 'Type' && field !== 'TopicArn');
    for (const field of fields) {
      const changed = field === 'Timestamp' ? '2026-01-05T08:30:00.001Z' : `${String(original[field])}x`;
      expect(await verify({ ...original, [field]: changed }), field).toBe('mismatch');
    }
  },
);

it('a message of SNS may have a subject of null, which is none, and fields that are not signed', async () => {
  const more = { UnsubscribeURL: 'https://x.example', MessageAttributes: { a: { Type: 'String' } } };
  expect(await verify({ ...plain(), Subject: null })).toBe('accepted');
  expect(await verify({ ...plain(), ...more })).toBe('accepted');
});

it('a message that was tampered with is refused when lines of its message are passed off as other fields', async () => {
  const Message = 'paid\nMessageId\nanother';
  const original = signed({ ...NOTIFICATION, Message });
  expect(await verify(original)).toBe('accepted');
  const MessageId = `another\nMessageId\n${NOTIFICATION.MessageId}`;
  expect(await verify({ ...original, Message: 'paid', MessageId })).toBe('malformed');
});

it('a message that was tampered with is refused when half a character stands for the mark of one', async () => {
  const original = signed({ ...NOTIFICATION, Message: '\ufffd' });
  expect(await verify(original)).toBe('accepted');
  expect(await verify({ ...original, Message: '\ud800' })).toBe('mismatch');
});

it('before anything is fetched, another topic is refused, however well it is signed', async () => {
  expect(await refusedUnfetched(plain(), [OTHER_TOPIC])).toBe('mismatch');
  for (const topic of [TOPIC.slice(0, -1), `${TOPIC}s`, TOPIC.toUpperCase()])
    expect(await refusedUnfetched({ ...plain(), TopicArn: topic })).toBe('mismatch');
});

it('before anything is fetched, a stale message is refused even when its signature is right', async () => {
  for (const time of ['08:25:00Z', '08:35:00Z'])
    expect(await verify(madeAt(`2026-01-05T${time}`))).toBe('accepted');
  for (const time of ['08:24:59Z', '08:35:01Z'])
    expect(await refusedUnfetched(madeAt(`2026-01-05T${time}`))).toBe('stale');
  expect(await refusedUnfetched({ ...plain(), Timestamp: 'yesterday' })).toBe('malformed');
});

it('before anything is fetched, a certificate of another host, with a query, or of another name than *.pem is refused', async () => {
  const host = 'https://sns.us-east-1.amazonaws.com';
  const queries = ['/a.pem?Action=GetTopicAttributes', '/?Action=GetTopicAttributes&x=.pem'];
  const urls = [...queries, '/a.pem.txt', '/apem'].map((path) => `${host}${path}`);
  for (const url of [...urls, 'https://evil.example/a.pem'])
    expect(await refusedUnfetched({ ...plain(), SigningCertURL: url }), url).toBe('malformed');
});

it.each(Object.keys(plain()).filter((field) => field !== 'Type'))(
  'before anything is fetched, a message without %s is refused, or with another thing than text there',
  async (field) => {
    const message = plain();
    expect(await refusedUnfetched({ ...message, [field]: undefined })).toBe('missing_field');
    const wrong = [null, 5, true, {}, [message[field]]];
    const wrongTexts = field === 'Message' ? [] : ['', 'x'.repeat(4_097), `${String(message[field])}\n`];
    for (const value of [...wrong, ...wrongTexts])
      expect(await refusedUnfetched({ ...message, [field]: value })).toBe('malformed');
  },
);

it('before anything is fetched, a version, a type or a signature of another form is refused', async () => {
  const versions = ['0', '3', '01', '2 ', 'constructor'].map((SignatureVersion) => ({ SignatureVersion }));
  const types = ['Other', 'notification', '__proto__', '', 5, null, ['Notification']].map((Type) => ({
    Type,
  }));
  for (const change of [...versions, ...types, { Signature: '@@@@' }])
    expect(await refusedUnfetched({ ...plain(), ...change }), JSON.stringify(change)).toBe('malformed');
});

it('before anything is fetched, what comes by raw delivery is refused, which has no signature, even when it looks like a message', async () => {
  const server = serverOf();
  for (const body of ['', 'paid', '[]', '[{"Type":"Notification"}]', 'null', '5', '{}', '{"Type"'])
    expect(outcomeInFull(await send(body, { server })), body).toMatch(
      /^malformed: .*switch off raw message delivery/,
    );
  const headers = { 'x-amz-sns-rawdelivery': 'true' };
  const said = outcomeInFull(await send(JSON.stringify(plain()), { headers, server }));
  expect(said).toMatch(/switch off raw/);
  expect(server.calls).toEqual([]);
});

it('before anything is fetched, a secret that is no ARN of a topic is our fault, not the sender’s', async () => {
  const queue = 'arn:aws:sqs:us-east-1:123456789012:orders';
  for (const secret of ['hook-secret', `${TOPIC}:5f2c0a3e`, queue, ` ${TOPIC}`]) {
    const server = serverOf();
    const result = await send(JSON.stringify(plain()), { server, topics: [TOPIC, secret] });
    expect(outcome(result)).toBe('misconfigured');
    expect(JSON.stringify(result)).not.toContain(secret);
    expect(server.calls).toEqual([]);
  }
});

it('a certificate that cannot be fetched is no fault of the sender, but one of another key or time is', async () => {
  for (const server of rsa.BROKEN_SERVERS)
    expect(await verify(plain(), { server: server() })).toBe('unavailable');
  for (const server of rsa.WRONG_SERVERS)
    expect(await verify(plain(), { server: server() })).toBe('mismatch');
  const late = VALID_TO + 1_000;
  const server = serverOf(undefined, late);
  expect(await verify(madeAt(new Date(late).toISOString()), { server })).toBe('mismatch');
});

it('whatever is sent is answered by a result, and none but the signed message is accepted', async () => {
  const original = plain();
  const field = fc.constantFrom(...Object.keys(original), 'Subject', 'Token', 'SubscribeURL', '__proto__');
  const value = fc.oneof(fc.string(), fc.jsonValue(), fc.constantFrom(...Object.values(original)));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(field, value), { minLength: 1, maxLength: 3 }), async (changes) => {
      const message = { ...original, ...Object.fromEntries(changes) };
      const same = [...Object.keys(original), 'Subject'].every(
        (name) => (message[name] ?? null) === (Object.hasOwn(original, name) ? original[name] : null),
      );
      expect((await verify(message)) === 'accepted').toBe(same);
    }),
  );
});

it('whatever is sent a refusal shows no topic, no signature and no piece of the message', async () => {
  const message: Message = { ...plain(), Message: 'secret words' };
  const body = JSON.stringify(message);
  const said = JSON.stringify([await send(body), await send(body, { topics: [OTHER_TOPIC] })]);
  for (const text of ['secret words', TOPIC, OTHER_TOPIC, String(message['Signature'])])
    expect(said).not.toContain(text);
});
