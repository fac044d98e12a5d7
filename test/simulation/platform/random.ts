import type { Random } from '../simulation.ts';

/** Four numbers from a text (FNV-1a with four starts): the state that a stream of random numbers begins with. */
function stateFrom(name: string): Uint32Array {
  const state = new Uint32Array([0x811c9dc5, 0x9e3779b9, 0x85ebca6b, 0xc2b2ae35]);
  for (let index = 0; index < name.length; index += 1)
    for (let lane = 0; lane < 4; lane += 1)
      state[lane] = Math.imul((state[lane] ?? 0) ^ (name.charCodeAt(index) + lane), 0x01000193);
  return state;
}

/** Seeded random numbers: sfc32, whose period no run comes near to. */
export class SeededRandom implements Random {
  readonly #name: string;
  readonly #state: Uint32Array;

  constructor(name: string) {
    this.#name = name;
    this.#state = stateFrom(name);
    // Names that differ in their last character only have states that are alike.
    for (let round = 0; round < 12; round += 1) this.next();
  }

  next(): number {
    const state = this.#state;
    const [a = 0, b = 0, c = 0, counter = 0] = state;
    const sum = (((a + b) | 0) + counter) | 0;
    state[3] = counter + 1;
    state[0] = b ^ (b >>> 9);
    state[1] = (c + (c << 3)) | 0;
    state[2] = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4_294_967_296;
  }

  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.int(0, items.length - 1)];
    if (item === undefined) throw new Error('there is nothing to pick from');
    return item;
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.int(0, 255));
  }

  fork(name: string): SeededRandom {
    return new SeededRandom(`${this.#name}/${name}`);
  }
}
