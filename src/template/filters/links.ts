/** Web addresses: whatever a chat would make a link of, to its end. */
const ADDRESS = /(?:https?:\/\/|www\.)[^\s<>"]*/gi;
/** A dot inside of a word, as in `evil.example`; also those that browsers take for one. */
const INNER_DOT = /(?<=[\p{L}\p{N}])[.\u3002\uff0e\uff61](?=[\p{L}\p{N}])/gu;

/**
 * Text in which nothing can be tapped, for the name of somebody whom nobody knows: web addresses are taken out, and a
 * dot inside of a word is followed by a blank, which leaves `Dr.Who` readable and no host.
 */
export function withoutLinks(text: string): string {
  return text.replace(ADDRESS, '').replaceAll('://', ' ').replace(INNER_DOT, '. ');
}
