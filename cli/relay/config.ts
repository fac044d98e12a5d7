import * as z from 'zod/mini';
import type { ConfigSet } from '../../src/config/documents/schema.ts';
import { NAME } from '../../src/config/documents/name.ts';
import { ok } from '../../src/lib/result.ts';
import type { Client } from '../client.ts';
import { failed, type CommandResult } from '../failure.ts';
import { configSet, versionList, type Version } from './shapes.ts';

export interface RemoteConfig {
  /** 0: nothing was published yet. */
  readonly version: number;
  readonly set: ConfigSet;
}

/** The set in force, or that of an earlier version. */
export async function readConfig(client: Client, version?: number): Promise<CommandResult<RemoteConfig>> {
  const answer = await client.get('/config', configSet, { version });
  if (!answer.ok) return answer;
  const { headers, data } = answer.value;
  const inForce = Number(headers.get('hookbell-config-version') ?? NaN);
  if (!Number.isSafeInteger(inForce))
    return failed(`${client.url} does not say which version is active; use the relay’s version of hookbell`);
  // The names become names of files.
  const odd = Object.values(data).flatMap((documents) =>
    Object.keys(documents).filter((name) => !NAME.test(name)),
  );
  if (odd[0] !== undefined)
    return failed(
      `${client.url} has a document whose name cannot be the name of a file: \`${odd[0]}\`; use the relay’s version of hookbell`,
    );
  return ok({ version: inForce, set: data });
}

/** {@link readConfig} for a folder: refuses numbers that the relay masks for a viewer, which are nobody's. */
export async function readWholeConfig(
  client: Client,
  { version, role = 'operator or editor' }: { readonly version?: number; readonly role?: string } = {},
): Promise<CommandResult<RemoteConfig>> {
  const config = await readConfig(client, version);
  if (!config.ok || !JSON.stringify(config.value.set).includes(MASK)) return config;
  const login = await client.get('/session', session);
  return login.ok && login.value.data.role === 'viewer'
    ? failed(
        `this token is a viewer’s, for whom numbers are masked: put the token of an ${role} into HOOKBELL_TOKEN`,
      )
    : config;
}

/** In each masked number or address: src/lib/numbers.ts. */
const MASK = '•••••';
const session = z.object({ role: z.string() });

/** Returns a version; null: there is none with this number. */
export async function readVersion(client: Client, version: number): Promise<CommandResult<Version | null>> {
  // The list begins below the cursor.
  const page = await client.get('/config/versions', versionList, { limit: 1, cursor: version + 1 });
  if (!page.ok) return page;
  const [found] = page.value.data.items;
  return ok(found?.version === version ? found : null);
}

/** A version that there is; without a number the one in force. The failure says which there are. */
export async function readKnownVersion(client: Client, wanted?: number): Promise<CommandResult<Version>> {
  const number = wanted === undefined ? await readConfig(client) : ok({ version: wanted });
  if (!number.ok) return number;
  const { version } = number.value;
  const found = await readVersion(client, version);
  if (!found.ok) return found;
  if (found.value !== null) return ok(found.value);
  const newest = await client.get('/config/versions', versionList, { limit: 1 });
  if (!newest.ok) return newest;
  const [last] = newest.value.data.items;
  if (last === undefined) return failed('nothing has been published yet, so there are no versions');
  const range = last.version === 1 ? 'there is only version 1' : `there are 1 to ${last.version}`;
  return failed(`there is no version ${version}; ${range}: \`hookbell versions\` lists them`);
}
