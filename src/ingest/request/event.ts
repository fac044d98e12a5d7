import type { EventReason } from '../../outbox/state/acceptance.ts';
import type { SignedOnce } from '../../signature/basics/match.ts';
import type { BodyFormat, ParsedBody, SignedRequest } from '../../signature/basics/request.ts';
import { type Source, inLanguage, subjectOf as subjectOfSource } from '../../config/compiled/config.ts';
import type { NamedSecret } from '../../config/secrets/named-secrets.ts';
import type { HandshakeFacts } from '../../provider/handshake.ts';
import type { Result } from '../../lib/result.ts';
import { localeIn } from '../../template/basics/locale.ts';
import { glimpse } from '../../template/basics/print.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { renderText, lineOf } from '../../template/text.ts';
import type { ParseRefusal } from '../parse/text.ts';

/** A request's origin and time of arrival, and everything it contains besides its body. */
export interface Arrival extends Omit<SignedRequest, 'body' | 'parsed'> {
  readonly source: Source;
  /** The source's secrets that are set; one may be absent while a rotation is half done. */
  readonly secrets: readonly NamedSecret[];
  /** ms since the epoch. */
  readonly receivedAt: number;
}

/**
 * Returns the parts of a request in which a provider's places are looked up. `payload` is undefined before the body is
 * parsed.
 */
export const factsOf = ({ method, headers, url }: Arrival, payload: unknown): HandshakeFacts => ({
  method,
  headers,
  // Made when it is needed: hardly any provider looks up a place in the query.
  get query() {
    return url.searchParams;
  },
  payload,
});

/** A request for a source that exists, with its body read to the end and under the cap. Nothing in it is verified. */
export interface RawRequest extends Arrival, SignedRequest {
  /** The body as it was sent, if that was compressed. Its sender may have signed either. */
  readonly compressed?: Uint8Array | undefined;
  readonly parsed: () => Promise<Result<ParsedBody, ParseRefusal>>;
}

declare const verified: unique symbol;

/**
 * A request whose sender has shown the source's secret. Only `verify.ts` makes one. It has the verified payload, and no
 * bytes to parse another one from, so only what is verified is used.
 */
export type VerifiedRequest = Arrival & {
  readonly [verified]: true;
  /** The name of the secret that the request was verified with; null if the scheme has none. */
  readonly verifiedBy: string | null;
  readonly facts: HandshakeFacts;
  /** The signed content that makes only one event; null if there is none. */
  readonly once: SignedOnce | null;
  /** The body, if it is signed as a whole and may make only one event; null if this does not apply. */
  readonly signedBody: { readonly digest: string; readonly format: BodyFormat } | null;
};

/** A signed body makes only one event in this time (ms), whatever its id is. */
export interface SignedClaim {
  /** In hex: the digest of the body, or of each text that was signed. */
  readonly digests: readonly string[];
  readonly windowMs: number;
}

/** One verified webhook with its body parsed, identified by an id. */
export interface WebhookEvent {
  readonly id: string;
  readonly source: Source;
  readonly type: string | null;
  readonly receivedAt: number;
  readonly dedupeKey: string | null;
  readonly signed: SignedClaim | null;
  readonly payload: unknown;
  /** Lower-case names; signatures, credentials and the platform's own headers are left out. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Says that it names no language that is known; absent: it does, or its source asks for none. */
  readonly languageNote?: EventReason;
}

let last = { ms: 0, text: '' };

/** Each route of an event needs the same time again. */
function isoTime(ms: number): string {
  if (last.ms !== ms || last.text === '') last = { ms, text: new Date(ms).toISOString() };
  return last.text;
}

export function eventScope(event: WebhookEvent): Scope {
  return {
    payload: event.payload,
    event: {
      id: event.id,
      type: event.type,
      source: event.source.id,
      received_at: isoTime(event.receivedAt),
      dedupe_key: event.dedupeKey,
      ...(event.source.language !== null && { locale: event.source.locale.locale }),
    },
    headers: event.headers,
    query: event.query,
  };
}

/** Returns the event with its source in the language that the event names; in the source's own if it names none. */
export function inItsLanguage(event: WebhookEvent): WebhookEvent {
  const { source } = event;
  if (source.language === null) return event;
  const named = renderText(source.language, eventScope(event), source.locale);
  const locale = localeIn(named.ok ? named.value : null);
  if (locale !== null) return { ...event, source: inLanguage(source, locale) };
  const why = named.ok ? `${glimpse(named.value)} is no language` : named.error;
  const { locale: own } = source.locale;
  const message = `locale: ${why}, so it is ${own}`;
  return { ...event, languageNote: { code: 'other-language', message, params: { locale: own } } };
}

/** Returns the line by which lists show the event. Null if there is none; the event is accepted all the same. */
export function subjectOf(event: WebhookEvent): string | null {
  const subject = subjectOfSource(event.source);
  return subject === null ? null : lineOf(subject, eventScope(event), event.source.locale);
}
