import { parseOwnJson } from '../lib/json.ts';
import { digestOf } from '../signature/basics/request.ts';
import { type SqlRow, Tables } from './schema.ts';
import { replaceRow } from '../lib/store.ts';

/** The time for which a pairing window is open, and for which a received key is kept for an admin. */
export const PAIRING_MS = 10 * 60_000;

/** The sender of a key. This proves nothing; a person compares it with the sender that they expect. */
export interface Offer {
  readonly at: number;
  /** The address as the platform saw it. Null if the platform gives none. */
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** `void`: two different keys came, so neither can be trusted; `wasTaken`: the first was already shown to an admin. */
export type Pairing =
  | { readonly state: 'closed' }
  | { readonly state: 'open'; readonly expiresAt: number }
  | Offered<'captured' | 'taken'>
  | (Offered<'void'> & { readonly wasTaken: boolean });

interface Offered<State> {
  readonly state: State;
  readonly expiresAt: number;
  readonly offers: readonly Offer[];
}

/** The outcome of a key that was sent. Only `kept` and `known` (the same key again) may be answered. */
export type PairingResult = 'kept' | 'known' | 'closed' | 'conflict';

interface PairingRow extends SqlRow {
  expires_at: number;
  /** The key, until it is taken or void. */
  secret: string | null;
  /** Identifies a different key even after this one was taken. Compared in its place: the time of that reveals nothing. */
  digest: string | null;
  offers: string;
  taken: number;
}

/**
 * Anyone who guesses a source's id may be faster than the provider. So a window stays open after its key came, and
 * after it was taken: a second, different key voids both. Each change is one synchronous step of the object.
 */
export class Pairings extends Tables {
  /** Opens a new window, and drops the key of an earlier one. */
  openPairing(source: string, now: number): Pairing {
    this.sweep(now);
    const expiresAt = now + PAIRING_MS;
    replaceRow(this.sql, 'pairing_windows', { source, expires_at: expiresAt });
    return { state: 'open', expiresAt };
  }

  lookAtPairing(source: string, now: number): Pairing {
    const row = this.#row(source, now);
    return row === null ? { state: 'closed' } : pairingOf(row);
  }

  /** Returns the received key, and deletes it in the same step. Null if there is none to take. */
  takePairing(source: string, now: number) {
    const row = this.#row(source, now);
    if (row === null || row.secret === null)
      return { secret: null, pairing: this.lookAtPairing(source, now) } as const;
    this.sql.exec('UPDATE pairing_windows SET secret = NULL, taken = 1 WHERE source = ?', source);
    const { secret, expires_at: expiresAt } = row;
    return { secret, pairing: { state: 'taken', expiresAt, offers: offersOf(row) } } as const;
  }

  closePairing(source: string): void {
    this.sql.exec('DELETE FROM pairing_windows WHERE source = ?', source);
  }

  capturePairing(source: string, key: string, offer: Offer): PairingResult {
    const digest = digestOf(key);
    this.sweep(offer.at);
    const row = this.#row(source, offer.at);
    if (row === null) return 'closed';
    const offers = offersOf(row);
    if (offers.length > 1) return 'conflict';
    if (row.digest === digest) return 'known';
    const isFirst = row.digest === null;
    this.sql.exec(
      'UPDATE pairing_windows SET secret = ?, digest = ?, offers = ?, expires_at = ? WHERE source = ?',
      isFirst ? key : null,
      isFirst ? digest : null,
      JSON.stringify([...offers, offer]),
      offer.at + PAIRING_MS,
      source,
    );
    return isFirst ? 'kept' : 'conflict';
  }

  sweep(now: number): void {
    this.sql.exec('DELETE FROM pairing_windows WHERE expires_at <= ?', now);
  }

  #row(source: string, now: number): PairingRow | null {
    const query = 'SELECT * FROM pairing_windows WHERE source = ? AND expires_at > ?';
    return this.row<PairingRow>(query, source, now) ?? null;
  }
}

const offersOf = ({ offers }: PairingRow): readonly Offer[] => parseOwnJson<readonly Offer[]>(offers);

function pairingOf(row: PairingRow): Pairing {
  const expiresAt = row.expires_at;
  const offers = offersOf(row);
  const wasTaken = row.taken === 1;
  if (offers.length === 0) return { state: 'open', expiresAt };
  if (offers.length > 1) return { state: 'void', expiresAt, offers, wasTaken };
  return { state: wasTaken ? 'taken' : 'captured', expiresAt, offers };
}
