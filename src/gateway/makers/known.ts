import type { Maker } from '../shape.ts';

/** Makers of gateways by their ids. */
export type Makers = Readonly<Record<string, Maker>>;

/** Those that hookbell ships. They are no part of the Worker's code: `config/facts.ts` reads them. */
let known: Makers | null = null;

/** Null: none are read. */
export const knownMakers = (): Makers | null => known;

/** From now on, accounts name these makers. */
export function useMakers(makers: Makers | null): void {
  known = makers;
}

/** The maker of that id; undefined for `v2`, for `http`, and for one that this release does not know. */
export function findMaker(id: string): Maker | undefined {
  if (known === null)
    throw new Error('the makers have not been read: await `loadConfig` or `readFacts` first');
  return Object.hasOwn(known, id) ? known[id] : undefined;
}
