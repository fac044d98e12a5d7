export type Action = 'ack' | 'resolve' | 'silence' | 'approve';

export interface Link {
  readonly token: string;
  readonly action: Action;
  /** The phone that got it, and the name of that receiver. */
  readonly phone: string;
  readonly by: string;
  /** The incidents that its message says are open. */
  readonly keys: readonly string[];
  /** It may be about more incidents than its message names. */
  readonly isWide: boolean;
  /** The order that it approves; null: it is about incidents. */
  readonly order: string | null;
}

/** The content of a link's page. */
export type Page =
  /** It can be pressed. */
  | { readonly kind: 'open' }
  /** It was pressed, by this link. */
  | { readonly kind: 'own' }
  /** It was pressed by another one. */
  | { readonly kind: 'other'; readonly who: string }
  /** Somebody has the incidents. */
  | { readonly kind: 'taken'; readonly who: string }
  | { readonly kind: 'resolved' }
  /** Its route is gone, or has another name. */
  | { readonly kind: 'withdrawn' }
  /** The link does not work, or is not asked any more. */
  | { readonly kind: 'dead' };

/** True if two links have something in common. */
export const isOfSame = (one: Link, other: Link): boolean =>
  one.order === null
    ? one.isWide || other.isWide || one.keys.some((key) => other.keys.includes(key))
    : one.order === other.order;

/** True if two links of incidents ask the same, as long as none of these opens again. */
export const isSameQuestion = (one: Link, other: Link): boolean =>
  one.action === 'ack'
    ? one.keys.toSorted().join() === other.keys.toSorted().join()
    : one.keys.join() === other.keys.join();

export const nameOf = ({ by, action, keys, order }: Link): string =>
  `${by}: ${action} ${order ?? keys.join(', ')}`;
