import type { VisitorRule } from '../../config/form-rules.ts';
import { truncateTo } from '../../lib/graphemes.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { hasLink, withoutLinks } from '../../template/filters/links.ts';

/** Longer than nearly every name, and too short for a message (in characters as people count them). */
const MAX_NAME = 40;

/**
 * A number in a name may be one to call, or a price. Chat markup would make text bold that is not part of our message.
 */
const NO_PART_OF_A_NAME = /\p{N}{3,}|[*_~`]/gu;

/**
 * The scope of a message to a visitor's number. Of the form, it has only names: on one line, short, and without links
 * and numbers. Anybody can have such a message sent to anybody.
 */
export function visitorScope(scope: Scope, { names }: VisitorRule): Scope {
  const fields = scope.payload;
  const payload = Object.fromEntries(
    names.flatMap((name) => {
      const value: unknown =
        typeof fields === 'object' && fields !== null && Object.hasOwn(fields, name)
          ? Reflect.get(fields, name)
          : null;
      return typeof value === 'string' ? [[name, harmless(value)]] : [];
    }),
  );
  return {
    ...scope,
    payload,
    event: { ...scope.event, dedupe_key: null, type: null },
    headers: {},
    query: {},
  };
}

const harmless = (name: string): string =>
  truncateTo(withoutLinks(name).replaceAll(NO_PART_OF_A_NAME, '').replaceAll(/\s+/g, ' ').trim(), MAX_NAME);

/** True if a message to a visitor contains a link after all, made of a name and the text around it. */
export const linksVisitor = (sets: readonly Readonly<Record<string, string>>[]): boolean =>
  sets.some((params) => Object.values(params).some(hasLink));
