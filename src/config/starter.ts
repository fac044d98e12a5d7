/**
 * The data that a user needs to begin with a provider: `assets/providers/{id}.json`, a static asset outside the
 * Worker. `test/conformance/starter-schema.ts` checks it; it is trusted where it is read.
 */
export interface Starter {
  /** The vendor's own page about its webhooks. */
  readonly docs_url?: string;
  readonly confidence: Confidence;
  readonly captured: Captured;
  /** The steps in the provider's settings: a few lines of Markdown. */
  readonly setup: string;
  /** The secret that a source names, as a suggestion: `STRIPE_WEBHOOK_SECRET`, and where its value comes from. */
  readonly secret?: { readonly name: string; readonly hint: string };
  /** Keys of a source of this provider besides `provider`, `secrets` and `routes`, such as `verify`. */
  readonly source?: Readonly<Record<string, unknown>>;
  /** Questions that only the owner of an account there can answer, by the name that `[[ask:name]]` stands for. */
  readonly asks?: Readonly<Record<string, Question>>;
  /** In chronological order where they are about one thing. */
  readonly samples: readonly [SampleDocument, ...SampleDocument[]];
  /** Each matches one of the samples at least. `[[name]]` stands for a text of the table: `starter-texts.ts`. */
  readonly routes: readonly Readonly<Record<string, unknown>>[];
  /** The routes that a source begins without, and what each would do, in a line. */
  readonly further?: Readonly<Record<string, string>>;
  /** The routes that go to customers, who are notified only if their owner says so; and what each would do. */
  readonly customers?: Readonly<Record<string, string>>;
  /** Templates that the routes name. */
  readonly templates?: Readonly<Record<string, unknown>>;
}

/**
 * The protection against captured requests that are sent again under another id. `signed-id`: the id is signed, so
 * the request is a duplicate. `signed-time`: the request is refused once its time has expired. `digest`: the signed
 * content is claimed. `open`: none, since the request contains the secret, or identical bodies are different events.
 */
export const CAPTURED_KINDS = ['signed-id', 'signed-time', 'digest', 'open'] as const;

interface Captured {
  readonly kind: (typeof CAPTURED_KINDS)[number];
  /** The bodies that the provider really posts again, and the remaining risks. */
  readonly note?: string;
}

/** The certainty of the facts: from the vendor's documents or code; reported by others; not confirmed. */
interface Confidence {
  readonly level: 'verified' | 'reported' | 'unconfirmed';
  /** The certain and the uncertain facts, in a sentence or two, without links. */
  readonly note: string;
}

/** A question that `init` and the console ask. */
export interface Question {
  readonly question: string;
  readonly example: string;
  /** The form of an answer, as a regular expression. */
  readonly pattern: string;
}

/** A sample as its file has it: a JSON `payload`, or any `body` with its `content_type`. */
export interface SampleDocument {
  readonly name: string;
  /** Why it makes no message after the earlier samples; absent: it makes one. */
  readonly silent?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly payload?: unknown;
  readonly content_type?: string;
  readonly body?: string;
}

/** A request as the provider sends it, without its signature. */
export interface Sample {
  readonly name: string;
  readonly silent?: string;
  readonly content_type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The body's text, as it is sent. */
  readonly body: string;
}

/** A sample as it is posted. */
export const sampleOf = ({
  name,
  silent,
  headers,
  query,
  payload,
  content_type,
  body,
}: SampleDocument): Sample => ({
  name,
  ...(silent !== undefined && { silent }),
  content_type: content_type ?? 'application/json',
  headers: headers ?? {},
  query: query ?? {},
  body: body ?? JSON.stringify(payload),
});
