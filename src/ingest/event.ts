import type { SignedRequest } from '../signature/request.ts';
import type { Source } from '../config/config.ts';
import type { Result } from '../lib/result.ts';
import type { Scope } from '../template/scope.ts';
import type { ParseRefusal } from './parse-refusal.ts';

/** A request for a source that exists, its body read to the end and under the cap. Nothing in it is known to be true. */
export interface RawRequest extends SignedRequest {
  readonly source: Source;
  readonly payload: () => Promise<Result<unknown, ParseRefusal>>;
  /** ms since the epoch. */
  readonly receivedAt: number;
}

declare const verified: unique symbol;

/** A request whose sender has shown the source's secret. Only `verify.ts` makes one. */
export type VerifiedRequest = RawRequest & {
  readonly [verified]: true;
  /** The name of the secret that it was verified with; null: the scheme has none. */
  readonly verifiedBy: string | null;
};

/** One verified webhook with its body parsed, known by an id. */
export interface WebhookEvent {
  readonly id: string;
  readonly source: Source;
  readonly type: string | null;
  readonly receivedAt: number;
  readonly dedupeKey: string | null;
  readonly payload: unknown;
  /** Lower-case names; signatures, credentials and the platform's own headers are left out. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** What an event's templates can see. */
export function eventScope(event: WebhookEvent): Scope {
  return {
    payload: event.payload,
    event: {
      id: event.id,
      type: event.type,
      source: event.source.id,
      received_at: new Date(event.receivedAt).toISOString(),
      dedupe_key: event.dedupeKey,
    },
    headers: event.headers,
    query: event.query,
  };
}
