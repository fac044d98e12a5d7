import { LOCALE, localeIn, isZone, LOCAL } from './basics/locale.ts';
import { hint } from './basics/print.ts';
import { EVENT_ROOTS } from './basics/scope.ts';
import type { SyntaxProblem } from './basics/scanner.ts';
import { FILTERS, type Filter } from './filters.ts';
import type { Uses } from './grammar.ts';

/** Text in quotes, and nothing else. */
const LITERAL = /^(["'])(.*)\1$/;

const literalOf = (argument: string | undefined): string | undefined =>
  LITERAL.exec(argument ?? '')?.[2]?.trim();

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

function problemOf({ name, args, options, locale: written }: Uses['filters'][number]): string | undefined {
  const filter = FILTERS.get(name);
  if (filter === undefined) return `unknown filter "${name}"${hint(name, FILTERS.keys())}`;
  const isOfLocale = filter.option === LOCALE;
  const isKnown = options.every((option) => option === filter.option) && options.length <= 1;
  const further = isOfLocale ? args[filter.max] : undefined;
  const most = filter.max + (further === undefined || /^[\d+-]/.test(further) ? 0 : 1);
  if (!isKnown || args.length < filter.min || args.length > most)
    return `the filter "${name}" takes ${describeArguments(filter)}`;
  const zone = /^date(?:time)?$/.test(name) ? literalOf(args[1]) : undefined;
  if (zone && zone !== LOCAL && !isZone(zone) && !(isOfLocale && localeIn(zone) !== null))
    return `unknown time zone "${zone}": an IANA zone such as "Europe/Berlin" is needed, or "local"`;
  const locale = literalOf(written ?? further);
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
