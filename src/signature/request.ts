import type { Result } from '../lib/result.ts';

/** What a signature can be about: the request as it came in, its body as the very bytes that were sent. */
export interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  /** The address as the sender has it, when that is not the request's own: the source's `url`. */
  readonly registeredUrl: string | null;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /**
   * The body as templates will see it, parsed once. What verification reads of the body it reads here: were it to parse
   * by rules of its own, a sender could show it one token and the rest of the trip another.
   */
  readonly payload: () => Promise<Result<unknown, { readonly detail: string }>>;
  /** The segment after the source in `/hooks/{source}/{token}`, percent-decoded. */
  readonly pathToken: string | undefined;
}
