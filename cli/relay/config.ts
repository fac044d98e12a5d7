import type { ConfigSet } from '../../src/config/schema.ts';
import { NAME } from '../../src/config/schema.ts';
import { ok } from '../../src/lib/result.ts';
import type { Client } from '../client.ts';
import { failed, type Outcome } from '../failure.ts';
import { configSet } from './shapes.ts';

/** The configuration of a relay. */
export interface RemoteConfig {
  /** 0: nothing was published yet. */
  readonly version: number;
  readonly set: ConfigSet;
}

/** The set in force, or that of an earlier version. */
export async function readConfig(client: Client, version?: number): Promise<Outcome<RemoteConfig>> {
  const answer = await client.get('/config', configSet, { version });
  if (!answer.ok) return answer;
  const { headers, data } = answer.value;
  const inForce = Number(headers.get('hookbell-config-version') ?? NaN);
  if (!Number.isSafeInteger(inForce))
    return failed(
      `${client.profile.url} does not say which version is in force; is it the same version of hookbell?`,
    );
  // The names become names of files.
  const odd = Object.values(data).flatMap((documents) =>
    Object.keys(documents).filter((name) => !NAME.test(name)),
  );
  if (odd[0] !== undefined)
    return failed(`${client.profile.url} has a document that cannot be a file: \`${odd[0]}\``);
  return ok({ version: inForce, set: data });
}
