import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseOwnJson } from '../../../src/lib/json.ts';
import {
  attemptsText,
  lastOutcome,
  messageId,
  messageSeq,
  type Attempt,
} from '../../../src/outbox/state/message.ts';
import {
  accountsOf,
  isToken,
  seqIn,
  tokenOf,
  withLinksOf,
  withoutTokens,
  type LinkMaker,
} from '../../../src/outbox/state/links.ts';
import { TOKEN_LENGTH } from '../../../src/render/links.ts';
import { draft, START } from '../support.ts';

const TAG = 'abcdefg';
const seqs = fc.integer({ min: 0, max: 2 ** 45 - 1 });

it('a message’s id leads back to its number, and sorts as text as that does', () => {
  fc.assert(
    fc.property(seqs, seqs, (a, b) => {
      expect(messageSeq(messageId(a, TAG), TAG)).toBe(a);
      expect(messageId(a, TAG) < messageId(b, TAG)).toBe(a < b);
    }),
  );
});

it('a message’s id is refused when it is another outbox’s, or none', () => {
  const none = ['', 'msg_', 'evt_000000005abcdefg', 'msg_00000005abcdefg', 'msg_0000000005abcdefg'];
  const wrong = [
    'msg_00000000uabcdefg',
    'MSG_000000005abcdefg',
    'msg_00000000-abcdefg',
    ' msg_000000005abcdefg',
  ];
  for (const text of [messageId(5, 'zzzzzzz'), ...none, ...wrong])
    expect([text, messageSeq(text, TAG)]).toEqual([text, null]);
});

const attempt = (n: number, text: string): Attempt => ({
  n,
  at: n,
  duration_ms: 5,
  outcome: 'busy',
  code: 'busy',
  params: { words: text },
  response: text,
});

const upTo = (last: number, count: number) => Array.from({ length: count }, (_, at) => last - count + 1 + at);

it('the attempts in a row are the newest hundred, fewer when answers are long once they are JSON', () => {
  const kept = (count: number, text = 'no'): readonly number[] => {
    const attempts = Array.from({ length: count }, (_, index) => attempt(index + 1, text));
    return parseOwnJson<readonly Attempt[]>(attemptsText(attempts)).map(({ n }) => n);
  };
  expect([kept(3), kept(120)]).toEqual([[1, 2, 3], upTo(120, 100)]);
  expect(kept(120, '\u0001'.repeat(1_024))).toEqual(upTo(120, 12));
  // The newest in any case.
  expect(kept(2, '\u0001'.repeat(100_000))).toEqual([2]);
  expect(lastOutcome({ attempts: attemptsText([attempt(1, 'no')]) })).toBe('busy');
  expect(lastOutcome({ attempts: '[]' })).toBeUndefined();
});

const KEY = 'a-key-of-the-tests';
const pressable = fc.record({
  seq: fc.integer({ min: 1, max: 2 ** 40 - 1 }),
  action: fc.stringMatching(/^[a-z][a-z0-9_]{0,19}$/),
  phone: fc.option(fc.stringMatching(/^[1-9]\d{6,14}$/)),
});
const account = fc.stringMatching(/^[a-z][a-z0-9_-]{0,31}$/);

it('the token of a link names its outbox and message, proves action and receiver, and is of no other', () => {
  fc.assert(
    fc.property(account, pressable, pressable, (name, of, other) => {
      fc.pre(JSON.stringify(of) !== JSON.stringify(other));
      const token = tokenOf(KEY, name, of);
      expect(token).toMatch(/^[0-9a-hjkmnp-tv-z]{24}$/);
      expect(accountsOf(token, ['another', name])).toContain(name);
      expect(seqIn(KEY, token)).toBe(of.seq);
      expect(isToken(token, tokenOf(KEY, name, other))).toBe(false);
    }),
  );
});

