/** The beginning of a web address, wherever it is. */
const ADDRESS = /https?:\/\/(?:www\.)?|www\./gi;

/** A host by itself, as chats make a link of it: `shop.example`. In small letters: `ok.Thanks` is the end of a sentence. */
const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?:[/?#:].*)?$/;

const BETWEEN_WORDS = /[\s<>"'()[\],;!|]+/;

/** Counts the links of a text: addresses, and hosts by themselves. E-mail addresses are none. */
export function countLinks(text: string): number {
  const addresses = text.match(ADDRESS)?.length ?? 0;
  const hosts = text.split(BETWEEN_WORDS).filter(isHost);
  return addresses + hosts.length;
}

const isHost = (word: string): boolean => {
  const host = word.replace(/[.:?]$/, '');
  return host.search(ADDRESS) < 0 && HOST.test(host);
};
