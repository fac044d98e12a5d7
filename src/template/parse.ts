import { err, ok, type Result } from '../lib/result.ts';
import { MAX_BLOCK_DEPTH, SOURCE_PER_STEP, sizeOf, type Spend } from './basics/budget.ts';
import { hint } from './basics/print.ts';
import { contentOf, linesOf, type Token, Scanner, type SyntaxProblem } from './basics/tokens.ts';
import { comparable, equals, isTruthy } from './basics/values.ts';
import { optional } from './filters.ts';
import {
  filteredCondition,
  filteredValue,
  nextName,
  noUses,
  operand,
  STRING,
  WORD,
  type Uses,
} from './grammar.ts';
import { renderNodes, type Context, type Node, type Read } from './render.ts';

/** Names a partial. It is no tag of the engine: see `partials.ts`. */
export const RENDER = 'render';

const RENDER_ELSEWHERE = 'a partial goes into the text of a message, as {% render %}, and nowhere else';

/** Tags that divide a block. */
export const DIVIDERS: readonly string[] = ['elsif', 'when', 'else'];

/** Tags that divide the blocks which may be divided. */
const DIVIDED_BY: Readonly<Record<string, readonly string[]>> = {
  if: ['elsif', 'else'],
  unless: ['elsif', 'else'],
  case: ['when', 'else'],
  for: ['else'],
};

interface Found extends Pick<Uses, 'roots' | 'filters'> {
  /** The names that it gives a value. */
  readonly declared: Set<string>;
  /** The inner texts of its outputs. */
  readonly expressions: string[];
}

export interface Parsed extends Found {
  readonly nodes: readonly Node[];
}

