/**
 * What a user needs to begin with a provider: `assets/providers/{id}.json`, a static asset and no part of the Worker.
 * Checked by `starter-schema.ts` in the tests, and trusted where it is read.
 */
export interface Starter {
  /** The vendor's own page about its webhooks. */
  readonly docs_url?: string;
  readonly confidence: Confidence;
  readonly captured: Captured;
  /** What to click in the provider's settings: a few lines of Markdown. */
  readonly setup: string;
  /** The secret that a source names, as a suggestion: `STRIPE_WEBHOOK_SECRET`, and where its value comes from. */
  readonly secret?: { readonly name: string; readonly hint: string };
  /** What a source of this provider has besides `provider`, `secrets` and `routes`, such as `verify`. */
  readonly source?: Readonly<Record<string, unknown>>;
  /** What only the owner of an account there knows, by the name that `[[ask:name]]` stands for. */
  readonly asks?: Readonly<Record<string, Question>>;
  /** In the order of time where they are about one thing. */
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
 * What keeps somebody who has one of its requests from making another event of it, by another id beside it: `signed-id`,
 * the id is signed, so it is a duplicate; `signed-time`: it is refused once its time is over; `digest`: what is signed
 * is claimed; `open`: nothing does, since the request shows the secret, or equal bodies are different events.
 */
export const CAPTURED_KINDS = ['signed-id', 'signed-time', 'digest', 'open'] as const;

interface Captured {
  readonly kind: (typeof CAPTURED_KINDS)[number];
  /** Which bodies it really posts again, and what remains possible. */
  readonly note?: string;
}

/** How sure the facts are: read in the vendor's documents or code; reported by others; not confirmed. */
interface Confidence {
  readonly level: 'verified' | 'reported' | 'unconfirmed';
  /** What is sure and what is not, in a sentence or two, without links. */
  readonly note: string;
}

/** What `init` and the console ask for. */
export interface Question {
  readonly question: string;
  readonly example: string;
  /** What an answer looks like, as a regular expression. */
  readonly pattern: string;
}

/** A sample as its file has it: a JSON `payload`, or any `body` with its `content_type`. */
export interface SampleDocument {
  readonly name: string;
  /** Why it makes no message after the samples before it; absent: it makes one. */
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
