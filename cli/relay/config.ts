import type * as z from 'zod/mini';
import type { ConfigSet } from '../../src/config/documents/schema.ts';
import { NAME } from '../../src/config/documents/name.ts';
import { ok, err } from '../../src/lib/result.ts';
import type { Client } from '../client.ts';
import { failed, type CommandResult } from '../failure.ts';
import { configSet, session, versionList, type Version, dryRun, published } from './shapes.ts';
import type { Cli } from '../command.ts';
import { fullTime } from '../show.ts';
import { safe } from '../text.ts';

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
  version?: number,
  role = 'operator or editor',
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

/** The keeper of a relay's set: git, a person who took it over from there, or nobody in particular. */
export type SetKeeping = Pick<z.output<typeof versionList>, 'managed' | 'taken_over'>;

export async function readKeeping(client: Client): Promise<CommandResult<SetKeeping>> {
  const answer = await client.get('/config/versions', versionList, { limit: 1 });
  return answer.ok ? ok(answer.value.data) : answer;
}

/** The same in a sentence; null: there is nothing to say. */
export function keepingText({ managed, taken_over: taken }: SetKeeping): string | null {
  if (managed !== null)
    return `the configuration has been managed in git since ${fullTime(managed.at)} (${safe(managed.by)}): only pushes with --managed change it`;
  return taken === null
    ? null
    : `${safe(taken.name)} took the configuration over from git at ${fullTime(taken.at)} (version ${taken.version})`;
}

/** Fails before anybody is asked, when the set is managed and a command without `--managed` would be refused. */
export function refuseManaged(
  { paste }: Pick<Cli, 'paste'>,
  keeping: SetKeeping,
  ...command: readonly string[]
): CommandResult {
  if (keeping.managed === null) return ok(undefined);
  return failed(`${keepingText(keeping) ?? ''}; nothing was changed`, {
    details: [
      `from the folder in git: ${paste(...command, '--managed')}`,
      `or take it over, with your name: ${paste('takeover', 'Ann')}`,
    ],
  });
}

export interface PublishResult {
  readonly json: unknown;
  /** 0 for a dry run. */
  readonly version: number;
  readonly warnings: readonly { readonly path: string; readonly message: string }[];
  /** True if Ctrl-C was pressed meanwhile. */
  readonly isInterrupted: boolean;
}

interface PublishOptions {
  readonly isDryRun?: boolean;
  readonly note?: string | undefined;
  /** Marks the set as managed; the texts of its files by their paths in the folder, as far as they are sent. */
  readonly files?: Readonly<Record<string, string>> | undefined;
}

/** Checking a full set and copying it to KV takes seconds; the rest is for slow networks. */
const TIMEOUT_MS = 120_000;

/**
 * Publishes a whole set, if `base` is still in force. A request that was sent cannot be undone, so Ctrl-C waits for its
 * answer. A second Ctrl-C does not wait; then it is unknown whether the set was published.
 */
export async function publishSet(
  client: Client,
  set: ConfigSet,
  base: number,
  { interrupt, out, pasteIn }: Pick<Cli, 'interrupt' | 'out' | 'pasteIn'>,
  { isDryRun = false, note, files }: PublishOptions = {},
): Promise<CommandResult<PublishResult>> {
  const pressed = { times: 0 };
  const release = interrupt.handle(() => {
    pressed.times += 1;
    if (pressed.times > 1) interrupt.leave(isDryRun ? 'nothing was published' : pasteIn(UNKNOWN));
    out.note('waiting for the answer, to know whether it was published; press Ctrl-C again to stop waiting');
  });
  const options = {
    body: { ...set, ...(files !== undefined && Object.keys(files).length > 0 && { files }) },
    query: { ...(isDryRun && { dry_run: 'true' }), ...(files !== undefined && { managed: 'true' }), note },
    headers: { 'if-match': `"${base}"` },
    timeout: TIMEOUT_MS,
  };
  out.progress(isDryRun ? 'checking …' : 'publishing …');
  const answer = await client.request('POST', '/config', isDryRun ? dryRun : published, options);
  release();
  out.progressDone();
  const isInterrupted = pressed.times > 0;
  if (answer.ok) {
    const { json, data } = answer.value;
    const { version = 0, warnings } = data;
    return ok({ json, version, warnings, isInterrupted });
  }
  const { error } = answer;
  const exit = isInterrupted ? 130 : error.exit;
  if (error.status === 412) {
    const message = `somebody else published after version ${base}, so nothing was changed; check \`hookbell diff\`, then push again`;
    return err({ ...error, message, exit });
  }
  const isRefused = error.status !== undefined && error.unsure !== true;
  const outcome = error.unsure === true && !isDryRun ? UNKNOWN : 'nothing was published';
  return err({ ...error, message: isRefused ? error.message : `${error.message}; ${outcome}`, exit });
}

const UNKNOWN = 'it may have been published: check `hookbell versions`';
