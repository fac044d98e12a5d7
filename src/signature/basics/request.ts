import type { Result } from '../../lib/result.ts';

/** The format of a parsed body. `json_in_form`: a form or multipart with the whole payload as JSON in one field. */
export type BodyFormat = 'json' | 'form' | 'json_in_form' | 'multipart' | 'xml' | 'text';

/** A body parsed by its Content-Type, which is never signed. */
export interface ParsedBody {
  readonly format: BodyFormat;
  /** As it was sent. */
  readonly sent: unknown;
  /** As templates see it: `sent`, with texts that contain JSON decoded, if the provider has such texts. */
  readonly payload: unknown;
}

/** The parts that a signature can cover: the request as it came in, and its body as the exact bytes. */
export interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  /** The same as it was sent, which may have fewer escapes than `url`. Absent if that is not known. */
  readonly sentUrl?: string;
  /** The address that the sender has, if it is not the request's own: the source's `url`. */
  readonly registeredUrl: string | null;
  readonly headers: Headers;
  /** The bytes to verify, hash and compare as a whole. Only `parsed` gives their content. */
  readonly body: Uint8Array;
  /**
   * The body, parsed once for verification and for templates. If verification parsed by other rules, a sender could
   * show one token to verification and another to templates.
   */
  readonly parsed: () => Promise<Result<ParsedBody, { readonly detail: string }>>;
  /** The segment after the source in `/hooks/{source}/{token}`, percent-decoded. */
  readonly pathToken: string | undefined;
}
