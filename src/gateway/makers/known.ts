import type { Maker } from '../shape.ts';

/** In the order in which people are offered them. The Worker needs no more before it reads the makers' facts. */
export const MAKER_IDS = [
  'ntfy',
  'telegram',
  'pushover',
  'signal',
  'waha',
  'evolution',
  'whatsapp-cloud',
  'twilio',
] as const;

/** What has something for each maker is keyed by it, so that one without does not compile. */
export type MakerId = (typeof MAKER_IDS)[number];

export type Makers = Readonly<Record<string, Maker>>;

/** The makers that hookbell ships. They are not part of the Worker's code: `config/compiled/facts.ts` reads them. */
let known: Makers | null = null;

export const knownMakers = (): Makers | null => known;

export function useMakers(makers: Makers | null): void {
  known = makers;
}

/** The maker with that id; undefined for `v2`, for `http`, and for an id that this release does not know. */
export function findMaker(id: string): Maker | undefined {
  if (known === null)
    throw new Error('the makers have not been read: await `loadConfig` or `readFacts` first');
  return Object.hasOwn(known, id) ? known[id] : undefined;
}
