import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { type HandshakeResponse, answerHandshake, isSignedForAnybody } from '../../src/provider/handshake.ts';

const SECRET = 'a-consumer-secret';

const answer = (respond: HandshakeResponse, text: unknown, secret: string | null = SECRET) => {
  const facts = { payload: { text }, headers: new Headers(), query: new URLSearchParams() };
  return answerHandshake(respond, { ...facts, secret });
};
/** The body of the answer, or the reason why there is none. */
const bodyOf = (...given: Parameters<typeof answer>) => {
  const made = answer(...given);
  return made.ok ? made.value.body : made.error.code;
};

const OK = { status: 200 };
const ECHOED = { echo: 'body:text' } as const;
const ECHO: HandshakeResponse = { ...OK, body: { text: ECHOED } };
const SIGN: HandshakeResponse = { ...OK, body: { json: { token: { hmac: 'body:text', encoding: 'hex' } } } };
const IN_HEADER: HandshakeResponse = { ...OK, headers: { 'X-Key': ECHOED, 'X-Rate': '*' } };
const IN_JSON: HandshakeResponse = { ...OK, body: { json: { back: ECHOED } } };

const hmac = (text: string, encoding: 'hex' | 'base64') =>
  createHmac('sha256', SECRET).update(text).digest(encoding);

it('an answer sends a text back as plain text that no browser takes for a page', () => {
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  expect(answer(ECHO, 'abc123')).toEqual({ ok: true, value: { status: 200, headers, body: 'abc123' } });
  expect(bodyOf(ECHO, 1_158_201_444)).toBe('1158201444');
});

it('an answer is JSON of texts, numbers and echoes in their order', () => {
  const made = answer({ ...OK, body: { json: { type: 1, who: 'relay', back: ECHOED } } }, 'abc');
  const headers = { 'content-type': 'application/json' };
  expect(made).toMatchObject({ value: { headers, body: '{"type":1,"who":"relay","back":"abc"}' } });
});

it('an answer without a body has none, and no type of one, but may have headers with what was sent in them', () => {
  const made = answer({ status: 204 }, 'abc');
  expect(made).toMatchObject({ value: { status: 204, body: null } });
  expect(made.ok && Object.keys(made.value.headers)).not.toContain('content-type');
  expect(answer(IN_HEADER, 'abc')).toMatchObject({ value: { headers: { 'X-Key': 'abc', 'X-Rate': '*' } } });
});

/** Texts with characters that HTML is made of, or that are not ASCII; the last is one of Microsoft's. */
const HTML = ['a&b', "a'b", 'a"b', '<script>alert(1)</script>', '&lt;script&gt;'];
const MICROSOFT = 'Validation: Testing client application reachability for subscription Request-Id: 5a3d';
const OPAQUE = [...HTML, 'a%26b+c=d', 'ä😀', ' a ', '\\', 'a'.repeat(4_096), MICROSOFT];

it('a challenge is opaque: it is sent back to the letter, as text, in JSON or in a header', () => {
  for (const text of OPAQUE) {
    expect(bodyOf(ECHO, text)).toBe(text);
    expect(JSON.parse(bodyOf(IN_JSON, text) ?? '')).toEqual({ back: text });
    const inHeader = /^[ -~]*$/.test(text) ? { value: { headers: { 'X-Key': text } } } : { ok: false };
    expect(answer(IN_HEADER, text)).toMatchObject(inHeader);
  }
});

it.each<[string, unknown]>([
  ['is missing', undefined],
  ['is empty', ''],
  ['is no text', { a: 1 }],
  ['is endless', 'a'.repeat(4_097)],
  ['has a line break', 'a\r\nSet-Cookie: b'],
  ['has a NUL', 'a\0b'],
  ['has half a character', 'a\ud800'],
])('what is sent back is refused, and not repeated, when it %s', (_, text) => {
  for (const respond of [ECHO, IN_JSON, IN_HEADER]) {
    const made = answer(respond, text);
    expect(made).toMatchObject({ ok: false, error: { code: 'malformed' } });
    const { detail } = made.ok ? { detail: '' } : made.error;
    expect(detail).toContain('body:text');
    expect(detail).not.toMatch(/Cookie|aaaa/);
  }
});

it('what is sent back is refused, and not repeated, when it has a control character anywhere', () => {
  const text = fc.string({ maxLength: 20 });
  const control = fc.constantFrom('\r', '\n', '\t', '\0', '\u001b', '\u007f', '\u0085');
  fc.assert(
    fc.property(text, control, text, (before, character, after) => {
      for (const respond of [ECHO, IN_JSON, IN_HEADER])
        expect(answer(respond, before + character + after).ok).toBe(false);
    }),
  );
});

it('a signed answer is Zoom’s hex or X’s base64 after a prefix, and is not made without a secret', () => {
  const [zoom, x] = ['qgg8vlvZRS6UYooatFL8Aw', 'Y2hhbGxlbmdl=='];
  expect(bodyOf(SIGN, zoom)).toBe(JSON.stringify({ token: hmac(zoom, 'hex') }));
  const token = { hmac: 'body:text', encoding: 'base64', prefix: 'sha256=' } as const;
  const signed = bodyOf({ ...OK, body: { json: { token } } }, x);
  expect(signed).toBe(JSON.stringify({ token: `sha256=${hmac(x, 'base64')}` }));
  expect(bodyOf(SIGN, 'abc', null)).toBe('secret_missing');
});

it('a signed answer is not made of what could be an event', () => {
  for (const text of ['a=b', 'a.b', 'a&b', '{"a":1}', '[1]', 'two words', 'a:b', 'a,b', '', 'a==='])
    expect(bodyOf(SIGN, text), text).toBe('malformed');
});

it('a signed answer is made only of texts that are refused as bodies of events', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12, unit: 'grapheme-ascii' }), (text) => {
      expect(isSignedForAnybody(new TextEncoder().encode(text))).toBe(answer(SIGN, text).ok);
    }),
  );
});
