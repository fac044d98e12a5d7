import { integerValue } from './basics/numbers.ts';
import { MAX_EXPRESSION_DEPTH, MAX_PATH_LENGTH } from './basics/budget.ts';
import { LOCALE, localeIn, isZone, LOCAL } from './basics/locale.ts';
import type { Scanner, SyntaxProblem } from './basics/tokens.ts';
import { BLANK, compare, EMPTY, isTruthy, rangeOf } from './basics/values.ts';
import { callFilter, FILTERS, type Filter } from './filters.ts';
import type { Context, Read, Variable } from './render.ts';
import { hint } from './basics/print.ts';
import { EVENT_ROOTS } from './basics/scope.ts';

/** An argument of a filter. */
interface Argument {
  readonly name: string | undefined;
  /** As it was written, without the name. */
  readonly source: string;
  readonly read: Read;
}

/** What an expression uses, or all expressions of a tag or a source. Its names are checked once all of it is parsed. */
export interface Uses {
  readonly roots: { readonly name: string; readonly at: number }[];
  readonly filters: { readonly name: string; readonly at: number; readonly args: readonly Argument[] }[];
  /** Without those inside brackets and ranges. */
  readonly variables: Variable[];
  /** The number of characters of its operands. */
  length: number;
}

export const noUses = (): Uses => ({ roots: [], filters: [], variables: [], length: 0 });

/**
 * The grammar of expressions. Other Liquids skip what they do not understand (`a == 1 an b` is read as `1`, which is
 * true), so a typo in a condition would send messages to people. Here, everything that is not in the grammar is refused.
 *
 * `and` and `or` have one precedence and group from the right, as in all Liquids: `a and b or c` is `a and (b or c)`.
 * `not` binds closer than both and looser than a comparison. Parentheses group.
 */

/** A name: of a variable, a filter or a tag's word. */
export const WORD = /[\p{L}_][\p{L}\p{M}\p{Nd}_?-]*/uy;
/** Reads a name after a comma, which may be missing. */
export function nextName(scanner: Scanner): string | undefined {
  scanner.next(/,/y);
  return scanner.next(WORD);
}

