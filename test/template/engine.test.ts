import { Context, filters, Parser, Tokenizer, toValueSync } from 'liquidjs';
import { describe, expect, it } from 'vitest';
import { knownFilters, liquid } from '../../src/template/engine.ts';
import { OWN_FILTERS } from '../../src/template/filters.ts';

describe('the interpreter', () => {
  it.each(['include', 'render', 'layout', 'block'])('has no tag %s, which would read files', (tag) => {
    expect(liquid.tags[tag]).toBeUndefined();
  });

  it('knows every standard filter but those that promise, throw dice or read expressions', () => {
    const omitted = Object.keys(filters).filter((name) => !knownFilters.has(name));
    expect(omitted.toSorted()).toEqual([
      'find_exp',
      'find_index_exp',
      'group_by_exp',
      'has_exp',
      'hmac_sha256',
      'reject_exp',
      'sample',
      'sha256',
      'where_exp',
    ]);
    for (const name of knownFilters.keys()) expect(liquid.filters[name]).toBeDefined();
    for (const name of omitted) expect(liquid.filters[name]).toBeUndefined();
  });

  it('checks the number of arguments of our filters', () => {
    for (const [name, { arity }] of OWN_FILTERS) expect(knownFilters.get(name)).toEqual(arity);
  });

  it('never renders without bounds', () => {
    const nodes = new Parser(liquid).parseTokens(new Tokenizer('{{ 1 }}').readTopLevelTokens());
    const context = new Context({}, liquid.options);
    expect(() => void toValueSync(liquid.renderer.renderTemplates(nodes, context))).toThrow(
      'rendered without bounds',
    );
  });
});
