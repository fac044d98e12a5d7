import { UndefinedVariableError } from 'liquidjs';
import type { Template, Token } from 'liquidjs';
import { hint } from './basics/print.ts';

/** The maximum length of a path that is shown. */
export const MAX_PATH = 120;
/** The maximum number of keys that are compared with a misspelt one; a payload may have any number. */
const MAX_KEYS = 200;

/** A variable without a value here, and a hint at the key that was probably meant, or an empty text. */
export interface Missing {
  readonly path: string;
  readonly hint: string;
}

/**
 * Variables that a render reads and does not find. It does not note those that a condition or a `default` reads, which
 * may well be missing, nor those in a branch that is not taken.
 */
export class MissingLog {
  readonly found = new Map<string, Missing>();
  /** The expressions of times that name no zone, and that a filter has read as UTC. */
  readonly clocks = new Set<string>();
  #last: { holder: unknown; key: unknown } = { holder: null, key: null };

  /** Notes the last look-up that found nothing. */
  note(holder: unknown, key: unknown): void {
    this.#last = { holder, key };
  }

  /** Notes what stands before such a filter, up to the start of its output or tag. */
  noteClock({ input, begin }: Token): void {
    const before = input.slice(0, begin).trimEnd().replace(/\|$/, '').trimEnd();
    const start =
      Math.max(before.lastIndexOf('{{'), before.lastIndexOf('{%'), before.lastIndexOf('\n') - 1) + 2;
    const expression = before.slice(start).replace(/^-?\s*(?:echo\s|assign\s[^=]*=)?\s*/, '');
    this.clocks.add(expression.slice(0, MAX_PATH));
  }

  /** Takes an error about a missing variable; returns false for any other. */
  take(error: unknown, template?: Template): boolean {
    if (!(error instanceof UndefinedVariableError)) return false;
    if (template && /\|\s*default\b/.test(template.token.getText())) return true;
    const path = error.token.getText().slice(0, MAX_PATH);
    this.found.set(path, { path, hint: this.#hint() });
    return true;
  }

  #hint(): string {
    const { holder, key } = this.#last;
    if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) return '';
    // `item` is a valid name outside of `each` as well, but has no value there.
    if (typeof key !== 'string' || Object.hasOwn(holder, key)) return '';
    return hint(key, Object.keys(holder).slice(0, MAX_KEYS));
  }
}
