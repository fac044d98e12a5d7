import { err, ok, type Result } from '../lib/result.ts';
import { type Lookup, lookup, type LookupFacts } from './lookup.ts';

/** A request by which a provider tries an address before it uses it, and the answer that it wants. */
export interface Handshake {
  readonly match: {
    readonly method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST';
    /** All of these have to be found, and to be `equals` where it is given. */
    readonly where: readonly { readonly at: Lookup; readonly equals?: string }[];
  };
  /** Whether the request is signed like any other, so that it is answered only after verification. */
  readonly verify_first: boolean;
  readonly respond: {
    readonly status: number;
    /** What is found is sent back: alone as plain text, or as the values of a JSON object. */
    readonly echo: Lookup | Readonly<Record<string, Lookup>>;
  };
}

/** What a handshake is told from. */
export interface HandshakeFacts extends LookupFacts {
  readonly method: string;
}

/** The answer to a handshake, ready to be a `Response`. */
export interface HandshakeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Printable ASCII without what HTML is made of: an echo must not become a page of ours. At most `lookup`'s length. */
const HARMLESS = /^[\x20-\x7e]+$/;
const MARKUP = /[<>"'&]/;

/** The answer to a handshake; null when the request is none; an error when what should be echoed is missing or odd. */
export function answerHandshake(
  handshake: Handshake,
  facts: HandshakeFacts,
): Result<HandshakeAnswer, string> | null {
  const { match, respond } = handshake;
  if (facts.method !== match.method || !matches(match.where, facts)) return null;
  if (typeof respond.echo === 'string') {
    const text = readEcho(respond.echo, facts);
    return text.ok ? ok(answer(respond.status, 'text/plain; charset=utf-8', text.value)) : text;
  }
  const values: Record<string, string> = {};
  for (const [key, place] of Object.entries(respond.echo)) {
    const text = readEcho(place, facts);
    if (!text.ok) return text;
    values[key] = text.value;
  }
  return ok(answer(respond.status, 'application/json', JSON.stringify(values)));
}

function matches(where: Handshake['match']['where'], facts: LookupFacts): boolean {
  return where.every(({ at, equals }) => {
    const found = lookup([at], facts);
    return found !== null && (equals === undefined || found === equals);
  });
}

function readEcho(place: Lookup, facts: LookupFacts): Result<string, string> {
  const text = lookup([place], facts);
  if (text === null) return err(`the handshake has no ${place} of a usable length`);
  return HARMLESS.test(text) && !MARKUP.test(text)
    ? ok(text)
    : err(`the handshake's ${place} has unexpected characters`);
}

/** `nosniff` and `no-store`: the echo is what anybody sent. */
function answer(status: number, contentType: string, body: string): HandshakeAnswer {
  const headers = {
    'content-type': contentType,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  return { status, headers, body };
}
