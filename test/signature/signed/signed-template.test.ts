import { expect, it } from 'vitest';
import { parseSigned } from '../../../src/signature/signed/signed-options.ts';

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
