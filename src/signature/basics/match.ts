import { createHash } from 'node:crypto';

/**
 * The part that a sender signs only once, if the signature does not cover every byte of the body: anyone who has
 * seen the request can send another body with it. So the signed part makes one event, whatever the rest of the request
 * says.
 */
export interface SignedOnce {
  /** Of each text that was signed, in hex: one of a request, or one of each element of a list. */
  readonly digests: readonly string[];
  /** The time from now in which such a request is still accepted, in ms; 0: for ever, since it has no time. */
  readonly freshMs: number;
}

/** The secret by which a request was verified. */
export interface Match {
  /** Its index. */
  readonly secret: number;
  /** Null: the signature covers the body, or there is none. */
  readonly once: SignedOnce | null;
}

/** A match of a request that shows a secret, or is signed as a whole. */
export const bySecret = (secret: number): Match => ({ secret, once: null });

export const digestOf = (text: string | Uint8Array): string =>
  createHash('sha256').update(text).digest('hex');

/** A time may be as far ahead as behind, so a request can be accepted for twice the tolerance (ms). */
export const freshFor = (tolerance: number | undefined): number => 2 * (tolerance ?? 0);
