import type { EventReason } from '../../outbox/state/acceptance.ts';
import type { SignedOnce, BodyFormat, ParsedBody, SignedRequest } from '../../signature/basics/request.ts';
import { type Source, inLanguage, subjectOf as subjectOfSource } from '../../config/compiled/config.ts';
import type { NamedSecret } from '../../config/secrets/named-secrets.ts';
import type { HandshakeFacts } from '../../provider/handshake.ts';
import type { Result } from '../../lib/result.ts';
import { localeIn } from '../../template/basics/locale.ts';
import { glimpse } from '../../template/basics/print.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { renderText, lineOf } from '../../template/text.ts';
import type { ParseRefusal } from '../parse/text.ts';
import { iso } from '../../lib/time.ts';
import { type RandomBytes, newEventId } from '../../lib/id.ts';
import { keyOfItems, lookup } from '../../provider/lookup.ts';
import { keyOfBody } from '../../provider/provider.ts';
import {
  credentialFields,
  credentialHeaders,
  credentialQuery,
  withoutFields,
} from '../../signature/scheme.ts';

/** A request's origin and time of arrival, and everything it contains besides its body. */
export interface Arrival extends Omit<SignedRequest, 'body' | 'parsed'> {
  readonly source: Source;
  /** The source's secrets that are set; one may be absent while a rotation is half done. */
  readonly secrets: readonly NamedSecret[];
  readonly receivedAt: number;
}

/** Where a provider's places are looked up. `payload`: undefined before the body is parsed. */
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

/** Only `verify.ts` makes one. It has no bytes to parse another payload from, so only what is verified is used. */
export type VerifiedRequest = Arrival & {
  readonly [verified]: true;
  /** The name of the secret that the request was verified with; null if the scheme has none. */
  readonly verifiedBy: string | null;
  readonly facts: HandshakeFacts;
  readonly once: SignedOnce | null;
  /** The body, if it is signed as a whole and may make only one event; null if this does not apply. */
  readonly signedBody: { readonly digest: string; readonly format: BodyFormat } | null;
};

/** One verified webhook with its body parsed, identified by an id. */
export interface WebhookEvent {
  readonly id: string;
  readonly source: Source;
  readonly type: string | null;
  readonly receivedAt: number;
  readonly dedupeKey: string | null;
  /** A signed body makes only one event in this time (ms), whatever its id is. Digests in hex: of it, or of each signed text. */
  readonly signed: { readonly digests: readonly string[]; readonly windowMs: number } | null;
  readonly payload: unknown;
  /** Lower-case names; signatures, credentials and the platform's own headers are left out. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Says that it names no language that is known; absent: it does, or its source asks for none. */
  readonly languageNote?: EventReason;
}

export const eventScope = ({ id, type, source, ...event }: WebhookEvent): Scope => ({
  payload: event.payload,
  event: {
    id,
    type,
    source: source.id,
    received_at: iso(event.receivedAt),
    dedupe_key: event.dedupeKey,
    ...(source.language !== null && { locale: source.locale.locale }),
  },
  headers: event.headers,
  query: event.query,
});

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

/** An event. It is accepted without a dedupe key if that could not be made, and `dedupeFailure` says why. */
type Identified = Readonly<{ event: WebhookEvent; dedupeFailure: EventReason | null }>;

/** A longer key is not an id, and a key is stored with each event. UTF-16 units. */
const MAX_DEDUPE_KEY = 512;
const TOO_LONG: EventReason = {
  code: 'too-long',
  message: `dedupe.key: longer than ${MAX_DEDUPE_KEY} characters`,
  params: { max: String(MAX_DEDUPE_KEY) },
};

/** Drops what must not be stored: some senders show a secret in more places than the verified one. */
export function identify(request: VerifiedRequest, randomBytes: RandomBytes): Identified {
  const { source, facts } = request;
  const { event_type, dedupe, items } = source.provider;
  const type = lookup(event_type, facts);
  // A list of elements with ids is identified by all of them.
  const idOf = () => lookup(dedupe, facts) ?? (items === undefined ? null : keyOfItems(items, facts.payload));
  const event = inItsLanguage({
    id: newEventId(request.receivedAt, randomBytes),
    source,
    type,
    receivedAt: request.receivedAt,
    dedupeKey: source.dedupe.key === null ? idOf() : null,
    signed: signedClaim(request, type),
    payload: withoutFields(facts.payload, credentialFields(source.verify)),
    ...storable(request),
  });
  if (source.dedupe.key === null) return { event, dedupeFailure: null };
  const rendered = renderText(source.dedupe.key, eventScope(event), source.locale);
  if (!rendered.ok)
    return { event, dedupeFailure: { code: 'template', message: `dedupe.key: ${rendered.error}` } };
  const key = rendered.value.trim();
  if (key.length > MAX_DEDUPE_KEY) return { event, dedupeFailure: TOO_LONG };
  return { event: { ...event, dedupeKey: key || null }, dedupeFailure: null };
}

/** A signature that does not cover the body is claimed as long as it is fresh; a body for its own time. */
function signedClaim(request: VerifiedRequest, type: string | null): WebhookEvent['signed'] {
  const { once, signedBody, source, facts } = request;
  const { windowMs, bodyMs } = source.dedupe;
  if (once !== null) return { digests: once.digests, windowMs: Math.max(windowMs, once.freshMs) };
  if (signedBody === null) return null;
  const { digest, format } = signedBody;
  // The Content-Type is never signed, and read as a form, a JSON body has fields wherever a text holds `&name=value`.
  const isJson = format === 'json' || format === 'json_in_form';
  const key = keyOfBody(source.provider.signed_body ?? {}, digest, { type, facts, isJson });
  return key === null ? null : { digests: [key], windowMs: bodyMs };
}

/** Names that carry a credential or a signature, whatever the scheme: an unused credential is still a secret. */
const CREDENTIAL_NAME =
  /signature|hmac|authorization|cookie|secret|password|passwd|credential|(api|auth|access|private)[-_]?key|token$|(^|[-_])(sig|auth|jwt)$/;

/** Headers that the platform and proxies add: some contain personal data, none come from the sender. */
const TRANSPORT_NAME =
  /^(cf-.*|x-forwarded-.*|x-real-ip|true-client-ip|forwarded|via|host|connection|content-length|accept-encoding|mf-.*)$/;

/** Shorter texts are likely to be part of a value by chance. */
const MIN_SECRET_LENGTH = 6;

/** The headers and the query without what must not be stored. */
function storable({ headers, url, source, secrets }: VerifiedRequest) {
  const findable = secrets.flatMap(({ value }) => (value.length < MIN_SECRET_LENGTH ? [] : [value]));
  const isStorable = (name: string, value: string, dropped: readonly string[]): boolean =>
    !dropped.includes(name) &&
    !CREDENTIAL_NAME.test(name.toLowerCase()) &&
    !findable.some((secret) => value.includes(secret) || name.includes(secret));
  const dropped = credentialHeaders(source.verify);
  const kept: [string, string][] = [];
  // A call for each is cheaper than the platform's iterator.
  headers.forEach((value, name) => {
    if (!TRANSPORT_NAME.test(name) && isStorable(name, value, dropped)) kept.push([name, value]);
  });
  const query = url.search === '' ? {} : Object.fromEntries(url.searchParams);
  const inSecret = credentialQuery(source.verify);
  const inQuery = Object.entries(query).filter(([name, value]) => isStorable(name, value, inSecret));
  return { headers: Object.fromEntries(kept), query: Object.fromEntries(inQuery) };
}
