import type { RefusalCode } from '../../src/signature/basics/request.ts';
import { type Check, firstKey, refused, refusedOther, SECOND, send } from './check.ts';
import {
  type Fault,
  type Proof,
  type Sender,
  type Webhook,
  withHeader,
  withQuery,
} from './senders/sender.ts';
import {
  doubleProof,
  editProof,
  flipBody,
  flipField,
  flipHeader,
  flipSignature,
  flipText,
} from './tamper.ts';

/** True if there is anything that can be wrong. */
const proves = ({ proof }: Sender): boolean => proof.in !== 'nothing';

/** More than any proof that is read. */
const TOO_LONG = 10_000;
const TOO_MANY = 17;

/** Defaults of what a broken proof is called, by where it stands. */
const faultReason = ({ proof, reasons }: Sender, fault: Fault): RefusalCode | null => {
  const given = reasons?.[fault];
  if (given !== undefined) return given;
  const missing = proof.in === 'header' ? 'missing_header' : 'missing_field';
  if (fault === 'missing') return missing;
  if (fault === 'no id') return 'missing_header';
  if (fault === 'no query') return 'mismatch';
  if (fault === 'empty' && proof.in !== 'body') return proof.in === 'path' ? null : missing;
  // JSON has a name once, and an address a segment.
  return fault === 'doubled' && (proof.in === 'body' || proof.in === 'path') ? null : 'malformed';
};

const brokenProof = (
  name: string,
  fault: Fault,
  change: (sent: Webhook, proof: Proof) => Webhook,
): Check => ({
  name,
  applies: (sender) => proves(sender) && faultReason(sender, fault) !== null,
  cases: async (stage) => {
    const { sender } = stage;
    const reason = faultReason(sender, fault) ?? 'malformed';
    return [await refused(name, change(await send(stage), sender.proof), reason)];
  },
});

/** Other texts in the place of a time: what lenient readers take for numbers, and what is none. */
const NO_TIMES = ['soon', '-1', '1e9', '0x5f', '12.5', 'NaN'];

