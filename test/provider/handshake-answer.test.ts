import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HandshakeResponse } from '../../src/provider/handshake.ts';
import { answerHandshake, isSignedForAnybody } from '../../src/provider/handshake-answer.ts';

const SECRET = 'a-consumer-secret';

const answer = (respond: HandshakeResponse, text: unknown, secret: string | null = SECRET) =>
  answerHandshake(respond, {
    payload: { text },
    headers: new Headers(),
    query: new URLSearchParams(),
    secret,
  });

const ECHO: HandshakeResponse = { status: 200, body: { text: { echo: 'body:text' } } };
const SIGN: HandshakeResponse = {
  status: 200,
  body: { json: { token: { hmac: 'body:text', encoding: 'hex' } } },
};

const hmac = (text: string, encoding: 'hex' | 'base64') =>
  createHmac('sha256', SECRET).update(text).digest(encoding);

describe('an answer', () => {
  it('sends a text back as plain text that no browser takes for a page', () => {
    expect(answer(ECHO, 'abc123')).toEqual({
      ok: true,
      value: {
        status: 200,
        headers: {
          'content-type': 'text/plain; charset=utf-8',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        },
        body: 'abc123',
      },
    });
  });

  it('is JSON of texts, numbers and echoes in their order', () => {
    const respond = {
      status: 200,
      body: { json: { type: 1, who: 'relay', back: { echo: 'body:text' } as const } },
    };
    expect(answer(respond, 'abc')).toMatchObject({
      value: {
        headers: { 'content-type': 'application/json' },
        body: '{"type":1,"who":"relay","back":"abc"}',
      },
    });
  });

  it('without a body has none, and no type of one', () => {
    const made = answer({ status: 204 }, 'abc');
    expect(made).toMatchObject({ value: { status: 204, body: null } });
    expect(made.ok && Object.keys(made.value.headers)).not.toContain('content-type');
  });

  it('may have headers of its own, with what was sent in them', () => {
    const headers = { 'X-Hook-Secret': { echo: 'body:text' }, 'X-Rate': '*' } as const;
    expect(answer({ status: 200, headers }, 'abc')).toMatchObject({
      value: { headers: { 'X-Hook-Secret': 'abc', 'X-Rate': '*' } },
    });
  });

  it('takes the spaces and colons of Microsoft’s tokens', () => {
    const token = 'Validation: Testing client application reachability for subscription Request-Id: 5a3d';
    expect(answer(ECHO, token)).toMatchObject({ value: { body: token } });
  });

  it('takes a number for its digits', () => {
    expect(answer(ECHO, 1_158_201_444)).toMatchObject({ value: { body: '1158201444' } });
  });
});

const IN_HEADER: HandshakeResponse = { status: 200, headers: { 'X-Key': { echo: 'body:text' } } };
const IN_JSON: HandshakeResponse = { status: 200, body: { json: { back: { echo: 'body:text' } } } };

/** Texts with characters that HTML is made of, or that are not ASCII. */
const opaque = [
  'a&b',
  "a'b",
  'a"b',
  '<script>alert(1)</script>',
  '&lt;script&gt;',
  'a%26b+c=d',
  'ä😀',
  ' a ',
  '\\',
];

describe('a challenge is opaque', () => {
  it.each(opaque)('%j is sent back as plain text to the letter, under nosniff', (text) => {
    expect(answer(ECHO, text)).toMatchObject({
      value: {
        headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
        body: text,
      },
    });
  });

  it('may be some thousand characters long', () => {
    const text = 'a'.repeat(4_096);
    expect(answer(ECHO, text)).toMatchObject({ value: { body: text } });
  });

  it.each(opaque)('%j is sent back in JSON, escaped', (text) => {
    const made = answer(IN_JSON, text);
    expect(made).toMatchObject({ value: { headers: { 'content-type': 'application/json' } } });
    expect(made.ok && JSON.parse(made.value.body ?? '')).toEqual({ back: text });
  });

  it.each(opaque.filter((text) => /^[ -~]*$/.test(text)))('%j may stand in a header', (text) => {
    expect(answer(IN_HEADER, text)).toMatchObject({ value: { headers: { 'X-Key': text } } });
  });
});

describe('what is sent back is refused, and not repeated, when it', () => {
  const odd: readonly [string, unknown][] = [
    ['is missing', undefined],
    ['is empty', ''],
    ['is no text', { a: 1 }],
    ['is endless', 'a'.repeat(4_097)],
    ['has a line break', 'a\r\nSet-Cookie: b'],
    ['has a NUL', 'a\0b'],
    ['has half a character', 'a\ud800'],
  ];

  it.each(odd)('%s', (_, text) => {
    for (const respond of [ECHO, IN_JSON, IN_HEADER]) {
      const made = answer(respond, text);
      expect(made).toMatchObject({ ok: false, error: { reason: 'malformed' } });
      const { detail } = made.ok ? { detail: '' } : made.error;
      expect(detail).toContain('body:text');
      expect(detail).not.toMatch(/Cookie|aaaa/);
    }
  });

  it('is to stand in a header, and is not ASCII', () => {
    expect(answer(IN_HEADER, 'ä')).toMatchObject({ ok: false, error: { reason: 'malformed' } });
  });

  it('has a control character anywhere', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 20 }),
        fc.constantFrom('\r', '\n', '\t', '\0', '\u001b', '\u007f', '\u0085'),
        fc.string({ maxLength: 20 }),
        (before, character, after) => {
          for (const respond of [ECHO, IN_JSON, IN_HEADER])
            expect(answer(respond, before + character + after).ok).toBe(false);
        },
      ),
    );
  });
});

describe('a signed answer', () => {
  it('is Zoom’s: hex, with the source’s secret', () => {
    expect(answer(SIGN, 'qgg8vlvZRS6UYooatFL8Aw')).toMatchObject({
      value: { body: JSON.stringify({ token: hmac('qgg8vlvZRS6UYooatFL8Aw', 'hex') }) },
    });
  });

  it('is X’s: base64 after a prefix', () => {
    const token = { hmac: 'body:text', encoding: 'base64', prefix: 'sha256=' } as const;
    expect(answer({ status: 200, body: { json: { token } } }, 'Y2hhbGxlbmdl==')).toMatchObject({
      value: { body: JSON.stringify({ token: `sha256=${hmac('Y2hhbGxlbmdl==', 'base64')}` }) },
    });
  });

  it('is not made without a secret', () => {
    expect(answer(SIGN, 'abc', null)).toMatchObject({ error: { reason: 'secret_missing' } });
  });

  it.each(['a=b', 'a.b', 'a&b', '{"a":1}', '[1]', 'two words', 'a:b', 'a,b', '', 'a==='])(
    'is not made of %j, which could be an event',
    (text) => {
      expect(answer(SIGN, text)).toMatchObject({ ok: false, error: { reason: 'malformed' } });
    },
  );

  it('is made only of texts that are refused as bodies of events', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12, unit: 'grapheme-ascii' }), (text) => {
        const signed = answer(SIGN, text).ok;
        expect(isSignedForAnybody(new TextEncoder().encode(text))).toBe(signed);
      }),
    );
  });
});
