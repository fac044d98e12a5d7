/** The surroundings of a verification. Always passed in, so that tests can set them. */
export interface VerifyContext {
  /** ms since 1970. */
  readonly now: number;
  /** For certificates and keys, only from the hosts of their scheme. */
  readonly fetch: typeof fetch;
}