/** The checks whose requests are refused. */
export const REFUSED: readonly Check[] = [
  {
    name: 'another secret',
    applies: proves,
    cases: async (stage) => {
      const { keys, forgeries = [] } = stage.sender;
      return Promise.all([
        refused('a stranger', send(stage, { keys: [keys.stranger] }), 'mismatch'),
        ...forgeries.map((forgery) => refusedOther(stage, forgery)),
      ]);
    },
  },
  {
    name: 'a changed bit of the signature',
    applies: proves,
    cases: async (stage) => [
      await refused('its last', send(stage, { alter: flipSignature(stage.sender.encoding) }), 'mismatch'),
    ],
  },
  {
    name: 'a changed bit of the body',
    applies: ({ covers }) => typeof covers.body === 'string',
    cases: async (stage) => {
      const sent = await send(stage);
      const { body, fields = [] } = stage.sender.covers;
      return body === 'raw'
        ? Promise.all(
            flipBody(sent.body).map((other, n) => refused(`word ${n}`, { ...sent, body: other }, 'mismatch')),
          )
        : Promise.all(fields.map((field) => refused(field, flipField(sent, field), 'mismatch')));
    },
  },
  {
    name: 'a changed bit of a signed time, id or header',
    applies: ({ covers, time }) =>
      time !== undefined ||
      covers.headers !== undefined ||
      (typeof covers.body !== 'string' && covers.fields !== undefined),
    cases: async (stage) => {
      const { covers, time } = stage.sender;
      const sent = await send(stage);
      const cases = (covers.headers ?? []).flatMap((name) => [
        refused(name, flipHeader(sent, name), 'mismatch'),
        refused(
          `no ${name}`,
          withHeader(sent, name, null),
          faultReason(stage.sender, 'no id') ?? 'missing_header',
        ),
      ]);
      if (typeof covers.body !== 'string')
        cases.push(...(covers.fields ?? []).map((path) => refused(path, flipField(sent, path), 'mismatch')));
      if (time !== undefined) cases.push(refused('time', send(stage, { restate: flipText }), 'mismatch'));
      return Promise.all(cases);
    },
  },
  {
    name: 'another address, query or method',
    applies: ({ covers: { url, query, method } }) => url === true || query !== undefined || method === true,
    cases: async (stage) => {
      const { url = false, query = [], method = false } = stage.sender.covers;
      const sent = await send(stage);
      const cases = query.flatMap((name) => {
        const value = new URL(sent.url).searchParams.get(name) ?? '';
        return [
          refused(`query ${name}`, withQuery(sent, name, flipText(value)), 'mismatch'),
          refused(
            `no query ${name}`,
            withQuery(sent, name, null),
            faultReason(stage.sender, 'no query') ?? 'mismatch',
          ),
        ];
      });
      if (url) {
        const other = `${sent.url}${sent.url.includes('?') ? '&' : '?'}x=1`;
        cases.push(refused('one parameter more', { ...sent, url: other }, 'mismatch'));
        cases.push(refused('another host', { ...sent, url: sent.url.replace('//', '//x.') }, 'mismatch'));
      }
      if (method) cases.push(refused('PUT', { ...sent, method: 'PUT' }, 'mismatch'));
      return Promise.all(cases);
    },
  },
  {
    name: 'a token for another address',
    applies: ({ covers }) => covers.address === true,
    cases: async (stage) => {
      const { draft } = stage;
      const at = (url: string) => send({ ...stage, draft: { ...draft, url } });
      const other = draft.url.replace('//', '//other.');
      const longer = await at(`${draft.url}?x=1`);
      return Promise.all([
        // The sender of a request chooses its `Host`, too.
        refused('by a request to that address', at(other), 'mismatch'),
        refused('by a request to this one', { ...(await at(other)), url: draft.url }, 'mismatch'),
        refused('with one parameter more', { ...longer, url: draft.url }, 'mismatch'),
      ]);
    },
  },
  brokenProof('no signature', 'missing', (sent, proof) => editProof(sent, proof, () => null)),
  brokenProof('an empty signature', 'empty', (sent, proof) => editProof(sent, proof, () => '')),
  brokenProof('a doubled signature', 'doubled', doubleProof),
  {
    name: 'too long a signature, or too many',
    applies: (sender) => proves(sender) && faultReason(sender, 'too long') !== null,
    cases: async (stage) => {
      const { sender } = stage;
      const reason = faultReason(sender, 'too long') ?? 'malformed';
      const long = editProof(await send(stage), sender.proof, (text) => text + 'a'.repeat(TOO_LONG));
      const cases = [refused('too long', long, reason)];
      if (sender.lists === true) {
        const many = Array.from({ length: TOO_MANY }, () => firstKey(sender));
        cases.push(refused('too many', send(stage, { keys: many }), reason));
      }
      return Promise.all(cases);
    },
  },
  {
    name: 'one second outside the tolerance',
    applies: ({ time }) => time !== undefined,
    cases: async (stage) => {
      const { late = 0, early = 0 } = stage.sender.time ?? {};
      return Promise.all([
        refused('late', send(stage, { now: stage.now - (late + 1) * SECOND }), 'stale'),
        refused('early', send(stage, { now: stage.now + (early + 1) * SECOND }), 'stale'),
      ]);
    },
  },
  {
    name: 'no time, or an invalid one',
    applies: ({ time }) => time !== undefined,
    cases: async (stage) => {
      const cases = NO_TIMES.map((time) => refused(time, send(stage, { time }), 'malformed'));
      const header = stage.sender.time?.header;
      if (header !== undefined)
        cases.push(refused('no time', withHeader(await send(stage), header, null), 'missing_header'));
      return Promise.all(cases);
    },
  },
  {
    name: 'another algorithm',
    applies: ({ otherAlgorithms }) => otherAlgorithms.length > 0,
    cases: (stage) => Promise.all(stage.sender.otherAlgorithms.map((other) => refusedOther(stage, other))),
  },
];
