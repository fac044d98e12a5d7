/** What verification needs beside the request: never taken from the surroundings, so that tests can say what it is. */
export interface VerifyContext {
  /** ms since 1970. */
  readonly now: number;
  /** For certificates, from the hosts of their scheme only. */
  readonly fetch: typeof fetch;
}
