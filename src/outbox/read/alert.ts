import { truncateTo } from '../../lib/text.ts';
import { ownValue } from '../../lib/json.ts';

/** The paths in an item at which senders say in a sentence what is wrong. */
const SUMMARY = [
  'annotations.summary',
  'annotations.description',
  'summary',
  'description',
  'message',
  'text',
];

/** The maximum length of a summary (UTF-16 units). */
const MAX_SUMMARY = 300;

/** Returns the sentence of an item that says what is wrong, besides its title; null if it has none. */
export function summaryOf(item: unknown, title: string | null): string | null {
  for (const path of SUMMARY) {
    const value = ownValue(item, path);
    const text = typeof value === 'string' ? value.trim() : '';
    if (text !== '' && title?.startsWith(text) !== true) return truncateTo(text, MAX_SUMMARY).toWellFormed();
  }
  return null;
}

/** The maximum numbers of links and of values that are examined, and the maximum length of a link and of its path. */
const MAX_LINKS = 10;
const MAX_VALUES = 1_000;
const MAX_LENGTH = 2_000;

/** Returns the links to web pages in an item by their paths, those that are least deep first. */
export function linksOf(item: unknown): Readonly<Record<string, string>> {
  const links = new Map<string, string>();
  const values: [path: string, value: unknown][] = [['', item]];
  for (const [path, value] of values) {
    if (links.size === MAX_LINKS) break;
    if (typeof value === 'string') {
      const link = linkIn(value);
      if (link !== null) links.set(link, links.get(link) ?? path);
    } else if (values.length < MAX_VALUES && typeof value === 'object' && value !== null)
      for (const [key, one] of Object.entries(value)) {
        const at = path === '' ? key : `${path}.${key}`;
        if (at.length <= MAX_LENGTH) values.push([at, one]);
      }
  }
  return Object.fromEntries([...links].map(([link, path]) => [path, link]));
}

/** Returns the address that a text is, as browsers read it; null if it is none, or names a user in front of its host. */
function linkIn(text: string): string | null {
  if (text.length > MAX_LENGTH || !text.includes('://') || text.includes(' ') || !URL.canParse(text))
    return null;
  const { protocol, username, password, href } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && username + password === '' ? href : null;
}
