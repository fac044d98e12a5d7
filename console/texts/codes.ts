import { isLoopback } from '../../src/lib/url.ts';
import type { Cause } from '../../src/lib/reason.ts';
import type { DoctorCode, FieldCode, ReasonCode } from '../../src/lib/api-codes.ts';
import type { OUTSIDE_CHECKS } from '../../shared/doctor/outside.ts';

/**
 * Words for a code. `{name}` is a value, `{count|one|several}` a count with its noun, and `{english}` the relay's own
 * sentence. Of several, the first whose values are all there is the right one.
 */
export type Template = string | readonly string[];

const VALUE = /\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g;

export const namesIn = (template: string): readonly string[] =>
  [...template.matchAll(VALUE)].map(([, name = '']) => name);

/** Null if values are missing. */
export function fill(template: Template, values: Readonly<Record<string, string>>): string | null {
  const found = [template].flat().find((one) => namesIn(one).every((name) => Object.hasOwn(values, name)));
  return (
    found?.replaceAll(VALUE, (_, name: string, one?: string, several?: string) => {
      const value = values[name] ?? '';
      return one === undefined ? value : `${value} ${value === '1' ? one : several}`;
    }) ?? null
  );
}

/** For a language whose words have two forms: `1 message`, `2 messages`. A language with more has its own. */
export function counter(language: string) {
  const format = new Intl.NumberFormat(language);
  return (count: number, one: string, other: string): string =>
    `${format.format(count)} ${count === 1 ? one : other}`;
}

const SECRET_PUT = /(`?)(?:npx )?wrangler secret put(?: ([A-Z][A-Z0-9_]*))?\1/g;
const VARIABLES = /under \[vars\] in wrangler\.toml(?:, and deploy)?/g;
const VARIABLES_DE = /unter \[vars\] in wrangler\.toml(?:, und deploye neu)?/g;

/**
 * A text that names Wrangler for secrets and variables, in English or German; on the machine of whoever looks, these are
 * lines of `.dev.vars`.
 */
export const forPlace = (hostname: string, text: string): string =>
  isLoopback(hostname)
    ? text
        .replaceAll(SECRET_PUT, (_, _quote, name = 'NAME') => `\`${name}="…"\` in \`.dev.vars\``)
        .replaceAll(VARIABLES, 'in `.dev.vars`, and start the relay again')
        .replaceAll(VARIABLES_DE, 'in `.dev.vars`, und starte das Relay neu')
    : text;

export interface Codes {
  readonly faults: Readonly<Record<FieldCode, Template>>;
  readonly reasons: Readonly<Record<ReasonCode, Template>>;
  /** Their causes, each in place of its reason. */
  readonly causes: Readonly<Record<Cause, Template>>;
  /** What follows a reason that has these values. */
  readonly endings: readonly Template[];
  /** Refusals of the admin API. */
  readonly problems: Readonly<Record<string, Template>>;
  /** The doctor's findings. `remedy`: the commands follow it. */
  readonly findings: Readonly<Record<DoctorCode, { readonly detail: Template; readonly remedy?: Template }>>;
  /** Titles of the doctor's checks, by the first part of their ids. */
  readonly titles: Readonly<Record<string, Template>>;
  /** The checks that only the command line makes. */
  readonly outside: Readonly<
    Record<(typeof OUTSIDE_CHECKS)[number]['id'], readonly [title: string, checks: string]>
  >;
}
