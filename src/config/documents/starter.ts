/** A starter's texts in one language, by their names. */
export type StarterTexts = Readonly<Record<string, string>>;

/**
 * The data with which a user begins with a provider, from its file: for the shipped ones `assets/providers/{id}.json`, a
 * static asset outside the Worker.
 */
export interface Starter {
  /** The vendor's own page about its webhooks. */
  readonly docs_url?: string;
  readonly confidence?: Confidence;
  readonly captured?: Captured;
  /** The name of its mark in simple-icons, if that differs from its id. */
  readonly mark?: string;
  /** The steps in the provider's settings: a few lines of Markdown. */
  readonly setup: string;
  /** A suggestion for the secret that a source names: `STRIPE_WEBHOOK_SECRET`, and where to find its value. */
  readonly secret?: { readonly name: string; readonly hint: string };
  /** Further keys of a source of this provider, such as `verify`. Not `provider`, `secrets` and `routes`. */
  readonly source?: Readonly<Record<string, unknown>>;
  /** Questions that only the owner of the provider's account can answer, by the name in `[[ask:name]]`. */
  readonly asks?: Readonly<Record<string, Question>>;
  /** In chronological order if they are about the same thing. */
  readonly samples: readonly SampleDocument[];
  /**
   * Each matches at least one of the samples. None: its events make the default message. `[[name]]` stands for a text of
   * the table: `starter-texts.ts`.
   */
  readonly routes: readonly Readonly<Record<string, unknown>>[];
  /** Routes that a new source does not have yet, each with a line about its effect. */
  readonly further?: Readonly<Record<string, string>>;
  /**
   * Routes that notify customers, which a source gets only if its owner asks for them. Each has a line about its
   * effect.
   */
  readonly customers?: Readonly<Record<string, string>>;
  /** Templates that the routes refer to. */
  readonly templates?: Readonly<Record<string, unknown>>;
  /** What `[[name]]` stands for, by language. English is always there. */
  readonly texts: Readonly<Record<string, StarterTexts>>;
  /** What a person reads in another language, by language. */
  readonly languages?: Readonly<Record<string, OtherLanguage>>;
  /** What a route is for, where its name does not say it. */
  readonly sentences?: Readonly<Record<string, string>>;
}

/** What a person reads of a provider in another language than English. */
interface OtherLanguage {
  readonly setup?: string;
  /** The place where a person finds its secret. */
  readonly hint?: string;
  /** Questions about the person's account, by their names. */
  readonly asks?: Readonly<Record<string, string>>;
  /** Names of samples, by their English ones. */
  readonly samples?: Readonly<Record<string, string>>;
  readonly sentences?: Readonly<Record<string, string>>;
}

/**
 * The protection against captured requests that are sent again under another id. `signed-id`: the id is signed, so
 * the request is a duplicate. `signed-time`: the request is refused once its time has expired. `digest`: the signed
 * content is claimed. `open`: none, since the request contains the secret, or identical bodies are different events.
 */
export const CAPTURED_KINDS = ['signed-id', 'signed-time', 'digest', 'open'] as const;

interface Captured {
  readonly kind: (typeof CAPTURED_KINDS)[number];
  /** The bodies that the provider posts again for different events, and the remaining risks. */
  readonly note?: string;
}

/** The certainty of the facts: from the vendor's documents or code, reported by others, or not confirmed. */
export const CONFIDENCE_LEVELS = ['verified', 'reported', 'unconfirmed'] as const;

interface Confidence {
  readonly level: (typeof CONFIDENCE_LEVELS)[number];
  /** The certain and the uncertain facts, in one or two sentences without links. */
  readonly note: string;
}

/** A question that `init` and the console ask. */
export interface Question {
  readonly question: string;
  readonly example: string;
  /** A regular expression for a valid answer. */
  readonly pattern: string;
}

/** A sample as its file has it: a JSON `payload`, or any `body` with its `content_type`. */
export interface SampleDocument {
  readonly name: string;
  /** The reason why it makes no message after the earlier samples. Absent if it makes one. */
  readonly silent?: string;
  /** True for what the sender's own test button posts. */
  readonly test?: true;
  /** An invented key with which the request is signed. */
  readonly secret?: string;
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

/** Converts a sample to the form in which it is posted. */
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
