import { LOCALE, localeIn } from './basics/locale.ts';
import { hint } from './basics/print.ts';
import { EVENT_ROOTS } from './basics/scope.ts';
import { isZone, LOCAL } from './basics/zones.ts';
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
    const filter = FILTERS.get(use.name);
    if (filter === undefined) {
      return { at: use.at, message: `unknown filter "${use.name}"${hint(use.name, FILTERS.keys())}` };
    }
    const isKnown = use.options.every((option) => option === filter.option) && use.options.length <= 1;
    const further = filter.option === LOCALE ? use.args[filter.max] : undefined;
    const most = filter.max + (further === undefined || /^[\d+-]/.test(further) ? 0 : 1);
    if (!isKnown || use.args.length < filter.min || use.args.length > most) {
      return { at: use.at, message: `the filter "${use.name}" takes ${describeArguments(filter)}` };
    }
    const zone = /^date(?:time)?$/.test(use.name) ? literalOf(use.args[1]) : undefined;
    const mayBeLocale = filter.option === LOCALE && localeIn(zone) !== null;
    if (zone !== undefined && zone !== '' && zone !== LOCAL && !isZone(zone) && !mayBeLocale) {
      return {
        at: use.at,
        message: `unknown time zone "${zone}": an IANA zone such as "Europe/Berlin" is needed, or "local"`,
      };
    }
    const locale = literalOf(use.locale ?? further);
    if (filter.option === LOCALE && locale !== undefined && localeIn(locale) === null) {
      return {
        at: use.at,
        message: `unknown locale "${locale}": a language tag such as "de-DE" is needed`,
      };
    }
  }
  return undefined;
}

function describeArguments({ min, max, option }: Pick<Filter, 'min' | 'max' | 'option'>): string {
  if (max === 0) return 'no argument';
  const plural = max === 1 ? 'argument' : 'arguments';
  const count = min === max ? `${max} ${plural}` : `${min} to ${max} ${plural}`;
  return option === undefined ? count : `${count}, and \`${option}:\``;
}
