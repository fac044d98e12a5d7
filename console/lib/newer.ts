import { compareVersions } from '../../shared/doctor/compare-versions.ts';
import type { Release } from '../api/types.ts';

/** A hookbell that is newer than the relay. `changes`: empty if they are not known for exactly this relay. */
export interface Newer {
  readonly running: string;
  readonly version: string;
  readonly changes: readonly string[];
}

/** Returns the newest known hookbell; null if the relay is as new. */
export function newerOf(release: Release | null): Newer | null {
  if (release === null || release.newest === null) return null;
  const { version: running, newest } = release;
  const { version, since, changes } = newest;
  if (compareVersions(version, running) <= 0) return null;
  return { running, version, changes: since === running ? changes : [] };
}

/** A version as a number that grows with it. */
export const rankOfVersion = (version: string): number =>
  version
    .split(/[.+-]/)
    .slice(0, 3)
    .reduce((rank, part) => rank * 1_000 + Number(part), 0);
