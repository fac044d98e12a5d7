import { describe, expect, it } from 'vitest';
import { parseSigned } from '../../src/signature/signed-template.ts';

describe('parseSigned', () => {
  it('reads every token and the text between them', () => {
    expect(
      parseSigned('v0:{ts}.{header:X-A,X-B}{sig.t}{method}{url}{query:data.id}{body:a.b};{raw_body}'),
    ).toEqual({
      ok: true,
      value: [
        { kind: 'literal', text: 'v0:' },
        { kind: 'ts' },
        { kind: 'literal', text: '.' },
        { kind: 'header', names: ['X-A', 'X-B'] },
        { kind: 'sig', key: 't' },
        { kind: 'method' },
        { kind: 'url' },
        { kind: 'query', name: 'data.id' },
        { kind: 'body', path: 'a.b' },
        { kind: 'literal', text: ';' },
        { kind: 'raw_body' },
      ],
    });
  });

  it.each([
    ['{rawbody}', 'unknown token `{rawbody}`; did you mean `{raw_body}`?'],
    ['{nonsense}', 'unknown token `{nonsense}`; known: {raw_body}, {ts}'],
    ['{}', 'unknown token `{}`'],
    ['{header:}', 'unknown token `{header:}`'],
    ['{header:X A}', 'unknown token `{header:X A}`'],
    ['{ts', 'a brace that belongs to no token'],
    ['ts}.{raw_body}', 'a brace that belongs to no token'],
    ['{{raw_body}}', 'a brace that belongs to no token'],
  ])('refuses %s and says why', (template, message) => {
    const parsed = parseSigned(template);
    expect(parsed.ok ? 'accepted' : parsed.error).toContain(message);
  });
});
