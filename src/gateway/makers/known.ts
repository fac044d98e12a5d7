import { FactsOn } from '../../lib/cache.ts';
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

/** The makers that hookbell ships. */
export const makers = new FactsOn<Readonly<Record<string, Maker>>>('makers');

/** The maker with that id; undefined for `v2`, for `http`, and for an id that this release does not know. */
export const findMaker = (id: string): Maker | undefined =>
  Object.hasOwn(makers.inUse(), id) ? makers.inUse()[id] : undefined;
