/** What a signature can be about: the request as it came in, its body as the very bytes that were sent. */
export interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** The segment after the source in `/hooks/{source}/{token}`, percent-decoded. */
  readonly pathToken: string | undefined;
}
