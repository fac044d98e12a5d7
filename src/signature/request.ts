/** What a signature can be about: the request as it came in, its body as the very bytes that were sent. */
export interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  /** The address as the sender has it, when that is not the request's own: the source's `url`. */
  readonly registeredUrl: string | null;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** The segment after the source in `/hooks/{source}/{token}`, percent-decoded. */
  readonly pathToken: string | undefined;
}
