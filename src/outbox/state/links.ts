import { createHmac, timingSafeEqual } from 'node:crypto';
import { fnv } from '../../lib/text.ts';
import { fromBase32, toBase32 } from '../../lib/id.ts';
import { LINK_PATH, replacing, type DraftLinks } from '../../render/links.ts';
import type { DraftMessage } from './acceptance.ts';

/** Base-32 digits of a token: the outbox, the message, and the code that proves it. */
const ACCOUNT_DIGITS = 2;
const SEQ_DIGITS = 8;
const CODE_DIGITS = 14;

interface Pressable {
  readonly seq: number;
  readonly action: string;
  readonly phone: string | null;
}

/** 70 bits of HMAC, and the number hidden by a pad of them: nobody learns how many messages there are. */
export function tokenOf(key: string, account: string, { seq, action, phone }: Pressable): string {
  const code = digits(key, JSON.stringify(['press', seq, action, phone]), CODE_DIGITS);
  return accountDigits(account) + masked(key, toBase32(seq, SEQ_DIGITS), code) + code;
}

/** The message that a token names; null if the text does not have its form. Only the message shows if it is right. */
export function seqIn(key: string, token: string): number | null {
  const hidden = token.slice(ACCOUNT_DIGITS, ACCOUNT_DIGITS + SEQ_DIGITS);
  const code = token.slice(ACCOUNT_DIGITS + SEQ_DIGITS);
  return code.length === CODE_DIGITS ? fromBase32(masked(key, hidden, code)) : null;
}

/** The time that it takes shows nothing of the right token. */
export function isToken(token: string, right: string): boolean {
  const given = bytes(token);
  const own = bytes(right);
  return given.byteLength === own.byteLength && timingSafeEqual(given, own);
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Returns the accounts that a token may belong to: one, or a few. */
export const accountsOf = (token: string, accounts: readonly string[]): readonly string[] =>
  accounts.filter((account) => token.startsWith(accountDigits(account)));

export const keyedCode = (key: string, text: string): string => digits(key, `code ${text}`, 24);

const accountDigits = (account: string): string => toBase32(fnv(account) % 1_024, ACCOUNT_DIGITS);

const digit = (text: string, at: number): number => fromBase32(text.charAt(at)) ?? 0;

/** Hides a text, or shows it again: applied twice, it gives the original. */
function masked(key: string, text: string, code: string): string {
  const pad = digits(key, JSON.stringify(['number', code]), SEQ_DIGITS);
  const { length } = text;
  return Array.from({ length }, (_, at) => toBase32(digit(text, at) ^ digit(pad, at), 1)).join('');
}

/** 256 is a multiple of 32: each digit has 5 even bits. */
function digits(key: string, text: string, count: number): string {
  const mac = createHmac('sha256', key).update(text).digest();
  return [...mac.subarray(0, count)].map((byte) => toBase32(byte % 32, 1)).join('');
}

/** A link in a message's row. `until`: the time after which it cannot be pressed any more (ms). */
export interface MessageLink {
  readonly id: string;
  /** Absent: the source keeps nothing of its events. */
  readonly label?: string;
  readonly until: number;
  readonly presses?: readonly number[];
  /** The `subject` of the press that was taken back last; see `read-link.ts`. */
  readonly takenBack?: string;
}

export interface MessageLinks {
  /** The place of its element in the event; absent: it is about the whole event. */
  readonly item?: number;
  readonly all: readonly MessageLink[];
}

export interface LinkMaker {
  readonly account: () => string;
  readonly key: string;
  /** The address that links begin with; null if there is none. */
  readonly publicUrl: string | null;
}

const NO_LINKS: DraftLinks = { all: [] };

/** Puts the links of a message in the places of their stand-ins; `links`: the column of its row. */
export function withLinksOf(message: DraftMessage, seq: number, now: number, by: LinkMaker | null) {
  const { links: { all, ...item } = NO_LINKS, params, fallback, phone } = message;
  if (all.length === 0) return { message, links: null };
  const address = by?.publicUrl ?? null;
  const urlOf = (action: string): string =>
    by === null || address === null
      ? ''
      : address + LINK_PATH + tokenOf(by.key, by.account(), { seq, action, phone });
  const replaced = replacing(all.map(({ standIn, id }) => [standIn, urlOf(id)]));
  const kept = all.map(({ id, label, isOfEvent, expiresMs }): MessageLink => {
    const text = message.forget && isOfEvent ? {} : { label };
    return { id, ...text, until: now + expiresMs };
  });
  return {
    message: {
      ...message,
      params: replaced(params),
      ...(fallback && { fallback: fallback.map((one) => ({ ...one, params: replaced(one.params) })) }),
      ...(address === null && { reason: message.reason ?? { code: 'no-links' } }),
    },
    links: address === null ? null : JSON.stringify({ ...item, all: kept } satisfies MessageLinks),
  };
}

/** The end of a link in a text that was sent, or in an answer that repeats it as JSON. */
const SENT = /(\/a\\{0,4}\/)[0-9a-z]{24}(?![0-9a-z])/g;

/** Returns a text in which no link can be pressed: anybody who has a link can press it. */
export const withoutTokens = (text: string): string => text.replaceAll(SENT, '$1…');
