import { expect, it } from 'vitest';
import { FILTERS } from '../../src/template/filters.ts';
import * as limits from '../../src/template/basics/budget.ts';
import { DIVIDERS, TAGS } from '../../src/template/parse.ts';
import { compileText, renderText, compileCondition, evaluateCondition } from '../../src/template/text.ts';
import { examplesIn, scopeOf, SETTINGS, type Example } from './examples.ts';
import { pageOf } from './pages.ts';

const PAGE = pageOf('templates.md');
const EXAMPLES = examplesIn(PAGE);

/** The outcome of an example, in the page's words. */
function outcome(example: Example): string {
  const { kind, source, settings } = example;
  const locale = SETTINGS[settings];
  if (locale === undefined) throw new Error(`no settings for ${settings}`);
  if (kind === 'condition') {
    const condition = compileCondition(source);
    if (!condition.ok) return `refused: ${condition.error}`;
    const holds = evaluateCondition(condition.value, scopeOf(example), locale);
    return holds.ok ? (holds.value ? 'yes' : 'no') : `fails: ${holds.error}`;
  }
  const text = compileText(source);
  if (!text.ok) return `refused: ${text.error}`;
  const rendered = renderText(text.value, scopeOf(example), locale);
  return rendered.ok ? rendered.value : `fails: ${rendered.error}`;
}

it('each example in docs/templates.md gives what the page says', () => {
  expect(EXAMPLES.length).toBeGreaterThan(180);
  for (const example of EXAMPLES)
    expect(outcome(example), `line ${example.line}, ${example.settings}: ${example.source}`).toBe(
      example.gives,
    );
});

const isUsed = (name: string) =>
  EXAMPLES.some(({ source }) => new RegExp(`\\|\\s*${name}\\b(?!_)`).test(source));

it('docs/templates.md has an example of each filter, and names each tag', () => {
  expect([...FILTERS.keys()].filter((name) => !isUsed(name))).toEqual([]);
  expect([...TAGS, ...DIVIDERS].filter((name) => !PAGE.includes(`\`${name}\``))).toEqual([]);
});

it('docs/templates.md says the limits', () => {
  const rows = [
    [limits.MAX_SOURCE_LENGTH, 'characters of one template'],
    [limits.MAX_BLOCK_DEPTH, 'levels of nested blocks'],
    [limits.MAX_EXPRESSION_DEPTH, 'levels of nested parentheses and brackets'],
    [limits.MAX_PATH_LENGTH, 'names in a path'],
    [limits.MAX_WORK, 'units of work in one render'],
    [limits.MAX_ROUTE_WORK, 'units of work for all messages of a route'],
    [limits.MAX_OUTPUT_LENGTH, 'characters of output'],
    [limits.MAX_RANGE_END, 'as the end of a range'],
  ] as const;
  for (const [limit, what] of rows)
    expect(PAGE).toMatch(new RegExp(`^\\| ${limit.toLocaleString('en')} +\\| ${what}`, 'm'));
});
