import { expect, it } from 'vitest';
import { filteredCondition, noUses } from '../../../src/template/grammar.ts';
import { Scanner } from '../../../src/template/basics/tokens.ts';

function problemOf(source: string, rule = filteredCondition): string | undefined {
  const scanner = new Scanner(source);
  rule(scanner, noUses());
  return scanner.problem && `${scanner.problem.at}: ${scanner.problem.message}`;
}

const END = 'expected `and`, `or`, a comparison, a filter or the end';

it.each([
  ['a == 1 an b == "x"', `7: unexpected \`an\`: ${END}`],
  ['a == 1)', `6: unexpected \`)\`: ${END}`],
  ['a == 1 # x', `7: unexpected \`#\`: ${END}`],
  ['a -1', `2: unexpected \`-1\`: ${END}`],
  ['a == 1 == 1', '7: unexpected `==`: comparisons are joined by `and` or `or`'],
  ['a ==', '4: expected a value, found the end'],
  ['', '0: expected a value, found the end'],
  ['a <> 1', '3: expected a value, found `>`'],
  ['"abc', '0: a text begins here and is never closed'],
  ["a == 'abc", '5: a text begins here and is never closed'],
  ['a == “x”', '5: unexpected “: text is written in "…" or \'…\''],
  ['(a == 1', '7: unexpected end: expected `)`, which closes a parenthesis'],
  ['(a b)', '3: unexpected `b`: expected `)`, which closes a parenthesis'],
  ['(not a)', '4: a parenthesis cannot begin with `not`: write `not (…)`'],
  ['a.', '2: expected a name right after the dot'],
  ['a[0 b]', '4: unexpected `b`: expected `]`'],
  ['1.', '0: expected a value, found `1.`'],
  ['a |', "3: expected a filter's name, found end"],
  ['a | f:', '6: expected a value, found the end'],
  ['a | f 1', '6: unexpected `1`: expected another filter or the end'],
  ['a | f > 1', '7: unexpected `>` after a filter: put (value | filter) in parentheses'],
  ['(1...5)', '4: expected a value, found `.5`'],
  ['a = 1', '2: unexpected `=`: write `==`'],
  ['a && b', '2: unexpected `&&`: write `and`'],
  ['a || b', '2: unexpected `||`: write `or`'],
  ['!a', '0: expected a value, found `!`: write `not`'],
])('what other Liquids skip is refused: %s', (source, problem) => {
  expect(problemOf(source)).toBe(problem);
});

it('expressions stand as they are written in Liquid', () => {
  const paths = ['a', 'a.b-c.d?', 'a["b c"][0][a.b].d', 'a.0.1', 'order.notes', 'nil', '-1.5'];
  const texts = ["'it\\'s'", '"\\""', 'a contains "x"', 'größe == 1', 'a\u00a0== 1', 'a ==\n1'];
  const joined = [
    'a==1',
    'not a',
    'not not a == 1',
    'a and not b or c',
    '(a and (b or c))',
    '(a or not b) == true',
  ];
  const grouped = ['(a | f: 1) > 2', '((a))', '(1..5)', '(1..a.size)', '( a | f ).size'];
  for (const source of [...paths, ...texts, ...joined, ...grouped, 'a | f: 1, "x", k: a.b | g'])
    expect(problemOf(source), source).toBeUndefined();
});

it('reports which names and filters are used, with their places', () => {
  const uses = noUses();
  filteredCondition(new Scanner('a.b == (c[d] | f: e, k: 1) | g'), uses);
  expect(uses.roots.map(({ name, at }) => `${name}${at}`)).toEqual(['a0', 'c8', 'd10', 'e18']);
  const filters = uses.filters.map(({ name, at, args }) => [name, at, args.map(({ source }) => source)]);
  expect(filters).toEqual([
    ['f', 15, ['e', '1']],
    ['g', 29, []],
  ]);
});

it('bounds how deep expressions are nested and how long a path is', () => {
  for (const source of ['('.repeat(5000), 'a['.repeat(5000)])
    expect(problemOf(source)).toContain('parentheses and brackets nested more than 16 deep');
  expect(problemOf(`a${'.b'.repeat(31)}`)).toBeUndefined();
  expect(problemOf(`a${'.b'.repeat(32)}`)).toContain('a path has at most 32 names');
});
