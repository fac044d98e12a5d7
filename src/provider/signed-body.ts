import { digestOf } from '../signature/basics/match.ts';
import { holds } from './handshake.ts';
import type { Condition, LookupFacts } from './lookup.ts';

/**
 * For a provider that signs the body, but neither an id nor a time. Anybody who has one request could send its body
 * under any id. So the body itself is claimed, too.
 */
export interface SignedBody {
  /** The time in which an equal body is a duplicate (ms). */
  readonly window: number;
  /**
   * Types under which the provider posts the same body several times, if the type is in a header. Each of these makes
   * an event. All other types together make one.
   */
  readonly types?: readonly string[];
  /**
   * Bodies that are known to hold something that changes, a time or a counter: all conditions of one of these lists
   * hold. No other body is claimed, since it may be posted again for another event. The conditions are only about the
   * body, since a person who sends it again could change anything else.
   */
  readonly changing: readonly (readonly BodyCondition[])[];
}

type BodyCondition = Condition & { readonly at: `body:${string}` };

/** Facts about a request with a signed body. `isJson`: it was read as JSON, which has only one reading. */
interface BodyFacts {
  readonly type: string | null;
  readonly facts: LookupFacts;
  readonly isJson: boolean;
}

/**
 * Returns the key that claims a body; null if equal bodies of this kind may be different events. `digest`: that of the
 * signed body. `changing` undefined: a source claims all bodies of a provider that says nothing of them.
 */
export function keyOfBody(
  { types = [], changing }: Partial<SignedBody>,
  digest: string,
  { type, facts, isJson }: BodyFacts,
): string | null {
  if (isJson && changing?.some((all) => all.every((condition) => holds(condition, facts))) === false)
    return null;
  return type !== null && types.includes(type) ? digestOf(`${digest}\n${type}`) : digest;
}
