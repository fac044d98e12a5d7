/** The surroundings of a verification. Always passed in, so that tests can set them. */
export interface VerifyContext {
  /** ms since 1970. */
  readonly now: number;
  /** For certificates and keys, from the hosts of their scheme only. */
  readonly fetch: typeof fetch;
}
