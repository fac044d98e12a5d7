/** What verification needs besides the request. Always passed in, so that tests can set it. */
export interface VerifyContext {
  /** ms since 1970. */
  readonly now: number;
  /** For certificates and keys, from the hosts of their scheme only. */
  readonly fetch: typeof fetch;
}
