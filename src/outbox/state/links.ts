import { LINK_PATH, replacing, type DraftLinks } from '../../render/links.ts';
import type { DraftMessage } from './acceptance.ts';
import { tokenOf } from './token.ts';

/** A link in a message's row. `until`: the time after which it cannot be pressed any more (ms). */
export interface MessageLink {
  readonly id: string;
  /** Absent: the source keeps nothing of its events. */
  readonly label?: string;
  readonly until: number;
  /** The last presses (ms). */
  readonly presses?: readonly number[];
  /** The `subject` of the press that was taken back last; see `read-link.ts`. */
  readonly takenBack?: string;
}

/** The column `links` of a message. */
export interface MessageLinks {
  /** The place of its element in the event; absent: it is about the whole event. */
  readonly item?: number;
  readonly all: readonly MessageLink[];
}

/** The parts that links are made with. */
export interface LinkMaker {
  readonly account: () => string;
  /** The key of this outbox. */
  readonly key: string;
  /** The address that links begin with; null if there is none. */
  readonly publicUrl: string | null;
}

/** The reason why a message has no links although its template does. */
export const LINKS_LEFT_OUT = 'its links are left out: PUBLIC_URL is not set';

/** A message's texts with its links in them, and its column `links`. */
export interface Linked {
  readonly message: DraftMessage;
  readonly links: string | null;
}

const NO_LINKS: DraftLinks = { all: [] };

/** Puts the links of a message in the places of their stand-ins. */
export function withLinksOf(message: DraftMessage, seq: number, now: number, by: LinkMaker | null): Linked {
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
      ...(address === null && { reason: message.reason ?? LINKS_LEFT_OUT }),
    },
    links: address === null ? null : JSON.stringify({ ...item, all: kept } satisfies MessageLinks),
  };
}

/** The end of a link in a text that was sent, or in an answer that repeats it as JSON. */
const SENT = /(\/a\\{0,4}\/)[0-9a-z]{24}(?![0-9a-z])/g;

/** Returns a text in which no link can be pressed: anybody who has a link can press it. */
export const withoutTokens = (text: string): string => text.replaceAll(SENT, '$1…');
