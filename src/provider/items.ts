import { ownValue } from '../lib/json.ts';
import { digestOf } from '../signature/basics/match.ts';
import { lookup } from './lookup.ts';
import type { Items } from './provider.ts';

const NO_QUERY = new URLSearchParams();

/** The id of one element of a provider's list; null if it has none. */
export const keyOfItem = ({ id }: Items, item: unknown): string | null =>
  lookup(id, { payload: item, headers: new Headers(), query: NO_QUERY });

/** One key for a whole list: the id of its only element, or a digest of all ids. Null if an element has no id. */
export function keyOfItems(items: Items, payload: unknown): string | null {
  const list = listAt(payload, items.at);
  if (list === null) return null;
  const keys = list.map((item) => keyOfItem(items, item));
  const [only] = keys;
  if (only === undefined || keys.includes(null)) return null;
  // Not `crypto.subtle`, since that is asynchronous.
  return keys.length === 1 ? only : `items:${digestOf(JSON.stringify(keys))}`;
}

/**
 * The elements at a path, in which `*` stands for each element of a list. Null if a part of the path that should be a
 * list is not one.
 */
function listAt(payload: unknown, at: string): readonly unknown[] | null {
  let lists: readonly unknown[] = [payload];
  for (const path of at.split('.*.')) {
    const inside = lists.map((one) => (path === '' ? one : ownValue(one, path)));
    if (!inside.every((one) => Array.isArray(one))) return null;
    lists = inside.flat();
  }
  return lists;
}
