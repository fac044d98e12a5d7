import type { VerifyScheme } from '../signature/scheme.ts';
import type { Handshake } from './handshake.ts';
import type { Condition, Lookup } from './lookup.ts';
import type { SignedBody } from './signed-body.ts';

type Category =
  'payments' | 'forms' | 'commerce' | 'messaging' | 'email' | 'crm' | 'devops' | 'alerts' | 'other';

/**
 * Facts about a kind of source that the trip of a webhook needs. Data only, without behaviour. Texts for people (setup,
 * samples, starter routes) are in the provider's starter, which is not part of the Worker: `starter.ts`.
 */
export interface Provider {
  /** As `provider:` of a source names it. */
  readonly id: string;
  readonly name: string;
  readonly category: Category;
  /** Other words by which people look for it. */
  readonly words?: readonly string[];
  /** The line by which lists show its events: Liquid, in no particular language. Absent: they show the type. */
  readonly subject?: string;
  /** The verification of its requests; null: the source needs its own `verify:`. */
  readonly verify: VerifyScheme | null;
  /** The places of `event.type`; the first that is found counts. Empty: its events have no types. */
  readonly event_type: readonly Lookup[];
  /** The places of the id that stays the same when a delivery is repeated; empty: no event is a duplicate. */
  readonly dedupe: readonly Lookup[];
  /** Absent: what is signed has an id or a time, or equal bodies are different events. */
  readonly signed_body?: SignedBody;
  /** For a provider that posts several events at once. */
  readonly items?: Items;
  readonly handshakes?: readonly Handshake[];
  /** The answer to an accepted event: the first whose `when` fits. Default: 202 and the receipt. */
  readonly answers?: readonly Answer[];
  readonly body?: BodyQuirks;
  /** The decimals of currencies whose minor unit it counts otherwise than ISO 4217, by their codes. */
  readonly exponents?: Readonly<Record<string, number>>;
  /** It is a form on a page: a browser posts it, and its visitor sees the answer. */
  readonly form?: true;
  /** It takes no answer with a body, not even to what is refused (Xero's check of an address). */
  readonly bare_refusals?: true;
}

/** A list in the body whose elements are separate events. */
export interface Items {
  /** The path of the list; empty: the body is the list. `entry.*.changes`: the lists of all entries, as one. */
  readonly at: string;
  /**
   * The id of one element: paths in it (`body:sg_event_id`). An element whose id was seen before makes no messages, so
   * that a batch that is composed again for another try repeats none. Empty: elements have no ids.
   */
  readonly id: readonly Lookup[];
}

/** The answer that a provider wants when its event was accepted. */
export interface Answer {
  /** All of these have to hold; absent: always. */
  readonly when?: readonly Condition[];
  readonly status: number;
  /** The exact body, and its type; absent: the receipt as JSON, or nothing with 204. */
  readonly body?: string;
  readonly content_type?: string;
}

/** Differences between a provider's body and its Content-Type. */
export interface BodyQuirks {
  /** Media types under which this provider sends JSON, such as `text/plain`. */
  readonly json_types?: readonly string[];
  /** A form field that holds the whole payload as JSON. */
  readonly json_field?: string;
  /** Paths of texts that are base64 of UTF-8; the text inside, or a JSON object or list in it, replaces them. */
  readonly base64_texts?: readonly string[];
  /** Paths of texts that hold JSON; a JSON object or list replaces its text. */
  readonly json_texts?: readonly string[];
}
