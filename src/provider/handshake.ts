import { ownValue } from '../lib/own-path.ts';
import { lookupPlace, type Condition, type LookupFacts, type LookupPlace } from './lookup.ts';

/** A request by which a provider tries an address before it uses it, and the answer that it wants. */
export type Handshake = {
  readonly match: {
    readonly method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST';
    /** All of these have to hold. */
    readonly where: readonly Condition[];
  };
  readonly proof: Proof;
  readonly respond: HandshakeResponse;
  /** An address to call before the answer, and the pattern of the only hosts that it may be at: how SNS subscriptions are confirmed. */
  readonly confirm?: { readonly url: LookupPlace; readonly host: string };
};

/** The proof that a handshake requires before it is answered. */
export type Proof =
  /** It is signed as any other request is. */
  | { readonly by: 'signature' }
  /** Nothing: the answer reveals nothing. */
  | { readonly by: 'nothing' }
  /** The text at `at` is the secret that the source's `handshake: { secret }` names (Meta's verify token). */
  | { readonly by: 'secret'; readonly at: LookupPlace }
  /**
   * The request hands over the key of later signatures: answered when it is one of the source's secrets already, or
   * while an admin has the pairing window open.
   */
  | { readonly by: 'pairing'; readonly key: LookupPlace };

export interface HandshakeResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, HandshakeValue>>;
  /** Absent: an empty body. `text` is sent as text/plain, `json` as an object of values. */
  readonly body?:
    { readonly text: HandshakeValue } | { readonly json: Readonly<Record<string, HandshakeValue | number>> };
}

/** A fixed text, one that the request has, or the HMAC-SHA256 of one with the source's secret. */
export type HandshakeValue =
  | string
  | { readonly echo: LookupPlace }
  | { readonly hmac: LookupPlace; readonly encoding: 'hex' | 'base64'; readonly prefix?: string };

/** The input by which a handshake is recognised. */
export interface HandshakeFacts extends LookupFacts {
  readonly method: string;
}

/** True if a request is this handshake. */
export const isHandshake = ({ match }: Handshake, facts: HandshakeFacts): boolean =>
  facts.method === match.method && match.where.every((condition) => holds(condition, facts));

/** The same without a look into the body, which costs more: false is final, true is not when {@link needsBody}. */
export const mayBeHandshake = ({ match }: Handshake, facts: HandshakeFacts): boolean =>
  facts.method === match.method &&
  match.where.every((condition) => isInBody(condition.at) || holds(condition, facts));

/** True if any condition of the handshake is about the body. */
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

/** True if the provider hands over the key of its signatures in a handshake, so that nobody can know it before. */
export const pairs = ({ handshakes = [] }: Greeting): boolean =>
  handshakes.some(({ proof }) => proof.by === 'pairing');

/** True if the provider's handshake shows a secret that the user chose. */
export const asksForSecret = ({ handshakes = [] }: Greeting): boolean =>
  handshakes.some(({ proof }) => proof.by === 'secret');

/** True if anybody can have texts of their choice signed with the source's secret: the provider requires it (X). */
export const signsForAnybody = ({ handshakes = [] }: Greeting): boolean =>
  handshakes.some(
    ({ proof, respond }) =>
      proof.by === 'nothing' &&
      valuesOf(respond).some((value) => typeof value === 'object' && 'hmac' in value),
  );

/**
 * True if a condition holds for a request. Empty text counts as absent; an object counts as present, though it has no
 * text.
 */
export function holds(condition: Condition, facts: LookupFacts): boolean {
  const { at } = condition;
  if ('equals' in condition) return lookupPlace(at, facts) === condition.equals;
  const found = valueAt(at, facts);
  return 'absent' in condition ? found === undefined : found !== undefined && found !== null && found !== '';
}

/** The value at a place, of any type; undefined when there is none. */
function valueAt(place: LookupPlace, facts: LookupFacts): unknown {
  if (!isInBody(place)) return lookupPlace(place, facts) ?? undefined;
  const path = place.slice(BODY.length);
  return path === '' ? facts.payload : ownValue(facts.payload, path);
}

const BODY = 'body:';
const isInBody = (place: LookupPlace): boolean => place.startsWith(BODY);

/** Every value of an answer, at any place in it. */
function valuesOf({ headers = {}, body }: HandshakeResponse): readonly (HandshakeValue | number)[] {
  const inBody = body === undefined ? [] : 'text' in body ? [body.text] : Object.values(body.json);
  return [...Object.values(headers), ...inBody];
}

function placeIn(value: HandshakeValue | number): readonly LookupPlace[] {
  if (typeof value !== 'object') return [];
  return ['echo' in value ? value.echo : value.hmac];
}