it('the token of a link works with no digit changed, left out or added, and with no other key', () => {
  const digits = '0123456789abcdefghjkmnpqrstvwxyz';
  fc.assert(
    fc.property(pressable, fc.nat(TOKEN_LENGTH - 1), fc.nat(31), (of, at, digit) => {
      const token = tokenOf(KEY, 'default', of);
      const changed = token.slice(0, at) + digits.charAt(digit) + token.slice(at + 1);
      const works = (text: string, key = KEY): boolean => {
        const isHere = accountsOf(text, ['default']).length > 0;
        return isHere && seqIn(key, text) === of.seq && isToken(text, tokenOf(key, 'default', of));
      };
      expect(works(changed)).toBe(changed === token);
      expect([token.slice(0, at), `${token}0`].map((text) => works(text))).toEqual([false, false]);
      expect(works(token, 'another key')).toBe(false);
    }),
  );
});

it('the token of a link does not show how many messages there are', () => {
  const hidden = Array.from({ length: 100 }, (_, n) =>
    tokenOf(KEY, 'default', { seq: n + 1, action: 'yes', phone: null }).slice(2, 10),
  );
  // The first 100 numbers have six leading zeros.
  expect(hidden.filter((digits) => digits.startsWith('00'))).toEqual([]);
  expect(new Set(hidden.map((digits) => digits.slice(0, 3))).size).toBeGreaterThan(90);
});

it('a text that is no token is read as none or as another, and never throws', () => {
  for (const text of ['', 'hello', 'u'.repeat(24), '-'.repeat(24)])
    expect(seqIn(KEY, text)).toSatisfy((seq) => seq === null || typeof seq === 'number');
  expect(seqIn(KEY, 'short')).toBeNull();
});

const STAND_IN = 'https://action.invalid/event/0/xxx';
const link = { standIn: STAND_IN, id: 'yes', label: 'Yes, Ada', isOfEvent: true, expiresMs: 1_000 };
const asking = draft({
  params: { message: `Yes: ${STAND_IN} ${STAND_IN}` },
  fallback: [{ kind: 'text', params: { message: STAND_IN } }],
  links: { item: 2, all: [link] },
});
const by: LinkMaker = {
  account: () => 'default',
  key: 'key',
  publicUrl: 'https://relay.example.com',
};

it('links take the places of their stand-ins, in the fallback too, and are those of number and receiver', () => {
  const { message, links: column } = withLinksOf(asking, 7, START, by);
  const [made] = /https:\/\/relay\.example\.com\/a\/[0-9a-z]{24}/.exec(message.params['message'] ?? '') ?? [];
  expect(message.params).toEqual({ message: `Yes: ${made} ${made}` });
  expect(message.fallback).toEqual([{ kind: 'text', params: { message: made } }]);
  const all = [{ id: 'yes', label: 'Yes, Ada', until: START + 1_000 }];
  expect(JSON.parse(column ?? '')).toEqual({ item: 2, all });
  const url = (seq: number, phone: string) =>
    withLinksOf({ ...asking, phone }, seq, START, by).message.params['message'];
  expect(url(7, '491511')).toBe(url(7, '491511'));
  expect(new Set([url(7, '491511'), url(8, '491511'), url(7, '491512')]).size).toBe(3);
  // A label has something of the event, of which its source keeps nothing.
  expect(withLinksOf({ ...asking, forget: true }, 7, START, by).links).not.toContain('Ada');
});

it('links are left out, and the message says so, without the relay’s address; a message without any stays as it is', () => {
  const { message, links } = withLinksOf(asking, 7, START, { ...by, publicUrl: null });
  const reason = { code: 'no-links' };
  expect([message.params['message'], message.reason, links]).toEqual(['Yes:  ', reason, null]);
  const plain = draft();
  expect(withLinksOf(plain, 7, START, by)).toEqual({ message: plain, links: null });
});

it('a text without tokens shows no link that works', () => {
  const texts = [
    ['a https://r.example/a/0123456789abcdefghjkmnpq b', 'a https://r.example/a/… b'],
    [String.raw`{"m":"https:\/\/r\/a\/0123456789abcdefghjkmnpq"}`, String.raw`{"m":"https:\/\/r\/a\/…"}`],
    ['https://r.example/a/short', 'https://r.example/a/short'],
  ];
  expect(texts.map(([text = '']) => withoutTokens(text))).toEqual(texts.map(([, shown]) => shown));
});
