import type { Answered } from '../../schema/api-parts.ts';
import type { ProviderDocument } from './provider-schema.ts';
import type { StarterTexts, Wording } from './starter-texts.ts';

type File = Answered<ProviderDocument>;
type German = NonNullable<File['de']>;

/** What a user begins with, from the provider's file. Those of shipped ones are assets outside the Worker. */
export interface Starter extends Wording, Pick<File, KeptKey> {
  readonly docs_url?: string;
  readonly setup: string;
  readonly samples: readonly SampleDocument[];
  /** What `[[name]]` stands for, by language. English is always there. */
  readonly texts: Readonly<Record<string, StarterTexts>>;
  /** What a person reads in another language, by language. */
  readonly languages?: Readonly<
    Record<string, Omit<German, 'routes' | 'setup' | 'texts'> & { readonly setup?: string }>
  >;
}

type KeptKey = 'confidence' | 'captured' | 'mark' | 'secret' | 'asks' | 'further' | 'customers' | 'sentences';

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
  readonly body: string;
}

export function sampleOf({ name, silent, headers = {}, query = {}, ...sample }: SampleDocument): Sample {
  const { content_type = 'application/json', body = JSON.stringify(sample.payload) } = sample;
  return { name, ...(silent !== undefined && { silent }), content_type, headers, query, body };
}
