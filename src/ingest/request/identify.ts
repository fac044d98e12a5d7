import type { EventReason } from '../../outbox/state/acceptance.ts';
import { createCache } from '../../lib/cache.ts';
import { type RandomBytes, newEventId } from '../../lib/id.ts';
import { keyOfItems, lookup, type LookupFacts } from '../../provider/lookup.ts';
import { keyOfBody, type Provider } from '../../provider/provider.ts';
import type { BodyFormat } from '../../signature/basics/request.ts';
import {
  credentialFields,
  credentialHeaders,
  credentialQuery,
  withoutFields,
} from '../../signature/scheme.ts';
import { renderText } from '../../template/text.ts';
import {
  eventScope,
  inItsLanguage,
  type SignedClaim,
  type VerifiedRequest,
  type WebhookEvent,
} from './event.ts';

/** An event. It is accepted without a dedupe key if that could not be made, and `dedupeFailure` says why. */
interface Identified {
  readonly event: WebhookEvent;
  readonly dedupeFailure: EventReason | null;
}

/** A longer key is not an id, and a key is stored with each event. UTF-16 units. */
export const MAX_DEDUPE_KEY = 512;
const TOO_LONG: EventReason = {
  code: 'too-long',
  message: `dedupe.key: longer than ${MAX_DEDUPE_KEY} characters`,
  params: { max: String(MAX_DEDUPE_KEY) },
};

/**
 * Gives the event its id, type and dedupe key, and drops from headers and query what must not be stored. Some senders
 * show a secret of the source in more places than the verified one.
 */
export function identify(request: VerifiedRequest, randomBytes: RandomBytes): Identified {
  const { source, facts } = request;
  const secrets = request.secrets.map(({ value }) => value);
  const type = lookup(source.provider.event_type, facts);
  const event = inItsLanguage({
    id: newEventId(request.receivedAt, randomBytes),
    source,
    type,
    receivedAt: request.receivedAt,
    dedupeKey: source.dedupe.key === null ? providersKey(source.provider, facts) : null,
    signed: signedClaim(request, type),
    payload: withoutFields(facts.payload, credentialFields(source.verify)),
    headers: withoutSecrets(storableHeaders(request), secrets),
    query: withoutSecrets(storableQuery(request), secrets),
  });
  if (source.dedupe.key === null) return { event, dedupeFailure: null };
  const rendered = renderText(source.dedupe.key, eventScope(event), source.locale);
  if (!rendered.ok)
    return { event, dedupeFailure: { code: 'template', message: `dedupe.key: ${rendered.error}` } };
  const key = rendered.value.trim();
  if (key.length > MAX_DEDUPE_KEY) return { event, dedupeFailure: TOO_LONG };
  return { event: { ...event, dedupeKey: key === '' ? null : key }, dedupeFailure: null };
}

/** Returns the event's id as its provider gives it. A list of elements with ids is identified by all of them. */
function providersKey({ dedupe, items }: Provider, facts: LookupFacts): string | null {
  const key = lookup(dedupe, facts);
  return key !== null || items === undefined ? key : keyOfItems(items, facts.payload);
}

/**
 * A signature that does not cover the body is claimed for as long as the request is accepted as fresh; a body for its
 * own time.
 */
function signedClaim(request: VerifiedRequest, type: string | null): SignedClaim | null {
  const { once, signedBody, source, facts } = request;
  const { windowMs, bodyMs } = source.dedupe;
  if (once !== null) return { digests: once.digests, windowMs: Math.max(windowMs, once.freshMs) };
  if (signedBody === null) return null;
  const { digest, format } = signedBody;
  const key = keyOfBody(source.provider.signed_body ?? {}, digest, {
    type,
    facts,
    isJson: JSON_FORMATS.has(format),
  });
  return key === null ? null : { digests: [key], windowMs: bodyMs };
}

/**
 * The Content-Type is never signed. Read as a form, for example, a JSON body has fields wherever a text in it holds
 * `&name=value`.
 */
const JSON_FORMATS: ReadonlySet<BodyFormat> = new Set(['json', 'json_in_form']);

/**
 * Names of headers and parameters that carry a credential or a signature, whatever the scheme is: an unused credential
 * is still a secret.
 */
const CREDENTIAL_NAME =
  /signature|hmac|authorization|cookie|secret|password|passwd|credential|(api|auth|access|private)[-_]?key|token$|(^|[-_])(sig|auth|jwt)$/;

/** Headers that the platform and proxies add: some contain personal data, none come from the sender. */
const TRANSPORT_NAME =
  /^(cf-.*|x-forwarded-.*|x-real-ip|true-client-ip|forwarded|via|host|connection|content-length|accept-encoding|mf-.*)$/;

/** Shorter texts are likely to be part of a value by chance. */
const MIN_SECRET_LENGTH = 6;

function withoutSecrets(
  values: Readonly<Record<string, string>>,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const findable = secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH);
  const holdsSecret = (text: string): boolean => findable.some((one) => text.includes(one));
  const entries = Object.entries(values);
  const kept = entries.filter(([name, value]) => !holdsSecret(value) && !holdsSecret(name));
  return kept.length === entries.length ? values : Object.fromEntries(kept);
}

const isReserved = (name: string): boolean => CREDENTIAL_NAME.test(name) || TRANSPORT_NAME.test(name);

/** Senders repeat the same few dozen names, and none of them is long. */
const reserved = createCache<boolean>(256);
const MAX_KNOWN_NAME = 64;

const isStorable = (name: string): boolean =>
  !(name.length > MAX_KNOWN_NAME ? isReserved(name) : reserved(name, () => isReserved(name)));

function storableHeaders({ headers, source }: VerifiedRequest): Readonly<Record<string, string>> {
  const dropped = credentialHeaders(source.verify);
  const kept: [string, string][] = [];
  // A call for each is cheaper than the platform's iterator.
  headers.forEach((value, name) => {
    if (!dropped.includes(name) && isStorable(name)) kept.push([name, value]);
  });
  return Object.fromEntries(kept);
}

function storableQuery({ url, source }: VerifiedRequest): Readonly<Record<string, string>> {
  if (url.search === '') return {};
  const dropped = new Set(credentialQuery(source.verify));
  return Object.fromEntries(
    [...url.searchParams].filter(([name]) => !dropped.has(name) && !CREDENTIAL_NAME.test(name.toLowerCase())),
  );
}
