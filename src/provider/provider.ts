import type { VerifyScheme } from '../signature/scheme.ts';
import { digestOf } from '../signature/basics/match.ts';
import { holds, type Handshake } from './handshake.ts';
import type { Condition, Items, Lookup, LookupFacts } from './lookup.ts';

export const CATEGORIES = [
  'payments',
  'forms',
  'commerce',
  'messaging',
  'email',
  'crm',
  'devops',
  'alerts',
  'other',
] as const;

/**
 * The facts about a kind of source that processing a webhook needs. It is only data, of a file `providers/{id}.yaml`.
 * What is for people (setup, samples, starter routes) is in the provider's starter: `config/starter.ts`.
 */
export interface Provider {
  /** The id, as `provider:` of a source names it. */
  readonly id: string;
  readonly name: string;
  readonly category: (typeof CATEGORIES)[number];
  /** Its place among those that lists show first. */
  readonly popular?: number;
  /** Other words that people search for. */
  readonly words?: readonly string[];
  /**
   * The line that lists show for its events: Liquid, without words of any language. If it is absent, they show the
   * type.
   */
  readonly subject?: string;
  /** The verification of its requests. Null if the source needs its own `verify:`. */
  readonly verify: VerifyScheme | null;
  /** The places of `event.type`. The first one found counts. Empty if its events have no types. */
  readonly event_type: readonly Lookup[];
  /** The places of the id that a repeated delivery keeps. Empty if no event is a duplicate. */
  readonly dedupe: readonly Lookup[];
  /** Absent if the signed content has an id or a time, or if equal bodies are different events. */
  readonly signed_body?: SignedBody;
  /** For a provider that posts several events at once. */
  readonly items?: Items;
  /** For a provider that posts only a part of a list, and says so. */
  readonly left_out?: LeftOutBySender;
  /** The setting that makes its webhooks smaller, as an instruction; absent: it has none. */
  readonly size_setting?: string;
  readonly handshakes?: readonly Handshake[];
  /** The answers to an accepted event. The first whose `when` holds is sent. Default: 202 and the receipt. */
  readonly answers?: readonly Answer[];
  readonly body?: BodyQuirks;
  /**
   * For a chat: the paths of its ids in the body, with `*` for each element of a list. They are receivers as they came,
   * even where a numbering plan has no such number.
   */
  readonly chat_ids?: readonly string[];
  /** Decimals by currency code, for currencies whose minor unit it counts differently from ISO 4217. */
  readonly exponents?: Readonly<Record<string, number>>;
  /** True if its times without a zone are those of the source's `timezone`, not UTC. */
  readonly local_times?: true;
  /** True for a form on a page. A browser posts it, and the visitor sees the answer. */
  readonly form?: true;
  /** True if it accepts no answer with a body, not even a refusal (Xero's check of an address). */
  readonly bare_refusals?: true;
}

/** Paths in the body: of the list, and of the number of elements that it lacks (`count`) or would have (`total`). */
export type LeftOutBySender = { readonly list: string } & (
  { readonly count: string } | { readonly total: string }
);

/** The answer that a provider expects when its event was accepted. */
export interface Answer {
  /** All of these must hold. Absent for always. */
  readonly when?: readonly Condition[];
  readonly status: number;
  /** The exact body, and its type. Absent for the receipt as JSON, or for no body with 204. */
  readonly body?: string;
  readonly content_type?: string;
}

/** Differences between a provider's body and its Content-Type. */
export interface BodyQuirks {
  /** A form field that contains the whole payload as JSON. */
  readonly json_field?: string;
  /** Paths of texts that are base64 of UTF-8. The decoded text, or a JSON object or list in it, replaces them. */
  readonly base64_texts?: readonly string[];
  /** A body that is a JSON Web Token stands for its claims. */
  readonly token?: boolean;
  /** Paths of texts that contain JSON. A JSON object or list replaces its text. */
  readonly json_texts?: readonly string[];
}

/** A provider in lists of the API and of the command line. */
export const summaryOf = ({ id, name, category, popular, verify, words }: Provider) => ({
  id,
  name,
  category,
  // A form on a public page has the scheme `none`, which is not a signature.
  signs: verify !== null && verify.scheme !== 'none',
  ...(popular !== undefined && { popular }),
  ...(words !== undefined && { words }),
});

/**
 * For a provider that signs the body, but neither an id nor a time. Anybody who has one request could send its body
 * under any id. So the body itself is claimed, too.
 */
interface SignedBody {
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
