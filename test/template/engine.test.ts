import { Context, filters, Parser, Tokenizer, toValueSync } from 'liquidjs';
import { describe, expect, it } from 'vitest';
import { knownFilters, liquid } from '../../src/template/engine.ts';

describe('the interpreter', () => {
  it.each(['include', 'render', 'layout', 'block'])('has no tag %s, which would read files', (tag) => {
    expect(liquid.tags[tag]).toBeUndefined();
  });

  it('has no filter but those that are listed', () => {
    expect(
      Object.keys(liquid.filters)
        .filter((name) => !name.includes(' '))
        .toSorted(),
    ).toEqual([...knownFilters.keys()].filter((name) => !name.includes(' ')).toSorted());
  });

  it.each(['sample', 'sha256', 'where_exp', 'group_by', 'jsonify'])(
    'has no filter %s, which standard Liquid does not have',
    (name) => {
      expect(Object.keys(filters)).toContain(name);
      expect(liquid.filters[name]).toBeUndefined();
    },
  );

  it('never renders without bounds', () => {
    const nodes = new Parser(liquid).parseTokens(new Tokenizer('{{ 1 }}').readTopLevelTokens());
    const context = new Context({}, liquid.options);
    expect(() => void toValueSync(liquid.renderer.renderTemplates(nodes, context))).toThrow(
      'rendered without bounds',
    );
  });
});
