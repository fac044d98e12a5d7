import { ownValue } from '../lib/json.ts';
import { lookupPlace, type Condition, type LookupFacts, type LookupPlace } from './lookup.ts';

/** A request by which a provider checks an address before it uses it, and the expected answer. */
export type Handshake = {
  readonly match: {
    readonly method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST';
    /** All of these must hold. */
    readonly where: readonly Condition[];
  };
  readonly proof: Proof;
  readonly respond: HandshakeResponse;
  /**
   * An address to call before the answer, and the pattern of the only hosts that are allowed. SNS subscriptions are
   * confirmed in this way.
   */
  readonly confirm?: { readonly url: LookupPlace; readonly host: string };
};

/** The proof that a handshake requires before it is answered. */
export type Proof =
  /** The request is signed like any other. */
  | { readonly by: 'signature' }
  /** No proof is needed, since the answer reveals nothing. */
  | { readonly by: 'nothing' }
  /** The text at `at` is the secret that the source's `handshake: { secret }` names (Meta's verify token). */
  | { readonly by: 'secret'; readonly at: LookupPlace }
  /**
   * The request hands over the key for later signatures. It is answered if the key is already one of the source's
   * secrets, or while an admin has the pairing window open.
   */
  | { readonly by: 'pairing'; readonly key: LookupPlace };

export interface HandshakeResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, HandshakeValue>>;
  /** Absent for an empty body. `text` is sent as text/plain, `json` as an object of values. */
  readonly body?:
    { readonly text: HandshakeValue } | { readonly json: Readonly<Record<string, HandshakeValue | number>> };
}

/** A fixed text, a text from the request, or the HMAC-SHA256 of such a text with the source's secret. */
export type HandshakeValue =
  | string
  | { readonly echo: LookupPlace }
  | { readonly hmac: LookupPlace; readonly encoding: 'hex' | 'base64'; readonly prefix?: string };

/** The parts of a request that identify a handshake. */
export interface HandshakeFacts extends LookupFacts {
  readonly method: string;
}

/** True if a request is this handshake. */
export const isHandshake = ({ match }: Handshake, facts: HandshakeFacts): boolean =>
  facts.method === match.method && match.where.every((condition) => holds(condition, facts));

/**
 * The same without reading the body, which costs more. False is final; true is not if the handshake {@link needsBody}.
 */
export const mayBeHandshake = ({ match }: Handshake, facts: HandshakeFacts): boolean =>
  facts.method === match.method &&
  match.where.every((condition) => isInBody(condition.at) || holds(condition, facts));

/** True if any part of the handshake depends on the body. */
export const needsBody = ({ match, proof, respond, confirm }: Handshake): boolean =>
  [
    ...match.where.map(({ at }) => at),
    ...(proof.by === 'secret' ? [proof.at] : []),
    ...(proof.by === 'pairing' ? [proof.key] : []),
    ...valuesOf(respond).flatMap(placeIn),
    ...(confirm === undefined ? [] : [confirm.url]),
  ].some(isInBody);

/** The handshakes of a provider. */
interface Greeting {
  readonly handshakes?: readonly Handshake[];
}

/** True if the provider hands over its signing key in a handshake, so that nobody can know it before. */
export const pairs = ({ handshakes = [] }: Greeting): boolean =>
  handshakes.some(({ proof }) => proof.by === 'pairing');

/** True if the provider's handshake shows a secret that the user chose. */
export const asksForSecret = ({ handshakes = [] }: Greeting): boolean =>
  handshakes.some(({ proof }) => proof.by === 'secret');

/**
 * True if anybody can have a text of their choice signed with the source's secret, because the provider requires it
 * (X).
 */
export const signsForAnybody = ({ handshakes = [] }: Greeting): boolean =>
  handshakes.some(({ proof, respond }) => proof.by === 'nothing' && valuesOf(respond).some(isSigned));

/** True if an answer is signed with the source's secret. */
export const signsAnswers = ({ handshakes = [] }: Greeting): boolean =>
  handshakes.some(({ respond }) => valuesOf(respond).some(isSigned));

const isSigned = (value: HandshakeValue | number): boolean => typeof value === 'object' && 'hmac' in value;

/**
 * True if a condition holds for a request. An empty text counts as absent. An object counts as present, though it has
 * no text.
 */
export function holds({ at, equals, absent }: Condition, facts: LookupFacts): boolean {
  if (equals !== undefined) return lookupPlace(at, facts) === equals;
  const found = valueAt(at, facts);
  return absent === true ? found === undefined : found !== undefined && found !== null && found !== '';
}

/** The value at a place, of any type; undefined if there is none. */
function valueAt(place: LookupPlace, facts: LookupFacts): unknown {
  if (!isInBody(place)) return lookupPlace(place, facts) ?? undefined;
  const path = place.slice(BODY.length);
  return path === '' ? facts.payload : ownValue(facts.payload, path);
}

const BODY = 'body:';
const isInBody = (place: LookupPlace): boolean => place.startsWith(BODY);

/** Every value in an answer. */
function valuesOf({ headers = {}, body }: HandshakeResponse): readonly (HandshakeValue | number)[] {
  const inBody = body === undefined ? [] : 'text' in body ? [body.text] : Object.values(body.json);
  return [...Object.values(headers), ...inBody];
}

function placeIn(value: HandshakeValue | number): readonly LookupPlace[] {
  if (typeof value !== 'object') return [];
  return ['echo' in value ? value.echo : value.hmac];
}
