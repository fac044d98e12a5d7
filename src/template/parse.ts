import { err, ok, type Result } from '../lib/result.ts';
import { MAX_BLOCK_DEPTH, SOURCE_PER_STEP, sizeOf, type Spend } from './basics/budget.ts';
import { hint } from './basics/print.ts';
import { contentOf, linesOf, type Token, Scanner, type SyntaxProblem } from './basics/tokens.ts';
import { comparable, equals, isTruthy } from './basics/values.ts';
import { optional } from './filters.ts';
import { filteredCondition, filteredValue, nextName, operand, STRING, WORD, type Uses } from './grammar.ts';
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
  readonly found: Found;
  /** The names of the blocks around. */
  readonly open: string[] = [];
  problem: SyntaxProblem | undefined;
  readonly #tokens: readonly Token[];
  /** True for those of a `liquid` tag. */
  readonly #areLines: boolean;
  #next = 0;

  constructor(tokens: readonly Token[], found: Found, areLines = false) {
    this.#tokens = tokens;
    this.found = found;
    this.#areLines = areLines;
  }

  all(): readonly Node[] {
    const nodes = this.#nodes();
    const rest = this.next();
    if (rest === undefined) return nodes;
    const place = DIVIDERS.includes(rest.name) ? ' outside of a block' : ': no block is open';
    this.fail(rest.begin, `unexpected {% ${rest.name} %}${place}`);
    return nodes;
  }

  next(): Token | undefined {
    return this.#tokens[this.#next++];
  }

  fail(at: number, message: string): null {
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
    const { is, name, begin } = token;
    const content = contentOf(token);
    if (is === 'text') return content === '' ? null : node(token, 0, (context) => context.write(content));
    if (is === 'output') {
      this.found.expressions.push(content);
      return output(this, token);
    }
    if (this.#areLines && (name === 'raw' || name === 'liquid'))
      return this.fail(begin, `{% ${name} %} is not allowed in a {% liquid %} tag`);
    if (name === RENDER) return this.fail(begin, RENDER_ELSEWHERE);
    const read = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
    if (read !== undefined) return read(this, token);
    return this.fail(begin, `unknown tag {% ${name} %}${hint(name, [...TAGS, ...DIVIDERS])}`);
  }

  /** Reads the arguments of a tag by a rule. */
  arguments<T>(token: Token, rule: Rule<T>) {
    const scanner = new Scanner(token.source, token.from, token.to);
    const uses: Uses = { ...this.found, variables: [], length: 0 };
    const made = rule(scanner, uses);
    if (scanner.problem) this.fail(scanner.problem.at, scanner.problem.message);
    return { made, length: uses.length, variables: uses.variables };
  }

  /**
   * Returns the parts of a block, each of which follows one of its tags, up to its end. `length` and `values`: of its
   * first tag. A tag has one value, a `when` several, and an `else` none.
   */
  branches(block: Token, length: number, values: readonly Read[] = []) {
    let branch = { name: block.name, values, length };
    const branches: (typeof branch & { nodes: readonly Node[] })[] = [];
    const end = `end${block.name}`;
    this.open.push(block.name);
    if (this.open.length > MAX_BLOCK_DEPTH)
      this.fail(block.begin, `blocks nested more than ${MAX_BLOCK_DEPTH} deep`);
    while (branch.name !== end) {
      branches.push({ ...branch, nodes: this.#nodes() });
      const tag = this.next();
      if (tag === undefined) {
        this.fail(block.begin, `{% ${block.name} %} is never closed: expected {% ${end} %}`);
        break;
      }
      const { name, begin } = tag;
      if (name !== end && name.startsWith('end'))
        this.fail(begin, `unexpected {% ${name} %}: expected {% ${end} %}`);
      else if (name !== end && !DIVIDED_BY[block.name]?.includes(name))
        this.fail(begin, `unexpected {% ${name} %} in {% ${block.name} %}`);
      else if (name !== end && branch.name === 'else')
        this.fail(begin, `unexpected {% ${name} %} after {% else %}`);
      const { made, length } = this.arguments(tag, RULES[name] ?? noArguments);
      branch = { name, values: made, length };
    }
    this.open.pop();
    return branches;
  }

  /** Reads the only name that a tag has, which then has a value. */
  onlyName(token: Token, mayBeQuoted = false): string {
    const { made: name } = this.arguments(token, (scanner) => {
      const name = (mayBeQuoted ? scanner.next(STRING)?.slice(1, -1) : undefined) ?? nameIn(scanner);
      scanner.expectEnd('nothing after the name');
      return name;
    });
    this.found.declared.add(name);
    return name;
  }
}

/** Reads a tag, and its block; null if it shows nothing, or is wrong. */
type Reader = (parser: Parser, token: Token) => Node | null;

const output: Reader = function readOutput(parser, token) {
  const { made, length, variables } = parser.arguments(token, filteredCondition);
  return node(token, length, (context) => context.write(made(context)), variables);
};

const choice: Reader = function readChoice(parser, token) {
  const { made, length } = parser.arguments(token, oneCondition);
  const branches = parser.branches(token, length, made);
  return node(token, lengthOf(branches), function renderTaken(context) {
    const taken = branches.find(
      ({ name, values: [read] }) => read === undefined || isTruthy(read(context)) !== (name === 'unless'),
    );
    renderNodes(taken?.nodes ?? [], context);
  });
};

const leave =
  (how: 'break' | 'continue'): Reader =>
  (parser, token) => {
    if (!parser.open.includes('for')) return parser.fail(token.begin, `{% ${how} %} is outside of a loop`);
    parser.arguments(token, noArguments);
    return node(token, 0, (context) => void (context.leaving = how));
  };

/** `shown`: what it shows beyond the value of the counter before. */
const count =
  (step: number, shown: number): Reader =>
  (parser, token) => {
    const name = parser.onlyName(token);
    return node(token, 0, (context) => context.write(context.count(name, step) + shown));
  };

const READERS: Readonly<Record<string, Reader>> = {
  if: choice,
  unless: choice,
  case(parser, token) {
    const { made: read, length } = parser.arguments(token, filteredValue);
    const branches = parser.branches(token, length);
    return node(token, lengthOf(branches), function renderEqual(context) {
      const value = comparable(read(context));
      let isFound = false;
      for (const { name, values, nodes } of branches.slice(1)) {
        if (name === 'else' ? isFound : !values.some((each) => equals(value, each(context)))) continue;
        isFound = true;
        renderNodes(nodes, context);
      }
    });
  },
  for(parser, token) {
    const { made, length, variables } = parser.arguments(token, loopOf);
    for (const name of [made.element, 'forloop']) parser.found.declared.add(name);
    const [body, otherwise] = parser.branches(token, length);
    const render = (context: Context) => loopOver(context, made, body?.nodes ?? [], otherwise?.nodes ?? []);
    return node(token, length, render, variables);
  },
  assign(parser, token) {
    const { made, length, variables } = parser.arguments(token, assignment);
    const [name, read] = made;
    parser.found.declared.add(name);
    const render = (context: Context) => void context.assigned.set(name, read(context));
    return { ...node(token, length, render, variables), assigns: name };
  },
  break: leave('break'),
  capture(parser, token) {
    const name = parser.onlyName(token, true);
    const [body] = parser.branches(token, 0);
    return node(token, 0, function capture(context) {
      const captured = context.missing?.capture(name);
      const text = context.written(() => renderNodes(body?.nodes ?? [], context));
      context.assigned.set(name, text);
      captured?.();
    });
  },
  /** Skips a comment, with those in it: a part that has some can be commented out. */
  comment(parser, token) {
    for (let depth = 1; depth > 0;) {
      const next = parser.next();
      if (next === undefined)
        return parser.fail(token.begin, '{% comment %} is never closed: expected {% endcomment %}');
      depth += next.name === 'comment' ? 1 : next.name === 'endcomment' ? -1 : 0;
    }
    return null;
  },
  continue: leave('continue'),
  cycle(parser, token) {
    const { made, length } = parser.arguments(token, alternation);
    const { name, values, source } = made;
    return node(token, length, function renderNext(context) {
      const named = name === undefined ? '' : ` ${String(comparable(name(context)))}`;
      const key = `cycle${named}: ${source}`;
      const place = context.places.get(key) ?? 0;
      context.places.set(key, (place + 1) % values.length);
      context.write(values[place]?.(context));
    });
  },
  decrement: count(-1, -1),
  echo: output,
  increment: count(1, 0),
  liquid(parser, token) {
    const lines = linesOf(token);
    if (!lines.ok) return parser.fail(lines.error.at, lines.error.message);
    const inner = new Parser(lines.value, parser.found, true);
    const nodes = inner.all();
    if (inner.problem) parser.fail(inner.problem.at, inner.problem.message);
    return node(token, 0, (context) => renderNodes(nodes, context));
  },
  raw(parser, token) {
    parser.arguments(token, noArguments);
    return parser.branches(token, 0)[0]?.nodes[0] ?? null;
  },
  '#'(parser, token) {
    const [, ...more] = contentOf(token).split('\n');
    return more.some((line) => /^\s*[^#\s]/.test(line))
      ? parser.fail(token.begin, "every line of an inline comment must start with a '#' character")
      : null;
  },
};

/** Every tag that a template may use, without those that divide or end a block. */
export const TAGS: readonly string[] = Object.keys(READERS);

/** Makes a node. `length`: that of its expressions, which is its price. `shows`: see {@link Node}. */
const node = (token: Token, length: number, render: Node['render'], shows: Node['shows'] = []): Node => ({
  token,
  steps: 1 + Math.floor(length / SOURCE_PER_STEP),
  shows,
  render,
});

const lengthOf = (branches: readonly { readonly length: number }[]): number =>
  branches.reduce((sum, { length }) => sum + length, 0);

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
  context.loops.push(names);
  for (const [index0, value] of (options.has('reversed') ? rest.toReversed() : rest).entries()) {
    const [index, rindex0] = [index0 + 1, length - index0 - 1];
    const ends = { first: index0 === 0, last: rindex0 === 0, length, name };
    names.set('forloop', { index, index0, rindex: rindex0 + 1, rindex0, ...ends, parentloop });
    names.set(element, value);
    context.leaving = null;
    renderNodes(body, context);
    if (context.leaving === 'break') break;
  }
  context.loops.pop();
  context.leaving = null;
}

/** Returns what a loop goes over: the elements of a list, an object's keys with their values, or a text in one piece. */
function elementsOf(value: unknown, spend: Spend): readonly unknown[] {
  spend(sizeOf(value));
  if (Array.isArray(value)) return value as unknown[];
  if (typeof value === 'string') return value === '' ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
