import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseSigned } from '../../../src/signature/signed/signed-template.ts';

const literal = (text: string) => ({ kind: 'literal', text });
const query = { kind: 'query', name: 'data.id' };

it('reads the tokens of single senders', () => {
  const item = { kind: 'item', path: 'a.b' };
  const parts = [{ kind: 'secret' }, { kind: 'form_sorted' }, item, { ...query, lower: true }];
  const template = '{secret}{form_sorted}{item:a.b}{query_lower:data.id}';
  expect(parseSigned(template)).toEqual({ ok: true, value: parts });
  const free = [item, literal(':'), { ...item, free: true }];
  expect(parseSigned('{item:a.b}:{free item:a.b}')).toEqual({ ok: true, value: free });
});

it('reads an optional segment, and brackets of the text', () => {
  const segment = { kind: 'optional', pieces: [literal('id:'), query, literal(';')] };
  const value = [segment, literal('['), { kind: 'ts' }, literal(']')];
  expect(parseSigned('[id:{query:data.id};]{[}{ts}{]}')).toEqual({ ok: true, value });
});

it('never throws, and what it takes it reads whole', () => {
  const tokens = fc.constantFrom('[', ']', '{', '}', '{[}', '{ts}', '{raw_body}', '{query:id}', 'text');
  const texts = fc.array(tokens).map((some) => some.join(''));
  fc.assert(
    fc.property(texts, (template) => {
      const parsed = parseSigned(template);
      if (parsed.ok) expect(parsed.value.length > 0 || template === '').toBe(true);
    }),
  );
});

it.each([
  ['[id:{query:id}', 'a `[` that is not closed'],
  ['id:{query:id}]', 'a `]` that closes nothing'],
  ['[a[{query:id}]]', 'optional segments cannot be nested'],
  ['[{url}]', 'without a value that could be absent'],
  ['[{query:id}{raw_body}]', '`{raw_body}` in an optional segment'],
  ['{free header:a}.{free header:b}', 'two `{free …}`'],
  ['{free raw_body}', 'unknown token'],
  ['[{query:id}{form_sorted}]', '`{form_sorted}` in an optional segment'],
  ['[{query:id}{secret}]', '`{secret}` in an optional segment'],
  ['[{query:id]', 'a brace that belongs to no token'],
  ['{nonsense}', 'unknown token `{nonsense}`; known: {raw_body}, {ts}'],
  ['{header:X A}', 'unknown token `{header:X A}`'],
  ['{ts', 'a brace that belongs to no token'],
  ['ts}.{raw_body}', 'a brace that belongs to no token'],
])('refuses %s and says why', (template, message) => {
  const parsed = parseSigned(template);
  expect(parsed.ok ? 'accepted' : parsed.error).toContain(message);
});
