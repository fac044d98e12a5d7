import { digestOf } from '../../signature/basics/match.ts';
import type { DraftMessage } from './acceptance.ts';

/**
 * The claim of an event's id, within its source, since two providers may use the same ids. No source's name has a
 * newline.
 */
export const claimKey = (source: string, key: string): string => `${source}\n${key}`;

/** The claim of an item's id. No source's name begins with `#`. */
export const itemClaimKey = (source: string, key: string): string => `#${claimKey(source, key)}`;

/**
 * The key of a fact that a route says once, among the ids of its source's items. A digest, since the text may be long,
 * or what a source with `store: metadata` must not keep. No route's name has a newline.
 */
export const onceKey = (route: string | null, { once }: Pick<DraftMessage, 'once'>): string | undefined =>
  once === undefined ? undefined : `once:${digestOf(`${route}\n${once}`)}`;

/** Returns the keys that a message or an item claims. */
export const keysOf = (draft: Pick<DraftMessage, 'route' | 'itemKey' | 'once'>): readonly string[] =>
  [draft.itemKey, onceKey(draft.route, draft)].filter((key) => key !== undefined);
