/** A sender said so; `acceptedAt` null: nobody knows whether it was accepted. */
export interface Change {
  readonly status: 'firing' | 'resolved';
  readonly requestedAt: number;
  readonly acceptedAt: number | null;
}

/** What senders said of each incident, by its key. */
export class Changes {
  readonly #all = new Map<string, Change[]>();

  said(key: string, change: Change): void {
    const changes = this.#all.get(key) ?? [];
    this.#all.set(key, changes);
    changes.push(change);
  }

  get keys(): Iterable<string> {
    return this.#all.keys();
  }

  of(key: string): readonly Change[] {
    return this.#all.get(key) ?? [];
  }

  /** Since when it has surely been so, up to now; null: it may not be so. What nobody ever spoke of has always been resolved. */
  since(key: string, status: Change['status']): number | null {
    const changes = this.of(key);
    const first = changes.findLastIndex((change) => change.status !== status) + 1;
    if (first === 0 && status === 'resolved') return -Infinity;
    return changes.slice(first).find(({ acceptedAt }) => acceptedAt !== null)?.acceptedAt ?? null;
  }

  /** What it is, as far as its sender was answered. */
  statusOf(key: string): Change['status'] {
    return this.of(key).findLast(({ acceptedAt }) => acceptedAt !== null)?.status ?? 'resolved';
  }
}
