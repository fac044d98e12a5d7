import { describe, expect, it } from 'vitest';
import { parseExpression, parseTemplate } from '../../src/template/compile.ts';
import { filteredCondition } from '../../src/template/syntax/grammar.ts';
import { MAX_SOURCE_LENGTH } from '../../src/template/basics/limits.ts';

describe('parseTemplate', () => {
  it('answers nodes and expressions', () => {
    const parsed = parseTemplate('a{{ payload.b }}');
    expect(parsed.ok && [parsed.value.nodes.length, parsed.value.expressions]).toEqual([2, ['payload.b']]);
  });

  it('answers a sentence, whichever check finds the problem', () => {
    expect(parseTemplate('{{ payload.a b }}')).toMatchObject({
      ok: false,
      error: /^column 14: unexpected `b`/,
    });
    expect(parseTemplate('{{ data }}')).toMatchObject({ ok: false, error: /^column 4: unknown name "data"/ });
    expect(parseTemplate('\n{{ data')).toEqual({
      ok: false,
      error: 'line 2, column 1: output "{{ data" not closed',
    });
    expect(parseTemplate('{% liquid\n =\n%}')).toMatchObject({
      ok: false,
      error: /^line 2, column 2: illegal liquid tag syntax/,
    });
  });
});

describe('parseExpression', () => {
  it('refuses what is too long', () => {
    const long = `payload.a == "${'a'.repeat(MAX_SOURCE_LENGTH)}"`;
    expect(parseExpression(long, filteredCondition)).toEqual({
      ok: false,
      error: `longer than ${MAX_SOURCE_LENGTH} characters`,
    });
  });
});
