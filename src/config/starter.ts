/**
 * What a user needs to begin with a provider: `assets/providers/{id}.json`, a static asset and no part of the Worker.
 * Checked by `starter-schema.ts` in the tests, and trusted where it is read.
 */
export interface Starter {
  /** The vendor's own page about its webhooks. */
  readonly docs_url?: string;
  readonly confidence: Confidence;
  /** What to click in the provider's settings: a few lines of Markdown. */
  readonly setup: string;
  /** The secret that a source names, as a suggestion: `STRIPE_WEBHOOK_SECRET`, and where its value comes from. */
  readonly secret?: { readonly name: string; readonly hint: string };
  /** What a source of this provider has besides `provider`, `secrets` and `routes`, such as `verify`. */
  readonly source?: Readonly<Record<string, unknown>>;
  readonly samples: readonly [SampleDocument, ...SampleDocument[]];
  /** Each matches one of the samples at least. */
  readonly routes: readonly Readonly<Record<string, unknown>>[];
  /** Templates that the routes name. */
  readonly templates?: Readonly<Record<string, unknown>>;
}

/** How sure the facts are: read in the vendor's documents or code; reported by others; not confirmed. */
interface Confidence {
  readonly level: 'verified' | 'reported' | 'unconfirmed';
  /** What is sure and what is not, in a sentence or two, without links. */
  readonly note: string;
}

/** A sample as its file has it: a JSON `payload`, or any `body` with its `content_type`. */
export interface SampleDocument {
  readonly name: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly payload?: unknown;
  readonly content_type?: string;
  readonly body?: string;
}

/** A request as the provider sends it, without its signature. */
export interface Sample {
  readonly name: string;
  readonly content_type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The body's text, as it is sent. */
  readonly body: string;
}

/** A sample as it is posted. */
export const sampleOf = ({ name, headers, query, payload, content_type, body }: SampleDocument): Sample => ({
  name,
  content_type: content_type ?? 'application/json',
  headers: headers ?? {},
  query: query ?? {},
  body: body ?? JSON.stringify(payload),
});
