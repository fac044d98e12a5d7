import { expect, it } from 'vitest';
import { compileText, renderText } from '../../../src/template/text.ts';
import { pageOf } from '../../docs/pages.ts';
import { scopeOf } from '../helpers.ts';
import published from './cases.json' with { type: 'json' };
import deviations from './deviations.json' with { type: 'json' };

/**
 * A case of golden-liquid (github.com/jg-rp/golden-liquid, commit 389a298; see LICENSE), whose results are those of the
 * reference in Ruby. Those of tags and filters that docs/templates.md does not have are left out.
 */
interface Case {
  readonly name: string;
  readonly template: string;
  readonly data?: object;
  readonly result?: string;
  readonly results?: readonly string[];
  /** True if the template or its render has to fail. */
  readonly invalid?: boolean;
}

const CASES: readonly Case[] = published;
/** The names of the cases that give something else, by the reason, which docs/templates.md has in other words. */
const DEVIATIONS: Readonly<Record<string, readonly string[]>> = deviations;

const LOCALE = { country: undefined, locale: 'en', timezone: 'UTC' };

/** The text of a case; null if it is refused, or its render fails. */
function textOf({ template, data = {} }: Case): string | null {
  // A name that has no data may be any word: it is missing.
  const compiled = compileText(template, template.match(/[\w?-]+/g) ?? []);
  if (!compiled.ok) return null;
  const notification = { at: '2026-01-05T08:30:00Z', names: { ...data } };
  const rendered = renderText(compiled.value, scopeOf({}, { notification }), LOCALE);
  return rendered.ok ? rendered.value : null;
}

function isStandard(one: Case): boolean {
  const text = textOf(one);
  if (one.invalid) return text === null;
  return text !== null && (one.results?.includes(text) ?? text === one.result);
}

const others = CASES.filter((one) => !isStandard(one)).map(({ name }) => name);
const passed = `${CASES.length - others.length} of ${CASES.length}`;

it(`${passed} cases of the public suite give the standard’s text, and each other one has a reason`, () => {
  process.stdout.write(`golden-liquid: ${passed} cases give the standard's text\n`);
  expect(pageOf('templates.md')).toContain(`${passed} cases of the public suite [golden-liquid]`);
  expect(others.toSorted()).toEqual(Object.values(DEVIATIONS).flat().toSorted());
});
