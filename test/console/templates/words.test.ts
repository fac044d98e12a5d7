import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import filters from '../../../console/pages/templates/editor/filters.json' with { type: 'json' };
import { de } from '../../../console/texts/de.ts';
import { en } from '../../../console/texts/en.ts';
import { filterWords } from '../../../scripts/liquid-words.ts';
import { ROOTS } from '../../../src/template/basics/scope.ts';
import { knownFilters, liquid } from '../../../src/template/engine.ts';

describe('what the editor offers', () => {
  it('has every filter, with its example in the docs', () => {
    expect(filters.map(({ name }) => name)).toEqual([...knownFilters.keys()].toSorted());
    expect(filters).toEqual(filterWords(readFileSync('docs/templates.md', 'utf8')));
  });

  it('has every tag that a template may use, in both languages', () => {
    const known = Object.keys(liquid.tags).filter((name) => /^\w+$/.test(name));
    for (const { tags } of [en.templates, de.templates]) {
      const offered = Object.keys(tags);
      expect(known.filter((name) => !offered.includes(name))).toEqual([]);
      const parts = /^(?:end(?:if|unless|case|for|capture|comment|raw)|els(?:e|if)|when)$/;
      expect(offered.filter((name) => !known.includes(name) && !parts.test(name))).toEqual([]);
    }
  });

  it('has every name that a template sees', () => {
    for (const { names } of [en.templates, de.templates])
      expect(Object.keys(names).toSorted()).toEqual(ROOTS.toSorted());
  });
});