/** Parses the parts of a source. The first problem ends it. */
export function parseTokens(tokens: readonly Token[]): Result<Parsed, SyntaxProblem> {
  const found: Found = { roots: [], filters: [], declared: new Set(), expressions: [] };
  const parser = new Parser(tokens, found);
  const nodes = parser.all();
  return parser.problem ? err(parser.problem) : ok({ ...found, nodes });
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #found: Found;
  /** True for those of a `liquid` tag. */
  readonly #areLines: boolean;
  readonly #open: string[] = [];
  #next = 0;
  problem: SyntaxProblem | undefined;

  constructor(tokens: readonly Token[], found: Found, areLines = false) {
    this.#tokens = tokens;
    this.#found = found;
    this.#areLines = areLines;
  }

  all(): readonly Node[] {
    const nodes = this.#nodes();
    const rest = this.#tokens[this.#next];
    if (rest === undefined) return nodes;
    const place = DIVIDERS.includes(rest.name) ? ' outside of a block' : ': no block is open';
    this.#fail(rest.begin, `unexpected {% ${rest.name} %}${place}`);
    return nodes;
  }

  #fail(at: number, message: string): null {
    this.problem ??= { at, message };
    this.#next = this.#tokens.length;
    return null;
  }

  /** Returns the nodes up to a tag that divides or ends a block. */
  #nodes(): readonly Node[] {
    const nodes: Node[] = [];
    for (;;) {
      const token = this.#tokens[this.#next];
      if (token === undefined || DIVIDERS.includes(token.name) || token.name.startsWith('end')) return nodes;
      this.#next += 1;
      const node = this.#node(token);
      if (node !== null) nodes.push(node);
    }
  }

  #node(token: Token): Node | null {
    const content = contentOf(token);
    if (token.is === 'text')
      return content === '' ? null : node(token, [], (context) => context.write(content));
    if (token.is === 'tag') return this.#tag(token);
    this.#found.expressions.push(content);
    return this.#output(token);
  }

  /** Reads the arguments of a tag by a rule. */
  #arguments<T>(token: Token, rule: Rule<T>) {
    const scanner = new Scanner(token.source, token.from, token.to);
    const uses = noUses();
    const made = rule(scanner, uses);
    if (scanner.problem) this.#fail(scanner.problem.at, scanner.problem.message);
    this.#found.roots.push(...uses.roots);
    this.#found.filters.push(...uses.filters);
    return { made, uses };
  }

  #output(token: Token): Node {
    const { made, uses } = this.#arguments(token, filteredCondition);
    return node(token, uses, (context) => context.write(made(context)), uses.variables);
  }

  #tag(token: Token): Node | null {
    const { name, begin } = token;
    if (this.#areLines && (name === 'raw' || name === 'liquid'))
      return this.#fail(begin, `{% ${name} %} is not allowed in a {% liquid %} tag`);
    if (name === RENDER) return this.#fail(begin, RENDER_ELSEWHERE);
    const made = Parser.tags.get(name);
    if (made !== undefined) return made(this, token);
    return this.#fail(begin, `unknown tag {% ${name} %}${hint(name, [...TAGS, ...DIVIDERS])}`);
  }

  static readonly tags = new Map<string, (parser: Parser, token: Token) => Node | null>([
    ['if', (parser, token) => parser.#choice(token)],
    ['unless', (parser, token) => parser.#choice(token)],
    ['case', (parser, token) => parser.#case(token)],
    ['for', (parser, token) => parser.#loop(token)],
    ['assign', (parser, token) => parser.#assign(token)],
    ['break', (parser, token) => parser.#leave(token, 'break')],
    ['capture', (parser, token) => parser.#capture(token)],
    ['comment', (parser, token) => parser.#comment(token)],
    ['continue', (parser, token) => parser.#leave(token, 'continue')],
    ['cycle', (parser, token) => parser.#cycle(token)],
    ['decrement', (parser, token) => parser.#count(token)],
    ['echo', (parser, token) => parser.#output(token)],
    ['increment', (parser, token) => parser.#count(token)],
    ['liquid', (parser, token) => parser.#lines(token)],
    ['raw', (parser, token) => parser.#raw(token)],
    ['#', (parser, token) => parser.#inlineComment(token)],
  ]);

  #raw(token: Token): Node | null {
    return this.#branches(token, this.#arguments(token, noArguments).uses)[0]?.nodes[0] ?? null;
  }

  #inlineComment(token: Token): null {
    const [, ...more] = contentOf(token).split('\n');
    return more.some((line) => /^\s*[^#\s]/.test(line))
      ? this.#fail(token.begin, "every line of an inline comment must start with a '#' character")
      : null;
  }

  /**
   * Returns the parts of a block, each of which follows one of its tags, up to its end. `uses` and `values`: of its
   * first tag. A tag has one value, a `when` several, and an `else` none.
   */
  #branches(block: Token, { length }: Uses, values: readonly Read[] = []) {
    let branch = { name: block.name, values, length };
    const branches: (typeof branch & { nodes: readonly Node[] })[] = [];
    const end = `end${block.name}`;
    this.#open.push(block.name);
    if (this.#open.length > MAX_BLOCK_DEPTH)
      this.#fail(block.begin, `blocks nested more than ${MAX_BLOCK_DEPTH} deep`);
    while (branch.name !== end) {
      branches.push({ ...branch, nodes: this.#nodes() });
      const tag = this.#tokens[this.#next];
      if (tag === undefined) {
        this.#fail(block.begin, `{% ${block.name} %} is never closed: expected {% ${end} %}`);
        break;
      }
      this.#next += 1;
      const { name, begin } = tag;
      if (name !== end && name.startsWith('end'))
        this.#fail(begin, `unexpected {% ${name} %}: expected {% ${end} %}`);
      else if (name !== end && !DIVIDED_BY[block.name]?.includes(name))
        this.#fail(begin, `unexpected {% ${name} %} in {% ${block.name} %}`);
      else if (name !== end && branch.name === 'else')
        this.#fail(begin, `unexpected {% ${name} %} after {% else %}`);
      const { made, uses } = this.#arguments(tag, RULES[name] ?? noArguments);
      branch = { name, values: made, length: uses.length };
    }
    this.#open.pop();
    return branches;
  }

  #choice(token: Token): Node {
    const { made, uses } = this.#arguments(token, oneCondition);
    const branches = this.#branches(token, uses, made);
    return node(token, sumOf(branches), function renderTaken(context) {
      const taken = branches.find(
        ({ name, values: [read] }) => read === undefined || isTruthy(read(context)) !== (name === 'unless'),
      );
      renderNodes(taken?.nodes ?? [], context);
    });
  }

  #case(token: Token): Node {
    const { made: read, uses } = this.#arguments(token, filteredValue);
    const branches = this.#branches(token, uses);
    return node(token, sumOf(branches), function renderEqual(context) {
      const value = comparable(read(context));
      let isFound = false;
      for (const { name, values, nodes } of branches.slice(1)) {
        if (name === 'else' ? isFound : !values.some((each) => equals(value, each(context)))) continue;
        isFound = true;
        renderNodes(nodes, context);
      }
    });
  }

  #loop(token: Token): Node {
    const { made, uses } = this.#arguments(token, loopOf);
    for (const name of [made.element, 'forloop']) this.#found.declared.add(name);
    const [body, otherwise] = this.#branches(token, uses);
    const render = (context: Context) => loopOver(context, made, body?.nodes ?? [], otherwise?.nodes ?? []);
    return node(token, uses, render, uses.variables);
  }

  #leave(token: Token, how: 'break' | 'continue'): Node | null {
    if (!this.#open.includes('for')) return this.#fail(token.begin, `{% ${how} %} is outside of a loop`);
    this.#arguments(token, noArguments);
    return node(token, [], (context) => void (context.leaving = how));
  }

  #assign(token: Token): Node {
    const { made, uses } = this.#arguments(token, assignment);
    const [name, read] = made;
    this.#found.declared.add(name);
    const render = (context: Context): void => context.assign(name, read(context));
    return { ...node(token, uses, render, uses.variables), assigns: name };
  }

  #capture(token: Token): Node {
    const { made: name, uses } = this.#arguments(token, onlyName(true));
    this.#found.declared.add(name);
    const [body] = this.#branches(token, uses);
    return node(token, [], function capture(context) {
      const captured = context.missing?.capture(name);
      const text = context.written(() => renderNodes(body?.nodes ?? [], context));
      context.assign(name, text);
      captured?.();
    });
  }

  #count(token: Token): Node {
    const { made: name } = this.#arguments(token, onlyName(false));
    this.#found.declared.add(name);
    const isDown = token.name === 'decrement';
    return node(token, [], (context) =>
      context.write(isDown ? context.count(name, -1) - 1 : context.count(name, 1)),
    );
  }

  #cycle(token: Token): Node {
    const { made, uses } = this.#arguments(token, alternation);
    const { name, values, source } = made;
    return node(token, uses, function renderNext(context) {
      const named = name === undefined ? '' : ` ${String(comparable(name(context)))}`;
      const key = `cycle${named}: ${source}`;
      const place = context.places.get(key) ?? 0;
      context.places.set(key, (place + 1) % values.length);
      context.write(values[place]?.(context));
    });
  }

  /** Skips a comment, with those in it: a part that has some can be commented out. */
  #comment(token: Token): null {
    for (let depth = 1; depth > 0; this.#next += 1) {
      const next = this.#tokens[this.#next];
      if (next === undefined)
        return this.#fail(token.begin, '{% comment %} is never closed: expected {% endcomment %}');
      depth += next.name === 'comment' ? 1 : next.name === 'endcomment' ? -1 : 0;
    }
    return null;
  }

  #lines(token: Token): Node | null {
    const lines = linesOf(token);
    if (!lines.ok) return this.#fail(lines.error.at, lines.error.message);
    const parser = new Parser(lines.value, this.#found, true);
    const nodes = parser.all();
    if (parser.problem) this.#fail(parser.problem.at, parser.problem.message);
    return node(token, [], (context) => renderNodes(nodes, context));
  }
}

/** Every tag that a template may use, without those that divide or end a block. */
export const TAGS: readonly string[] = [...Parser.tags.keys()];

/** Makes a node. `length`: that of its expressions, which is its price. `shows`: see {@link Node}. */
const node = (
  token: Token,
  { length }: { readonly length: number },
  render: Node['render'],
  shows: Node['shows'] = [],
): Node => ({ token, steps: 1 + Math.floor(length / SOURCE_PER_STEP), shows, render });

const sumOf = (branches: readonly { readonly length: number }[]) =>
  branches.reduce((sum, { length }) => ({ length: sum.length + length }), { length: 0 });

type Rule<T> = (scanner: Scanner, uses: Uses) => T;

const oneCondition: Rule<readonly Read[]> = (scanner, uses) => [filteredCondition(scanner, uses)];

/** Nothing may follow the tag's name. */
const noArguments: Rule<readonly Read[]> = function readEnd(scanner) {
  scanner.skipBlank();
  const at = scanner.pos;
  if (scanner.take(WORD) === 'if') scanner.fail('unexpected `if`: write `elsif` for another branch', at);
  else scanner.pos = at;
  scanner.expectEnd('nothing after the tag');
  return [];
};

const whenValues: Rule<readonly Read[]> = function readValues(scanner, uses) {
  const values: Read[] = [];
  do values.push(operand(scanner, uses));
  while (scanner.next(/,|or(?![\p{L}\p{M}\p{Nd}_?-])/uy));
  scanner.expectEnd('`,`, `or` or the end');
  return values;
};

/** The arguments of tags that divide blocks. */
const RULES: Readonly<Record<string, Rule<readonly Read[]>>> = { elsif: oneCondition, when: whenValues };

function nameIn(scanner: Scanner): string {
  const name = scanner.next(WORD);
  if (name === undefined) scanner.fail(`expected a name, found ${scanner.snippet()}`);
  return name ?? '';
}

const assignment: Rule<readonly [string, Read]> = function readAssignment(scanner, uses) {
  const name = nameIn(scanner);
  if (!scanner.next(/=(?!=)/y)) scanner.fail(`unexpected ${scanner.snippet()}: expected \`=\``);
  return [name, filteredCondition(scanner, uses)];
};

const onlyName =
  (mayBeQuoted: boolean): Rule<string> =>
  (scanner) => {
    const name = (mayBeQuoted ? scanner.next(STRING)?.slice(1, -1) : undefined) ?? nameIn(scanner);
    scanner.expectEnd('nothing after the name');
    return name;
  };

function alternation(scanner: Scanner, uses: Uses) {
  scanner.skipBlank();
  let from = scanner.pos;
  const first = operand(scanner, uses);
  const isNamed = scanner.next(/:/y) !== undefined;
  if (isNamed) {
    scanner.skipBlank();
    from = scanner.pos;
  }
  const values = [isNamed ? operand(scanner, uses) : first];
  while (scanner.next(/,/y)) values.push(operand(scanner, uses));
  scanner.expectEnd('`,` or the end');
  return { name: isNamed ? first : undefined, values, source: scanner.text.slice(from) };
}

const LOOP_OPTIONS = ['limit', 'offset', 'reversed'];

function loopOf(scanner: Scanner, uses: Uses) {
  const name = nameIn(scanner);
  if (scanner.next(WORD) !== 'in') scanner.fail('expected `in`: `for name in list`');
  scanner.skipBlank();
  const from = scanner.pos;
  const list = operand(scanner, uses);
  const source = scanner.text.slice(from, scanner.pos);
  const options = new Map<string, Read | 'continue'>();
  for (let option = nextName(scanner); option !== undefined; option = nextName(scanner)) {
    if (!LOOP_OPTIONS.includes(option))
      scanner.fail(`unexpected \`${option}\`: expected ${LOOP_OPTIONS.join(', ')}`);
    else if (option !== 'reversed' && !scanner.next(/:/y)) scanner.fail(`expected \`:\` after ${option}`);
    // `continue` is a value only here: the place where the last loop over the same list stopped.
    const goesOn = option === 'offset' && scanner.next(/continue(?![\p{L}\p{M}\p{Nd}_?-])/uy);
    options.set(option, goesOn ? 'continue' : option === 'reversed' ? () => true : operand(scanner, uses));
  }
  scanner.expectEnd(`${LOOP_OPTIONS.join(', ')} or the end`);
  return { name: `${name}-${source}`, element: name, list, options };
}

/** Renders `body` for each element of a list, or `otherwise` if it has none. */
function loopOver(
  context: Context,
  { name, element, list, options }: ReturnType<typeof loopOf>,
  body: readonly Node[],
  otherwise: readonly Node[],
): void {
  const all = elementsOf(list(context), context.budget.work);
  if (all.length === 0) return renderNodes(otherwise, context);
  const place = `for ${name}`;
  const placeOf = (read: Read | 'continue' | undefined): number | undefined =>
    read === 'continue' ? (context.places.get(place) ?? 0) : optional(read?.(context));
  const from = placeOf(options.get('offset'));
  const rest = all.slice(from).slice(0, placeOf(options.get('limit')));
  context.places.set(place, (from ?? 0) + rest.length);
  const { length } = rest;
  const parentloop = context.valueOf('forloop');
  const names = new Map<string, unknown>();
  context.inLoop(names, () => {
    for (const [index0, value] of (options.has('reversed') ? rest.toReversed() : rest).entries()) {
      const [index, rindex0] = [index0 + 1, length - index0 - 1];
      const ends = { first: index0 === 0, last: rindex0 === 0, length, name };
      names.set('forloop', { index, index0, rindex: rindex0 + 1, rindex0, ...ends, parentloop });
      names.set(element, value);
      context.leaving = null;
      renderNodes(body, context);
      if (context.leaving === 'break') break;
    }
  });
  context.leaving = null;
}

/** Returns what a loop goes over: the elements of a list, an object's keys with their values, or a text in one piece. */
function elementsOf(value: unknown, spend: Spend): readonly unknown[] {
  spend(sizeOf(value));
  if (Array.isArray(value)) return value as unknown[];
  if (typeof value === 'string') return value === '' ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
