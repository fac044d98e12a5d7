import type { Draft, Signing } from '../../../cli/providers/sign.ts';
import type { RefusalCode } from '../../../src/signature/basics/request.ts';
import type { KeySet } from './keys.ts';

export type { Signing };

/** A request as a provider makes it. Texts only: no provider posts bytes that are not UTF-8. */
export type Webhook = Draft;

export type Algorithm = NonNullable<Signing['algorithm']>;

/** The place of the signature, token or password. */
export type Proof =
  | { readonly in: 'header'; readonly name: string }
  | { readonly in: 'query'; readonly name: string }
  /** A path in a JSON body (empty: all of it), or the name of a field of a form; `field`: that of the form which holds the JSON. */
  | { readonly in: 'body'; readonly path: string; readonly field?: string }
  /** The segment after the source. */
  | { readonly in: 'path' }
  /** A page keeps no secret: its form proves nothing. */
  | { readonly in: 'nothing' };

/** The parts of a request that the proof covers, so that none of them can be changed. */
export interface Covers {
  /** `raw`: every byte; `fields`: those of `fields`; else why another body passes. */
  readonly body: 'raw' | 'fields' | { readonly open: string };
  /** Paths in the JSON body, or names of the form's fields. */
  readonly fields?: readonly string[];
  /** Beside the time. */
  readonly headers?: readonly string[];
  readonly query?: readonly string[];
  readonly url?: boolean;
  /** Its token names the address that the provider was given; the request's own is not looked at. */
  readonly address?: boolean;
  readonly method?: boolean;
}

/** A request that names another algorithm than the provider's, or another way to the key. */
export interface OtherAlgorithm {
  readonly name: string;
  /** Signed with this hash. */
  readonly algorithm?: Algorithm;
  /** Changes the genuine request; gets the key that it was signed with. */
  readonly change?: (sent: Webhook, key: string) => Webhook | Promise<Webhook>;
  readonly reason: RefusalCode;
}

export interface Sender {
  readonly provider: string;
  /** For a provider that signs in several ways. */
  readonly variant?: string;
  readonly keys: KeySet;
  /** The `verify` of its source in place of the provider's: with the public key of the tests. */
  readonly verify?: object;
  /** What follows the source's address, where the provider signs the address. */
  readonly query?: string;
  /** True for a sample of the provider that is posted this way. Absent if all are. */
  readonly takes?: (draft: Webhook) => boolean;
  /** Adds to a sample, or takes away from it, before it is posted this way. */
  readonly adapt?: (draft: Webhook) => Webhook;
  /** Makes of a draft what the provider posts. */
  readonly send: (draft: Webhook, signing: Signing) => Promise<Webhook>;
  readonly proof: Proof;
  /** The encoding of signatures; absent: they are not bytes but a text. */
  readonly encoding?: 'hex' | 'base64' | 'base64url';
  /** True if one request can carry several signatures. */
  readonly lists?: boolean;
  /** The time before and after its own in which a request is accepted, in seconds. */
  readonly time?: {
    readonly late: number;
    readonly early: number;
    /** The header that has it; absent: it stands in the proof or the body. */
    readonly header?: string;
  };
  readonly covers: Covers;
  readonly otherAlgorithms: readonly OtherAlgorithm[];
  /** For senders of lists: what is not right in all of its elements. */
  readonly forgeries?: readonly OtherAlgorithm[];
  /** Reasons of refusal that are not those of every other sender; null: the check makes no sense here. */
  readonly reasons?: Readonly<Partial<Record<Fault, RefusalCode | null>>>;
}

/** A fault of the proof itself. */
export type Fault = 'missing' | 'empty' | 'doubled' | 'too long' | 'no id' | 'no query';

export const nameOf = ({ provider, variant }: Pick<Sender, 'provider' | 'variant'>): string =>
  variant === undefined ? provider : `${provider} (${variant})`;

/** A header's value, whatever the case of its name. */
export const headerOf = ({ headers }: Webhook, name: string): string | undefined =>
  Object.entries(headers).find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];

export const isForm = (webhook: Webhook): boolean =>
  (headerOf(webhook, 'content-type') ?? '').startsWith('application/x-www-form-urlencoded');

/** The webhook with a header; null takes it away. */
export function withHeader(webhook: Webhook, name: string, value: string | null): Webhook {
  const others = Object.entries(webhook.headers).filter(([one]) => one.toLowerCase() !== name.toLowerCase());
  return { ...webhook, headers: Object.fromEntries(value === null ? others : [...others, [name, value]]) };
}

/** The webhook with a query parameter; null takes it away. */
export function withQuery(webhook: Webhook, name: string, value: string | null): Webhook {
  const url = new URL(webhook.url);
  if (value === null) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  return { ...webhook, url: url.href };
}
