import type * as z from 'zod';
import type { routeSchema } from '../config/schema.ts';
import type { VerifyScheme } from '../signature/scheme.ts';
import type { Handshake } from './handshake.ts';
import type { Lookup } from './lookup.ts';

/** What the project ships about a kind of source. Data only: what it means is elsewhere. */
export interface Provider {
  /** As `provider:` of a source names it. */
  readonly id: string;
  readonly name: string;
  readonly category: 'payments' | 'forms' | 'commerce' | 'messaging' | 'devops' | 'alerts' | 'other';
  /** The vendor's own page about its webhooks. */
  readonly docs_url?: string;
  /** How its requests are told from anybody else's; null: the source has to bring a `verify:` of its own. */
  readonly verify: VerifyScheme | null;
  /** Where `event.type` stands; the first that is found counts. */
  readonly event_type: readonly Lookup[];
  /** Where the id stands that stays the same when a delivery is repeated; empty: no event is a duplicate. */
  readonly dedupe: readonly Lookup[];
  readonly handshake?: Handshake;
  /** What to answer an accepted event with; without it 202. */
  readonly answer?: { readonly status: number };
  readonly samples: readonly [Sample, ...Sample[]];
  /**
   * Routes to start from; each is taken by one of the samples at least. Lists of recipients that `to` names, such as
   * `on-call`, are the tenant's to fill.
   */
  readonly routes: readonly StarterRoute[];
}

/** A request as the provider makes it, without its signature. */
export interface Sample {
  readonly name: string;
  readonly content_type: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body's text, as it is sent. */
  readonly body: string;
}

/** A route as a source document writes it. */
export type StarterRoute = Readonly<z.input<typeof routeSchema>>;

/** A sample with a JSON body. */
export function jsonSample(
  name: string,
  payload: object,
  headers: Readonly<Record<string, string>> = {},
): Sample {
  return { name, content_type: 'application/json', headers, body: JSON.stringify(payload) };
}
