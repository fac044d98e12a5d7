import { digestOf } from '../signature/basics/match.ts';
import { holds } from './handshake.ts';
import type { Condition, LookupFacts } from './lookup.ts';

/**
 * For a provider that signs the body, but neither an id nor a time: whoever has one request could send its body under
 * any id. So the body itself is claimed, too.
 */
export interface SignedBody {
  /** The time for which an equal body is a duplicate, in ms. */
  readonly window: number;
  /**
   * Types under which it posts one body several times, when the type is in a header: each makes an event. All others
   * together make one.
   */
  readonly types?: readonly string[];
  /**
   * Bodies that it really posts again, for different events: all conditions of one of these lists hold. Only of places
   * in the body: whoever sends it again could change any other.
   */
  readonly repeats?: readonly (readonly BodyCondition[])[];
}

type BodyCondition = Condition & { readonly at: `body:${string}` };

/** Facts about a request with a signed body. `isJson`: it was read as JSON, in the one way that there is. */
interface BodyFacts {
  readonly type: string | null;
  readonly facts: LookupFacts;
  readonly isJson: boolean;
}

/** Returns the key that claims a body; null: equal bodies of this kind are different events. `digest`: of the signed body. */
export function keyOfBody(
  { types = [], repeats = [] }: Pick<SignedBody, 'types' | 'repeats'>,
  digest: string,
  { type, facts, isJson }: BodyFacts,
): string | null {
  if (isJson && repeats.some((all) => all.every((condition) => holds(condition, facts)))) return null;
  return type !== null && types.includes(type) ? digestOf(`${digest}\n${type}`) : digest;
}
