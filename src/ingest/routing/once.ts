import type { Route } from '../../config/compiled/config.ts';
import { failure, placeOf, type RouteFailure } from '../../render/failure.ts';
import { digestOf } from '../../signature/basics/match.ts';
import type { Locale } from '../../template/basics/locale.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { renderText } from '../../template/text.ts';

/** A longer key is replaced by its digest. UTF-16 units. */
const MAX_ONCE = 256;

/** The key that a message or an item has from its route's `once`. */
interface Key {
  readonly once?: string;
}

/**
 * Chooses the elements of an event that a route takes. Of elements with the same key, it takes the first one that makes
 * a message.
 */
export interface Once {
  /** The key of an element; null if an earlier element has it. */
  readonly keyOf: (scope: Scope) => Key | null;
  /** Marks the key as used, because an element makes a message or an item. */
  readonly claim: (key: Key) => void;
  /** Returns the errors of keys, and the number of elements that were left out. */
  readonly notes: () => readonly RouteFailure[];
}

const ALWAYS: Once = { keyOf: () => ({}), claim: () => undefined, notes: () => [] };

export function onceOf({ name, once }: Route, locale: Locale): Once {
  if (once === null) return ALWAYS;
  const notes: RouteFailure[] = [];
  const known = new Set<string>();
  let repeats = 0;
  return {
    keyOf: (scope) => {
      const rendered = renderText(once, scope, locale);
      if (!rendered.ok) {
        const why = `${rendered.error}: treated as new`;
        notes.push(failure(placeOf({ name }, scope), 'once', once.source, why));
        return {};
      }
      const text = rendered.value.trim().toWellFormed();
      if (text === '') return {};
      const key = text.length > MAX_ONCE ? digestOf(text) : text;
      if (!known.has(key)) return { once: key };
      repeats += 1;
      return null;
    },
    claim: ({ once: key }) => {
      if (key !== undefined) known.add(key);
    },
    notes: () => {
      if (repeats === 0) return notes;
      // Not written like a failure: a replay of failures reads the reasons to find the routes that failed.
      const reason = `elements left out because their \`once\` value is repeated: ${repeats} (route ${name})`;
      return [
        ...notes,
        { route: name, parameter: 'once', expression: once.source, code: 'duplicate', reason },
      ];
    },
  };
}