/** Text in quotes of either kind, backslash escaping. */
export const STRING = /"[^"\\]*(?:\\[^][^"\\]*)*"|'[^'\\]*(?:\\[^][^'\\]*)*'/y;
const NUMBER = /[+-]?\d+(?:\.\d+)?(?![\p{L}\p{M}\p{Nd}_?-]|\.(?!\.))/uy;
const SEGMENT = /\.[\p{L}\p{M}\p{Nd}_?-]+/uy;
const COMPARISON = /==|!=|>=|<=|>|<|contains(?![\p{L}\p{M}\p{Nd}_?-])/uy;
const CONNECTIVE = /(?:and|or)(?![\p{L}\p{M}\p{Nd}_?-])/uy;
const NOT = /not(?![\p{L}\p{M}\p{Nd}_?-])/uy;
const ARGUMENT_NAME = /[\p{L}_][\p{L}\p{M}\p{Nd}_?-]*[ \t]*:/uy;
const LITERALS = { true: true, false: false, nil: null, null: null, empty: EMPTY, blank: BLANK };
const RESERVED = new Set(['and', 'or', 'not', 'contains']);
const AFTER_VALUE = '`and`, `or`, a comparison, a filter or the end';

/** Reads `condition | filter: argument, …`, up to the end. */
export function filteredCondition(scanner: Scanner, uses: Uses): Read {
  const begin = scanner.pos;
  const read = condition(scanner, uses);
  const filtered = filters(scanner, uses, begin, read);
  const comparison = filtered !== read && scanner.next(COMPARISON);
  if (comparison)
    scanner.fail(`unexpected \`${comparison}\` after a filter: put (value | filter) in parentheses`);
  expectNoForeignOperator(scanner);
  scanner.expectEnd(filtered === read ? AFTER_VALUE : 'another filter or the end');
  return filtered;
}

/** Reads `value | filter: argument, …`, up to the end, without a comparison. */
export function filteredValue(scanner: Scanner, uses: Uses): Read {
  const begin = scanner.pos;
  const read = filters(scanner, uses, begin, operand(scanner, uses));
  scanner.expectEnd('a filter or the end');
  return read;
}

/** `first`: the value that its first term begins with, if that has been read. */
function condition(scanner: Scanner, uses: Uses, first?: Read): Read {
  const terms: { readonly term: Read; readonly connective: string | undefined }[] = [];
  let left = first;
  do {
    let nots = 0;
    if (left === undefined) while (scanner.next(NOT)) nots += 1;
    const read = comparison(scanner, uses, left ?? operand(scanner, uses));
    const term: Read = nots === 0 ? read : (context) => isTruthy(read(context)) === (nots % 2 === 0);
    terms.push({ term, connective: scanner.next(CONNECTIVE) });
    left = undefined;
  } while (terms.at(-1)?.connective !== undefined);
  const [only] = terms;
  if (only !== undefined && terms.length === 1) return only.term;
  return function holds(context) {
    // They group from the right: a term either decides, or leaves it to all that follow.
    for (const { term, connective } of terms) {
      const isTrue = isTruthy(term(context));
      if (connective === undefined || isTrue === (connective === 'or')) return isTrue;
    }
    return false;
  };
}

function comparison(scanner: Scanner, uses: Uses, left: Read): Read {
  const operator = scanner.next(COMPARISON);
  if (operator === undefined) return left;
  const right = operand(scanner, uses);
  const second = scanner.next(COMPARISON) ?? '';
  const joined = `unexpected \`${second}\`: comparisons are joined by \`and\` or \`or\``;
  if (second !== '') scanner.fail(joined, scanner.pos - second.length);
  return (context) => compare(operator, left(context), right(context), context.budget.work);
}

const constant =
  (value: unknown): Read =>
  () =>
    value;

/** Reads one value: a literal, text, a number, a path, a group or a range. */
export function operand(scanner: Scanner, uses: Uses): Read {
  scanner.skipBlank();
  const begin = scanner.pos;
  const read = value(scanner, uses, { begin, outer: uses.variables.length });
  if (scanner.depth === 0) uses.length += scanner.pos - begin;
  return read;
}

function value(scanner: Scanner, uses: Uses, start: Start): Read {
  const text = scanner.take(STRING);
  if (text !== undefined)
    return path(scanner, uses, start, constant(text.slice(1, -1).replaceAll(ESCAPED, unescape)));
  if (scanner.take(/["']/y)) return fail(scanner, 'a text begins here and is never closed', start.begin);
  const number = scanner.take(NUMBER);
  if (number !== undefined)
    return constant(number.includes('.') ? Number(number) : integerValue(BigInt(number)));
  if (scanner.take(/\(/y)) return path(scanner, uses, start, group(scanner, uses));
  const name = scanner.take(WORD);
  if (name === undefined || RESERVED.has(name)) return expectedValue(scanner, start.begin, name);
  if (Object.hasOwn(LITERALS, name)) return constant(Reflect.get(LITERALS, name));
  uses.roots.push({ name, at: start.begin });
  return path(scanner, uses, start, (context) => context.valueOf(name), true);
}

const ESCAPED = /\\(?:u([\da-fA-F]{0,4})|([0-7]{1,3})|([^]))/g;
const SIGNS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

const unescape = (_: string, hex?: string, octal?: string, sign = ''): string =>
  hex === undefined && octal === undefined
    ? (SIGNS[sign] ?? sign)
    : String.fromCharCode(hex === undefined ? parseInt(octal ?? '', 8) : Number(`0x${hex || 0}`));

function fail(scanner: Scanner, message: string, at?: number): Read {
  scanner.fail(message, at);
  return constant(undefined);
}

function expectedValue(scanner: Scanner, at: number, word: string | undefined): Read {
  const quote = scanner.take(/[\u2018-\u201f\u00ab\u00bb`]/y);
  if (quote) return fail(scanner, `unexpected ${quote}: text is written in "…" or '…'`, at);
  const found = word === undefined ? scanner.snippet() : `\`${word}\``;
  const hint = found === '`!`' ? ': write `not`' : '';
  return fail(scanner, `expected a value, found ${found === 'end' ? 'the end' : found}${hint}`, at);
}

/** The beginning of an operand. `outer`: the number of variables before it. */
type Start = Readonly<{ begin: number; outer: number }>;

function path(scanner: Scanner, uses: Uses, { begin, outer }: Start, root: Read, isName = false): Read {
  const keys: (string | Read)[] = [];
  for (;;) {
    if (keys.length === MAX_PATH_LENGTH) return fail(scanner, `a path has at most ${MAX_PATH_LENGTH} names`);
    const segment = scanner.take(SEGMENT);
    if (segment !== undefined) keys.push(segment.slice(1));
    else if (scanner.take(/\[/y)) {
      keys.push(nested(scanner, () => operand(scanner, uses)));
      if (!scanner.next(/\]/y)) return fail(scanner, `unexpected ${scanner.snippet()}: expected \`]\``);
    } else break;
  }
  if (scanner.take(/\.(?!\.)/y)) return fail(scanner, 'expected a name right after the dot');
  if (keys.length === 0 && !isName) return root;
  const variable = { path: scanner.text.slice(begin, scanner.pos), read };
  function read(context: Context): unknown {
    let found = root(context);
    let holder: unknown = null;
    let key: unknown = null;
    for (const each of keys) {
      if (found === undefined || found === null) break;
      holder = found;
      key = typeof each === 'string' ? each : each(context);
      found = context.propertyOf(holder, key);
    }
    if (found === undefined) context.missing?.note(variable.path, holder, key);
    return found;
  }
  uses.variables.splice(outer, Infinity, variable);
  return read;
}

function group(scanner: Scanner, uses: Uses): Read {
  const read = nested(scanner, function groupOrRange() {
    const begin = scanner.pos;
    const outer = uses.variables.length;
    if (scanner.next(NOT)) return fail(scanner, 'a parenthesis cannot begin with `not`: write `not (…)`');
    const first = operand(scanner, uses);
    if (scanner.next(/\.\./y)) {
      const last = operand(scanner, uses);
      uses.variables.splice(outer);
      return (context) => rangeOf(first(context), last(context), context.budget.work);
    }
    return filters(scanner, uses, begin, condition(scanner, uses, first));
  });
  expectNoForeignOperator(scanner);
  if (!scanner.next(/\)/y))
    return fail(scanner, `unexpected ${scanner.snippet()}: expected \`)\`, which closes a parenthesis`);
  return read;
}

function nested(scanner: Scanner, rule: () => Read): Read {
  if (++scanner.depth > MAX_EXPRESSION_DEPTH)
    return fail(scanner, `parentheses and brackets nested more than ${MAX_EXPRESSION_DEPTH} deep`);
  const read = rule();
  scanner.depth--;
  return read;
}

/** Reads filters of a value that begins at `begin`. Returns the very `value` if there is none. */
function filters(scanner: Scanner, uses: Uses, begin: number, read: Read): Read {
  const calls: ((value: unknown, context: Context) => unknown)[] = [];
  while (scanner.next(/\|(?!\|)/y)) {
    const before = scanner.text.slice(begin, scanner.pos - 1);
    scanner.skipBlank();
    const at = scanner.pos;
    const name = scanner.take(WORD);
    if (name === undefined) return fail(scanner, `expected a filter's name, found ${scanner.snippet()}`);
    const args = scanner.next(/:/y) ? filterArguments(scanner, uses) : [];
    uses.filters.push({ name, at, args });
    const option = args.findLast(({ name }) => name !== undefined);
    const others = args.filter(({ name }) => name === undefined);
    calls.push((operand, context) =>
      callFilter({ name, before, context, option: option?.read(context) }, [
        operand,
        ...others.map(({ read }) => read(context)),
      ]),
    );
  }
  if (calls.length === 0) return read;
  return (context) => calls.reduce((operand, call) => call(operand, context), read(context));
}

function filterArguments(scanner: Scanner, uses: Uses): readonly Argument[] {
  const args: Argument[] = [];
  do {
    const name = scanner.next(ARGUMENT_NAME)?.slice(0, -1).trimEnd();
    scanner.skipBlank();
    const from = scanner.pos;
    const read = operand(scanner, uses);
    args.push({ name, source: scanner.text.slice(from, scanner.pos), read });
  } while (scanner.next(/,/y));
  return args;
}

const FOREIGN = /&&|\|\||=|!/y;
const OWN = new Map(Object.entries({ '&&': '`and`', '||': '`or`', '=': '`==`', '!': '`not` or `!=`' }));

/** Adds a hint for operators of other languages. */
function expectNoForeignOperator(scanner: Scanner): void {
  const sign = scanner.next(FOREIGN) ?? '';
  const own = OWN.get(sign);
  if (own) scanner.fail(`unexpected \`${sign}\`: write ${own}`, scanner.pos - sign.length);
}

/** The content of an argument that is text in quotes, and nothing else. */
const literalOf = (argument = ''): string | undefined => /^(["'])(.*)\1$/.exec(argument)?.[2]?.trim();

/** Finds the first unknown name: of a variable or a filter. `roots`: the names that the scope has. */
export function checkNames(
  uses: Pick<Uses, 'roots' | 'filters'>,
  declared: ReadonlySet<string>,
  roots = EVENT_ROOTS,
): SyntaxProblem | undefined {
  for (const { name, at } of uses.roots) {
    if (roots.includes(name) || declared.has(name)) continue;
    // Most often it is a field of the webhook.
    const field = roots.includes('payload') ? ` (did you mean "payload.${name}"?)` : '';
    const close = hint(name, [...roots, ...declared]) || field;
    return { at, message: `unknown name "${name}"${close}; the names are ${roots.join(', ')}` };
  }
  for (const use of uses.filters) {
    const message = problemOf(use);
    if (message !== undefined) return { at: use.at, message };
  }
  return undefined;
}

function problemOf({ name, args }: Uses['filters'][number]): string | undefined {
  const filter = FILTERS.get(name);
  if (filter === undefined) return `unknown filter "${name}"${hint(name, FILTERS.keys())}`;
  const isOfLocale = filter.option === LOCALE;
  const [option, ...more] = args.filter((one) => one.name !== undefined);
  const texts = args.filter((one) => one.name === undefined).map(({ source }) => source);
  const isKnown = more.length === 0 && (option === undefined || option.name === filter.option);
  const further = isOfLocale ? texts[filter.max] : undefined;
  const most = filter.max + (further === undefined || /^[\d+-]/.test(further) ? 0 : 1);
  if (!isKnown || texts.length < filter.min || texts.length > most)
    return `the filter "${name}" takes ${describeArguments(filter)}`;
  const zone = /^date(?:time)?$/.test(name) ? literalOf(texts[1]) : undefined;
  if (zone && zone !== LOCAL && !isZone(zone) && !(isOfLocale && localeIn(zone) !== null))
    return `unknown time zone "${zone}": an IANA zone such as "Europe/Berlin" is needed, or "local"`;
  const locale = literalOf(option?.source ?? further);
  return isOfLocale && locale !== undefined && localeIn(locale) === null
    ? `unknown locale "${locale}": a language tag such as "de-DE" is needed`
    : undefined;
}

function describeArguments({ min, max, option }: Pick<Filter, 'min' | 'max' | 'option'>): string {
  if (max === 0) return 'no argument';
  const plural = max === 1 ? 'argument' : 'arguments';
  const count = min === max ? `${max} ${plural}` : `${min} to ${max} ${plural}`;
  return option === undefined ? count : `${count}, and \`${option}:\``;
}
