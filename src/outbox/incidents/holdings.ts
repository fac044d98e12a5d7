import { mayHold, type Standing } from '../../lib/shares.ts';

interface Place {
  readonly source: string;
  readonly route: string;
}

/** How much of what has room for so many is taken: by each source, by each route, and in all. */
export class Holdings {
  readonly #room: number;
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor(room: number) {
    this.#room = room;
  }

  get all(): number {
    return this.#all;
  }

  change({ source, route }: Place, by: 1 | -1): void {
    this.#all += by;
    for (const name of [source, nameOf({ source, route })]) {
      const taken = this.#of(name) + by;
      if (taken === 0) this.#taken.delete(name);
      else this.#taken.set(name, taken);
    }
  }

  /** True if a source may have one more; of what is urgent, a route. */
  hasRoomFor(place: Place, standing: Standing, openSources: Iterable<string>): boolean {
    let open = 0;
    for (const source of openSources) open += this.#of(source);
    const own = this.#of(standing === 'urgent' ? nameOf(place) : place.source);
    return mayHold(standing, { own, open, all: this.#all }, this.#room);
  }

  #of(name: string): number {
    return this.#taken.get(name) ?? 0;
  }
}

/** Ids of sources have no slash. */
const nameOf = ({ source, route }: Place): string => `${source}/${route}`;
