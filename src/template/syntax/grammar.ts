import { MAX_EXPRESSION_DEPTH, MAX_PATH_LENGTH } from '../basics/limits.ts';
import { LOCALE } from '../basics/locale.ts';
import type { Scanner, Uses } from '../basics/scanner.ts';

/**
 * The grammar of expressions. liquidjs skips what it does not understand (`a == 1 an b` is read as `1`, which is true),
 * so a typo in a condition would send messages to people. Everything is checked against this grammar first, which
 * admits only what liquidjs reads in the same way.
 *
 * `and` and `or` have one precedence and group from the right, as in all Liquids: `a and b or c` is `a and (b or c)`.
 * `not` binds closer than both and looser than a comparison. Parentheses group.
 */

/** A name: of a variable, a filter or a tag's word. */
export const WORD = /[\p{L}_][\p{L}\p{M}\p{Nd}_?-]*/uy;
/** Text in quotes of either kind, backslash escaping. */
export const STRING = /"[^"\\]*(?:\\[^][^"\\]*)*"|'[^'\\]*(?:\\[^][^'\\]*)*'/y;
const NUMBER = /[+-]?\d+(?:\.\d+)?(?![\p{L}\p{M}\p{Nd}_?-]|\.(?!\.))/uy;
const SEGMENT = /\.[\p{L}\p{M}\p{Nd}_?-]+/uy;
const COMPARISON = /==|!=|>=|<=|>|<|contains(?![\p{L}\p{M}\p{Nd}_?-])/uy;
const CONNECTIVE = /(?:and|or)(?![\p{L}\p{M}\p{Nd}_?-])/uy;
const NOT = /not(?![\p{L}\p{M}\p{Nd}_?-])/uy;
const ARGUMENT_NAME = /[\p{L}_][\p{L}\p{M}\p{Nd}_?-]*[ \t]*:/uy;
const LITERALS = new Set(['true', 'false', 'nil', 'null', 'empty', 'blank']);
const RESERVED = new Set(['and', 'or', 'not', 'contains']);
const AFTER_VALUE = '`and`, `or`, a comparison, a filter or the end';

/** Reads `condition | filter: argument, …`, up to the end. */
export function filteredCondition(scanner: Scanner, uses: Uses): void {
  condition(scanner, uses);
  const filtered = filters(scanner, uses);
  const comparison = filtered && scanner.next(COMPARISON);
  if (comparison) {
    return scanner.fail(`unexpected \`${comparison}\` after a filter: put (value | filter) in parentheses`);
  }
  expectNoForeignOperator(scanner);
  scanner.expectEnd(filtered ? 'another filter or the end' : AFTER_VALUE);
}

/** Reads `value | filter: argument, …`, up to the end, without a comparison. */
export function filteredValue(scanner: Scanner, uses: Uses): void {
  operand(scanner, uses);
  filters(scanner, uses);
  scanner.expectEnd('a filter or the end');
}

function condition(scanner: Scanner, uses: Uses): void {
  do {
    while (scanner.next(NOT));
    operand(scanner, uses);
    comparisonTail(scanner, uses);
  } while (scanner.next(CONNECTIVE));
}

function comparisonTail(scanner: Scanner, uses: Uses): void {
  if (!scanner.next(COMPARISON)) return;
  operand(scanner, uses);
  const second = scanner.next(COMPARISON);
  if (!second) return;
  scanner.fail(
    `unexpected \`${second}\`: comparisons are joined by \`and\` or \`or\``,
    scanner.pos - second.length,
  );
}

/** Reads one value: a literal, text, a number, a path, a group or a range. */
export function operand(scanner: Scanner, uses: Uses): void {
  if (scanner.next(STRING) !== undefined) return path(scanner, uses);
  if (scanner.take(/["']/y)) return scanner.fail('a text begins here and is never closed', scanner.pos - 1);
  if (scanner.take(NUMBER)) return;
  if (scanner.take(/\(/y)) return group(scanner, uses);
  const at = scanner.pos;
  const name = scanner.take(WORD);
  if (name === undefined || RESERVED.has(name)) return expectedValue(scanner, at, name);
  if (LITERALS.has(name)) return;
  uses.roots.push({ name, at });
  path(scanner, uses);
}

function expectedValue(scanner: Scanner, at: number, word: string | undefined): void {
  const quote = scanner.take(/[\u2018-\u201f\u00ab\u00bb`]/y);
  if (quote) return scanner.fail(`unexpected ${quote}: text is written in "…" or '…'`, at);
  const found = word === undefined ? scanner.snippet() : `\`${word}\``;
  const hint = found === '`!`' ? ': write `not`' : '';
  scanner.fail(`expected a value, found ${found === 'end' ? 'the end' : found}${hint}`, at);
}

function path(scanner: Scanner, uses: Uses): void {
  for (let length = 1; ; length++) {
    if (length > MAX_PATH_LENGTH) return scanner.fail(`a path has at most ${MAX_PATH_LENGTH} names`);
    if (scanner.take(SEGMENT)) continue;
    if (!scanner.take(/\[/y)) break;
    nested(scanner, () => operand(scanner, uses));
    if (!scanner.next(/\]/y)) return scanner.fail(`unexpected ${scanner.snippet()}: expected \`]\``);
  }
  if (scanner.take(/\.(?!\.)/y)) scanner.fail('expected a name right after the dot');
}

function group(scanner: Scanner, uses: Uses): void {
  nested(scanner, function groupOrRange() {
    // liquidjs reads a `not` in this place as a variable's name.
    if (scanner.next(NOT)) return scanner.fail('a parenthesis cannot begin with `not`: write `not (…)`');
    operand(scanner, uses);
    if (scanner.next(/\.\./y)) return operand(scanner, uses);
    comparisonTail(scanner, uses);
    if (scanner.next(CONNECTIVE)) condition(scanner, uses);
    filters(scanner, uses);
  });
  expectNoForeignOperator(scanner);
  if (!scanner.next(/\)/y)) {
    return scanner.fail(`unexpected ${scanner.snippet()}: expected \`)\`, which closes a parenthesis`);
  }
  path(scanner, uses);
}

function nested(scanner: Scanner, rule: () => void): void {
  if (++scanner.depth > MAX_EXPRESSION_DEPTH) {
    return scanner.fail(`parentheses and brackets nested more than ${MAX_EXPRESSION_DEPTH} deep`);
  }
  rule();
  scanner.depth--;
}

/** Reads filters. True if there was at least one. */
function filters(scanner: Scanner, uses: Uses): boolean {
  let found = false;
  for (; scanner.next(/\|(?!\|)/y); found = true) {
    scanner.skipBlank();
    const at = scanner.pos;
    const name = scanner.take(WORD);
    if (name === undefined) {
      scanner.fail(`expected a filter's name, found ${scanner.snippet()}`);
      break;
    }
    uses.filters.push({ name, at, ...filterArguments(scanner, uses) });
  }
  return found;
}

function filterArguments(scanner: Scanner, uses: Uses): Omit<Uses['filters'][number], 'name' | 'at'> {
  const args: string[] = [];
  const options: string[] = [];
  let locale: string | undefined;
  if (!scanner.next(/:/y)) return { args, options };
  do {
    const name = scanner.next(ARGUMENT_NAME);
    scanner.skipBlank();
    const from = scanner.pos;
    operand(scanner, uses);
    const value = scanner.text.slice(from, scanner.pos);
    if (name === undefined) args.push(value);
    else {
      options.push(name.slice(0, -1).trimEnd());
      if (options.at(-1) === LOCALE) locale = value;
    }
  } while (scanner.next(/,/y));
  return { args, options, ...(locale !== undefined && { locale }) };
}

const FOREIGN = /&&|\|\||=|!/y;
const OWN: Readonly<Record<string, string>> = {
  '&&': '`and`',
  '||': '`or`',
  '=': '`==`',
  '!': '`not` or `!=`',
};

/** Adds a hint for operators of other languages. */
function expectNoForeignOperator(scanner: Scanner): void {
  const sign = scanner.next(FOREIGN);
  if (sign)
    scanner.fail(
      `unexpected \`${sign}\`: write ${OWN[sign] ?? 'another operator'}`,
      scanner.pos - sign.length,
    );
}
