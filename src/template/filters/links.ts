import { withoutControls } from '../../lib/text.ts';

/** A web address: everything that a chat would turn into a link, to its end. */
const ADDRESS = /(?:https?:\/\/|www\.)[^\s<>"]*/gi;
/**
 * A dot inside a word, as in `evil.example`. Includes characters that browsers read as a dot, and those that contain
 * one once they are normalized (UTS #46, NFKC). Before the dot, a host may have any letter, mark, symbol or invisible
 * character.
 */
const INNER_DOT =
  /(?<=[\w-]|[^\s\p{ASCII}])[.\u3002\uff0e\uff61\u2024-\u2026\u2488-\u249b\u33c2\u33c7\u33d8\ufe19\ufe30\ufe52\u{1f100}](?=[\p{L}\p{N}\p{M}\p{S}\p{Cf}])/gu;

/** A host written by itself: `shop.example`. */
const HOST = /[\p{L}\p{N}]\.\p{L}{2,}/u;

/** True if a chat would turn a part of the text into a link. */
export const hasLink = (text: string): boolean => text.search(ADDRESS) >= 0 || text.search(HOST) >= 0;

/**
 * Returns a text without tappable links, for the name of a stranger: web addresses are removed, and a dot inside a word
 * gets a blank after it. `Dr.Who` remains readable, and no host remains, also after filters that remove control characters.
 */
export function withoutLinks(text: string): string {
  return withoutControls(text).replace(ADDRESS, '').replaceAll('://', ' ').replace(INNER_DOT, '$& ');
}
