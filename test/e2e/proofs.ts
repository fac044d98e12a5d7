import type { Bundles } from './build.ts';
import { crash } from './crash.ts';
import { crashGroups } from './groups.ts';
import { crashHandOn } from './hand-on.ts';
import { outage } from './outage.ts';
import { storm } from './storm.ts';

/** How often the relay is killed, and the webhooks meanwhile; absent: as many as the tests do. */
interface Size {
  readonly webhooks?: number;
  readonly kills?: number;
}

/** A way to try to break the relay; returns which guarantees it broke. */
export type Proof = (bundles: Bundles, seed: number, size?: Size) => Promise<readonly string[]>;

export const PROOFS: Readonly<Record<string, Proof>> = {
  'crash, retry: nothing is lost, and only what was in flight at a kill is sent twice': (
    bundles,
    seed,
    size,
  ) => crash(bundles, { seed, onUncertain: 'retry', ...size }),
  'crash, hold: nothing is sent twice, and what is held is listed': (bundles, seed, size) =>
    crash(bundles, { seed, onUncertain: 'hold', ...size }),
  'groups, retry: each item has its outcome, and each incident that opened resolves': (bundles, seed, size) =>
    crashGroups(bundles, { seed, onUncertain: 'retry', ...size }),
  'hand-on: each fallback is taken once by the other account, through 32 kills': (bundles, seed, size) =>
    crashHandOn(bundles, seed, size?.kills),
  'outage: all arrive later, in order, while the gateway refuses and answers 500 and HTML': (bundles) =>
    outage(bundles),
  'storm: none of 12,000 webhooks at full speed is lost, and the admin API answers throughout': (bundles) =>
    storm(bundles),
};
