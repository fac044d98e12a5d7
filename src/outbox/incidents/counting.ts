import type { Beyond, Key } from './beyond.ts';

/** What one event changes of the counts. */
export class Counting {
  readonly #beyond: Beyond;
  readonly #byPhone = new Map<
    string,
    { route: string; keys: (Key | null)[]; readonly over: Map<string, Key> }
  >();

  constructor(beyond: Beyond) {
    this.#beyond = beyond;
  }

  /** Counts an item, if it belongs to no incident, or its incident. */
  add({ route, phone }: { readonly route: string; readonly phone: string }, key: string | null): void {
    const of = this.#of(route, phone);
    of.route = route;
    of.keys.push(key === null ? null : { route, key });
    of.over.delete(`${route}\n${key}`);
  }

  /** An incident is over, or is kept by itself. */
  end({ route, phone }: { readonly route: string; readonly phone: string }, key: string): void {
    // In most accounts nothing is only counted.
    if (this.#byPhone.size === 0 && this.#beyond.nextAt() === null) return;
    const { keys, over } = this.#of(route, phone);
    over.set(`${route}\n${key}`, { route, key });
    const at = keys.findLastIndex((one) => one?.route === route && one.key === key);
    if (at >= 0) keys.splice(at, 1);
  }

  write(source: string, now: number): void {
    for (const [phone, { route, keys, over }] of this.#byPhone)
      this.#beyond.add({ source, phone, route, keys, over: [...over.values()] }, now);
  }

  #of(route: string, phone: string) {
    const known = this.#byPhone.get(phone) ?? { route, keys: [], over: new Map<string, Key>() };
    this.#byPhone.set(phone, known);
    return known;
  }
}
