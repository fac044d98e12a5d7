import { err } from '../../lib/result.ts';

/** The reason why a request was not accepted as its source's. */
export type RefusalCode =
  /** A header that the scheme needs is absent or empty. */
  | 'missing_header'
  /** A query parameter, body field, path token or signature parameter that the scheme needs is absent. */
  | 'missing_field'
  /** A value is there, but not in the scheme's form. */
  | 'malformed'
  /** The timestamp is further from now than the tolerance, in either direction. */
  | 'stale'
  /** Signatures are listed, but none under a key that the scheme accepts. */
  | 'unknown_key'
  /** Well formed and fresh, but made with another secret or over another request. */
  | 'mismatch'
  /** The sender cannot fix this: no secret is set, or one cannot be decoded. */
  | 'misconfigured'
  /** A server that verification needs cannot be reached: the sender should try again. */
  | 'unavailable';

/**
 * The refusal of a sender, for the admin. `detail` names headers, parameters, counts and ages; never a secret, a received
 * or an expected signature, or a piece of the body.
 */
export interface SignatureRefusal {
  readonly code: RefusalCode;
  readonly detail: string;
}

/** A refusal as a `Result`. */
export const refuse = (
  code: RefusalCode,
  detail: string,
): { readonly ok: false; readonly error: SignatureRefusal } => err({ code, detail });
