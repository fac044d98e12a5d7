import { FactsOn } from '../lib/cache.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { hint } from './basics/print.ts';
import { MESSAGE_ROOTS } from './basics/scope.ts';
import { filteredCondition, nextName, noUses, STRING, checkNames } from './grammar.ts';
import { parseTokens, RENDER } from './parse.ts';
import { tokensOf, type Token, describeProblem, Scanner, type SyntaxProblem } from './basics/tokens.ts';

/** A shipped text with parameters: `providers/partials/{name}.yaml`, without what only people read. */
export interface Partial {
  /** The parameters by name, each with the expression that it has if nobody gives it. */
  readonly params: Readonly<Record<string, string>>;
  /** Liquid. `[[name]]` stands for a parameter, or a word. */
  readonly text: string;
  /** The words by language and name. English has all of them. */
  readonly words: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /**
   * A variable of the text. In a group's, `item` and `event` of the parameters are its own; else they may name it. Absent:
   * they are the message's.
   */
  readonly element?: string;
  /** True if it shows a group's incidents. */
  readonly grouped?: true;
}

export type Partials = Readonly<Record<string, Partial>>;

/** The partials that hookbell ships. */
export const partials = new FactsOn<Partials>('partials');

/** The place of a text. `grouped`: it is the text of a group or a digest. */
export interface TextPlace {
  readonly language: string;
  readonly grouped: boolean;
}

/** The language of a partial's words if it does not have the source's. */
const FIRST_LANGUAGE = 'en';

/** The parameter of every partial that names its language. */
const LANG = 'lang';

/**
 * Puts the partials into a text that names some. Where the rest of the text is wrong, returns it without them: then its
 * compilation finds the error at the place that its author sees.
 */
export function withPartials(source: string, place: TextPlace): Result<string, string> {
  if (!source.includes(RENDER)) return ok(source);
  const tokens = tokensOf(source);
  // Compiling the text says what is wrong.
  if (!tokens.ok) return ok(source);
  const tags = tokens.value.filter(({ name }) => name === RENDER);
  const others = parseTokens(tokens.value.filter(({ name }) => name !== RENDER));
  if (!others.ok || checkNames(others.value, others.value.declared, MESSAGE_ROOTS))
    // In one pass: a text may be as long as a request, since it is checked for its length later.
    return ok(
      tokens.value
        .map(({ name, begin, end }) => (name === RENDER ? ' '.repeat(end - begin) : source.slice(begin, end)))
        .join(''),
    );
  const roots = [...MESSAGE_ROOTS, ...others.value.declared];
  let text = '';
  let end = 0;
  for (const tag of tags) {
    const put = partialOf(tag, roots, place);
    if (!put.ok) return err(describeProblem(source, put.error));
    const [before, after] = [source.slice(end, tag.begin), source.slice(tag.end)];
    text += (source[tag.begin + 2] === '-' ? before.trimEnd() : before) + put.value;
    end = source[tag.end - 3] === '-' ? source.length - after.trimStart().length : tag.end;
  }
  return ok(text + source.slice(end));
}

function partialOf(tag: Token, roots: readonly string[], place: TextPlace): Result<string, SyntaxProblem> {
  const scanner = new Scanner(tag.source, tag.from, tag.to);
  const all = partials.known ?? {};
  const name = textIn(scanner.next(STRING));
  const names = Object.keys(all);
  const list = names.join(', ');
  const refused = (message: string, at = tag.begin) => err({ message, at });
  if (name === undefined) return refused(`expected the name of a partial in quotes: ${list}`);
  const partial = Object.hasOwn(all, name) ? all[name] : undefined;
  const unknown = `there is no partial "${name}"${hint(name, names)}; the partials are ${list}`;
  if (partial === undefined) return refused(unknown);
  const ofGroup = `the partial "${name}" is about a group: add \`group: { wait: 30s }\` to the route, and \`incident\` if things can end`;
  if (partial.grouped && !place.grouped) return refused(ofGroup);
  const given: Record<string, string> = { ...partial.params };
  let { language } = place;
  for (let parameter = nextName(scanner); parameter !== undefined; parameter = nextName(scanner)) {
    const at = scanner.pos - parameter.length;
    const others = [...Object.keys(partial.params), LANG];
    const noSuch = `the partial "${name}" has no parameter "${parameter}"${hint(parameter, others)}; it has ${others.join(', ')}`;
    if (!others.includes(parameter)) return refused(noSuch, at);
    scanner.next(/:/y);
    const value = textIn(scanner.next(STRING));
    if (value === undefined)
      return refused(`"${parameter}" must be an expression in quotes: ${parameter}: "item.name"`, at);
    if (parameter === LANG) {
      const languages = Object.keys(partial.words);
      if (!languages.includes(value))
        return refused(`the languages of the partial "${name}" are ${languages.join(', ')}`, at);
      language = value;
      continue;
    }
    const expression = partial.grouped
      ? inElement(value, roots, partial.element)
      : inElement(value, [...roots, partial.element ?? '']);
    if (!expression.ok) return refused(`"${parameter}" is no expression: ${expression.error}`, at);
    given[parameter] = expression.value;
  }
  scanner.expectEnd('`,` and a parameter, or the end');
  if (scanner.problem !== undefined) return err(scanner.problem);
  const words = { ...partial.words[FIRST_LANGUAGE], ...partial.words[language] };
  return ok(filled(filled(partial.text, words), given));
}

const textIn = (literal: string | undefined): string | undefined =>
  literal?.slice(1, -1).replaceAll(/\\(["'\\])/g, '$1');

const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\[\[([\w-]+)\]\]/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );

/** Returns an expression whose `item` and `event` are those of an element. */
function inElement(source: string, roots: readonly string[], element?: string): Result<string, string> {
  const scanner = new Scanner(source);
  const uses = noUses();
  filteredCondition(scanner, uses);
  const wrong = scanner.problem ?? checkNames(uses, new Set(), roots);
  if (wrong) return err(`${describeProblem(source, wrong)} (a text needs quotes of its own: "'text'")`);
  const own = uses.roots
    .filter(({ name }) => element !== undefined && (name === 'item' || name === 'event'))
    .toSorted((a, b) => b.at - a.at)
    .reduce((text, { at }) => `${text.slice(0, at)}${element}.${text.slice(at)}`, source);
  // A filter of the partial is about all of it. Parentheses cannot begin with `not`.
  return ok(/^\s*(?:not\b|\S*$)/.test(own) ? own : `(${own})`);
}
