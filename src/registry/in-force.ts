import { publishedJson, type CopiedVersion } from './kv-copy.ts';
import type { StoredOverrides } from './overrides.ts';
import type { RemovedAccounts } from './removed-accounts.ts';
import type { StoredSilences } from './silences.ts';
import type { StoredSuppressions } from './suppressions.ts';
import { inUse, type Versions } from './versions.ts';

/** The set in force, and the parts beside it. */
export interface InForceParts {
  readonly versions: Versions;
  readonly removed: RemovedAccounts;
  readonly silences: StoredSilences;
  readonly overrides: StoredOverrides;
  readonly suppressions: StoredSuppressions;
}

/** A changed part beside the set, and the `Published` of `load.ts` with or without it, as JSON. */
export interface Beside<Part> {
  readonly part: Part;
  readonly published: string | null;
}

/** The activation and version in force, with the parts beside its set. */
export const inForce = ({
  versions,
  removed,
  silences,
  overrides,
  suppressions,
}: InForceParts): CopiedVersion => ({
  ...versions.active(),
  removed: removed.json(),
  silences: silences.json(Date.now()),
  overrides: overrides.json(Date.now()),
  suppressions: suppressions.json(),
  publicUrl: jsonOf(versions.publicUrl()),
});

const jsonOf = (text: string | null): string | undefined =>
  text === null ? undefined : JSON.stringify(text);

/** The same as JSON, with the set; null if its version is gone. */
export function publishedInForce(parts: InForceParts): string | null {
  const stored = parts.versions.read();
  return stored === null ? null : publishedJson(inForce(parts), inUse(stored));
}
