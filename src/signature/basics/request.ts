import type { Result } from '../../lib/result.ts';

/** What a body was read as. `json_in_form`: a form or multipart with the whole payload as JSON in one field. */
export type BodyFormat = 'json' | 'form' | 'json_in_form' | 'multipart' | 'xml' | 'text';

/** A body once it is read by its Content-Type, which nobody signs. */
export interface ParsedBody {
  readonly format: BodyFormat;
  /** As it was sent. */
  readonly sent: unknown;
  /** As templates see it: `sent`, with the texts that hold JSON decoded where the provider has such. */
  readonly payload: unknown;
}

/** What a signature can be about: the request as it came in, its body as the very bytes that were sent. */
export interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  /** The address as the sender has it, when that is not the request's own: the source's `url`. */
  readonly registeredUrl: string | null;
  readonly headers: Headers;
  /** To be signed, hashed and compared as a whole. What it says is read from `parsed` and nowhere else. */
  readonly body: Uint8Array;
  /**
   * The body, parsed once for verification and for templates. Were verification to parse by rules of its own, a sender
   * could show it one token and the rest of the trip another.
   */
  readonly parsed: () => Promise<Result<ParsedBody, { readonly detail: string }>>;
  /** The segment after the source in `/hooks/{source}/{token}`, percent-decoded. */
  readonly pathToken: string | undefined;
}
