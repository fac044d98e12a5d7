import { BODY, holds, isInBody, lookupPlace, type LookupFacts, type LookupPlace } from './lookup.ts';
import type { Provider } from './provider.ts';
import { createHmac } from 'node:crypto';
import { err, ok, type Result } from '../lib/result.ts';

export type Handshake = NonNullable<Provider['handshakes']>[number];

export type Proof = Handshake['proof'];

export type HandshakeResponse = Handshake['respond'];

/** A fixed text, a text from the request, or the HMAC-SHA256 of such a text with the source's secret. */
type HandshakeValue = NonNullable<HandshakeResponse['headers']>[string];

export interface HandshakeFacts extends LookupFacts {
  readonly method: string;
}

export const isHandshake = ({ match }: Handshake, facts: HandshakeFacts): boolean =>
  facts.method === match.method && match.where.every((condition) => holds(condition, facts));

/** Without reading the body, which costs more: false is final, true is not if the handshake {@link needsBody}. */
export const mayBeHandshake = ({ match }: Handshake, facts: HandshakeFacts): boolean =>
  facts.method === match.method &&
  match.where.every((condition) => isInBody(condition.at) || holds(condition, facts));

/** True if one of its places is in the body. A fixed text that begins like one has it read needlessly. */
export const needsBody = (handshake: Handshake): boolean => JSON.stringify(handshake).includes(`"${BODY}`);

type Greeting = Pick<Provider, 'handshakes'>;

/** True if the provider hands over its signing key in a handshake, so that nobody can know it before. */
export const pairs = ({ handshakes = [] }: Greeting): boolean =>
  handshakes.some(({ proof }) => proof.by === 'pairing');

/** True if the provider's handshake shows a secret that the user chose. */
export const asksForSecret = ({ handshakes = [] }: Greeting): boolean =>
  handshakes.some(({ proof }) => proof.by === 'secret');

/** True if anybody can have a text of their choice signed with the source's secret, as the provider requires (X). */
export const signsForAnybody = ({ handshakes = [] }: Greeting): boolean =>
  handshakes.some(({ proof, respond }) => proof.by === 'nothing' && valuesOf(respond).some(isSigned));

export const signsAnswers = ({ handshakes = [] }: Greeting): boolean =>
  handshakes.some(({ respond }) => valuesOf(respond).some(isSigned));

const isSigned = (value: HandshakeValue | number): boolean => typeof value === 'object' && 'hmac' in value;

function valuesOf({ headers = {}, body }: HandshakeResponse): readonly (HandshakeValue | number)[] {
  const inBody = body === undefined ? [] : 'text' in body ? [body.text] : Object.values(body.json);
  return [...Object.values(headers), ...inBody];
}

interface AnswerFacts extends LookupFacts {
  readonly secret: string | null;
}

/** The reason why a handshake gets no answer. `detail` names places, but never their values. */
export interface HandshakeFault {
  readonly code: 'malformed' | 'secret_missing';
  readonly detail: string;
}

const malformed = (detail: string) => err<HandshakeFault>({ code: 'malformed', detail });

/** Longer than any known challenge. Microsoft's have some hundred characters. */
const MAX_ECHO = 4_096;

/**
 * A challenge may be any text. Sending it back is safe: no browser shows text/plain with nosniff as a page, and JSON
 * escapes special characters.
 */
const ECHOED = new RegExp(`^[^\\p{Cc}\\p{Cs}]{1,${MAX_ECHO}}$`, 'u');

/** Text that may be sent back in a header: printable ASCII, so that it cannot begin a second header. */
const ECHOED_IN_HEADER = new RegExp(`^[\\x20-\\x7e]{1,${MAX_ECHO}}$`);

/**
 * Text that may be signed: one word of base64, hex or UUIDs. That excludes forms, JSON, and a time with a body after
 * it; {@link isSignedForAnybody} covers the few bodies that are left.
 */
const WORD = /^[A-Za-z0-9+/_-]{1,1024}={0,2}$/;

/** The text at a place of a handshake, if a header may hold it. */
export const headerText = (place: LookupPlace, facts: LookupFacts): Result<string, HandshakeFault> =>
  textOf(place, facts, ECHOED_IN_HEADER);

function textOf(place: LookupPlace, facts: LookupFacts, allowed: RegExp): Result<string, HandshakeFault> {
  const text = lookupPlace(place, facts);
  if (text === null) return malformed(`the handshake has no text at ${place}`);
  return allowed.test(text)
    ? ok(text)
    : malformed(`the handshake's ${place} is empty, too long, or has unexpected characters`);
}

/** True if a handshake would sign this body for anybody who asks. Its signature then proves nothing. */
export const isSignedForAnybody = (body: Uint8Array): boolean =>
  body.length <= 1_026 && WORD.test(new TextDecoder().decode(body));

export function answerHandshake({ status, headers = {}, body }: HandshakeResponse, facts: AnswerFacts) {
  const sent = filledIn(headers, facts, ECHOED_IN_HEADER);
  if (!sent.ok) return sent;
  const isText = body !== undefined && 'text' in body;
  const values = filledIn(isText ? { text: body.text } : (body?.json ?? {}), facts, ECHOED);
  if (!values.ok) return values;
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json';
  return ok({
    status,
    headers: {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...(body !== undefined && { 'content-type': type }),
      ...Object.fromEntries(Object.entries(sent.value).map(([name, value]) => [name, String(value)])),
    },
    // Null for no body, not even an empty one with a type.
    body: isText ? String(values.value['text']) : body ? JSON.stringify(values.value) : null,
  });
}

function filledIn(
  values: Readonly<Record<string, HandshakeValue | number>>,
  facts: AnswerFacts,
  allowed: RegExp,
): Result<Record<string, string | number>, HandshakeFault> {
  const made: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'object') {
      made[name] = value;
      continue;
    }
    const isEcho = 'echo' in value;
    const text = isEcho ? textOf(value.echo, facts, allowed) : textOf(value.hmac, facts, WORD);
    if (!text.ok) return text;
    if (isEcho) made[name] = text.value;
    else if (facts.secret === null)
      return err({ code: 'secret_missing', detail: 'the answer needs a secret, and none is set' });
    else
      made[name] =
        (value.prefix ?? '') + createHmac('sha256', facts.secret).update(text.value).digest(value.encoding);
  }
  return ok(made);
}
