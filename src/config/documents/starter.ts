import type { Answered } from '../../schema/api-parts.ts';
import type { ProviderDocument } from './provider-schema.ts';
import type { StarterTexts, Wording } from './starter-texts.ts';

type File = Answered<ProviderDocument>;
type German = NonNullable<File['de']>;

/**
 * The data with which a user begins with a provider, from its file: for the shipped ones `assets/providers/{id}.json`, a
 * static asset outside the Worker.
 */
export interface Starter extends Wording, Pick<File, KeptKey> {
  /** The vendor's own page about its webhooks. */
  readonly docs_url?: string;
  /** The steps in the provider's settings: a few lines of Markdown. */
  readonly setup: string;
  /** In chronological order if they are about the same thing. */
  readonly samples: readonly SampleDocument[];
  /** What `[[name]]` stands for, by language. English is always there. */
  readonly texts: Readonly<Record<string, StarterTexts>>;
  /** What a person reads in another language, by language. */
  readonly languages?: Readonly<
    Record<string, Omit<German, 'routes' | 'setup' | 'texts'> & { readonly setup?: string }>
  >;
}

/** What a starter has as its file says it. */
type KeptKey = 'confidence' | 'captured' | 'mark' | 'secret' | 'asks' | 'further' | 'customers' | 'sentences';

/** A question that `init` and the console ask. */
export type Question = NonNullable<File['asks']>[string];

/** A sample as its file has it: a JSON `payload`, or any `body` with its `content_type`. */
export interface SampleDocument extends Omit<File['samples'][string], 'body'> {
  readonly name: string;
  readonly payload?: unknown;
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
