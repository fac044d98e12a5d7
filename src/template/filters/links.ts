/** Web addresses: whatever a chat would turn into a link, to its end. */
const ADDRESS = /(?:https?:\/\/|www\.)[^\s<>"]*/gi;
/** A dot inside of a word, as in `evil.example`; also the characters that browsers read as a dot. */
const INNER_DOT = /(?<=[\p{L}\p{N}])[.\u3002\uff0e\uff61](?=[\p{L}\p{N}])/gu;

/**
 * Text without tappable links, for the name of a stranger: web addresses are removed, and a dot inside of a word gets a
 * blank after it. `Dr.Who` remains readable, and no host remains.
 */
export function withoutLinks(text: string): string {
  return text.replace(ADDRESS, '').replaceAll('://', ' ').replace(INNER_DOT, '. ');
}
