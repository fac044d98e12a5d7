import * as z from 'zod/mini';
import { compareVersions } from '../../shared/doctor/compare-versions.ts';
import type { Client } from '../client.ts';
import { changesBetween } from '../doctor/changes.ts';
import { packageChangelog, packageVersion } from '../doctor/package-version.ts';

const release = z.object({
  version: z.string(),
  newest: z.nullable(z.object({ version: z.string(), since: z.string() })),
});

/** The maximum number of changes that a relay takes, and of UTF-16 units in one. */
const MAX_CHANGES = 50;
const MAX_CHANGE = 200;

/**
 * Reports the newest known hookbell to the relay, whose console then says that it is older, and what is new. `newest`: the
 * version that npm has, where it was asked. Nobody waits for the result: a login that may not, or a relay that is older than this
 * route, changes nothing for the command.
 */
export async function reportRelease(client: Client, newest: string | null = null): Promise<void> {
  const own = packageVersion();
  const known = newest !== null && compareVersions(newest, own) > 0 ? newest : own;
  const answer = await client.get('/release', release);
  if (!answer.ok) return;
  const { version, newest: reported } = answer.value.data;
  if (compareVersions(known, version) <= 0) return;
  if (reported !== null && reported.since === version && compareVersions(known, reported.version) <= 0)
    return;
  const changes = changesBetween(packageChangelog(), version, known)
    .slice(0, MAX_CHANGES)
    .map((change) => change.slice(0, MAX_CHANGE));
  await client.request('PUT', '/release', z.unknown(), { body: { version: known, since: version, changes } });
}
