import { digestOf } from '../../signature/basics/match.ts';
import type { DraftMessage } from './acceptance.ts';

/**
 * Returns the claim of an event's id, within its source, since two providers may use the same ids. A source's name
 * cannot contain a newline.
 */
export const claimKey = (source: string, key: string): string => `${source}\n${key}`;

/** Returns the claim of an item's id. A source's name cannot begin with `#`. */
export const itemClaimKey = (source: string, key: string): string => `#${claimKey(source, key)}`;

/**
 * Returns the key of a fact that a route says only once, among the ids of its source's items. It is a digest: the text
 * may be long, or a source with `store: metadata` may not be allowed to keep it. A route's name cannot contain a
 * newline.
 */
export const onceKey = (route: string | null, { once }: Pick<DraftMessage, 'once'>): string | undefined =>
  once === undefined ? undefined : `once:${digestOf(`${route}\n${once}`)}`;

/** Returns the keys that a message or an item claims. */
export const keysOf = (draft: Pick<DraftMessage, 'route' | 'itemKey' | 'once'>): readonly string[] =>
  [draft.itemKey, onceKey(draft.route, draft)].filter((key) => key !== undefined);
