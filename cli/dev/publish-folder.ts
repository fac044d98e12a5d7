import '../facts.ts';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import type { Client } from '../client.ts';
import type { Cli } from '../command.ts';
import { must } from '../failure.ts';
import { diffSets } from '../diff/documents.ts';
import { checkFolder } from '../folder/check.ts';
import { countByKind } from '../folder/kinds.ts';
import { showProblem } from '../folder/problem.ts';
import { pasted, programName } from '../paste.ts';
import { readConfig, readVersion } from '../relay/config.ts';
import { published } from '../relay/shapes.ts';
import { count } from '../text.ts';
import { compileConfig } from '../../src/config/compile/compile.ts';
import { namedSecrets } from '../../src/config/secrets/named-secrets.ts';
import { readFolderOrNothing } from '../folder/read.ts';

/** The set in force once everything runs, and lines about it. */
export interface PublishedFolder {
  readonly lines: readonly string[];
  readonly sources: Readonly<Record<string, unknown>>;
  readonly isDemo: boolean;
}

/** The note of these versions in the list of versions. */
const NOTE = 'the folder, by hookbell dev';

/**
 * Publishes the documents of a folder, unless somebody published others: a person may try something in the console. A folder
 * with errors is not published; the lines say why.
 */
export async function publishFolder(cli: Cli, client: Client, folder: string): Promise<PublishedFolder> {
  const { version, set } = must(await readConfig(client));
  const before = { sources: set.sources, isDemo: false };
  const checked = await checkFolder(folder, { fixtures: false });
  if (!checked.ok) return { ...before, lines: [checked.error.message] };
  const { errors, documents } = checked.value;
  if (errors.length > 0)
    return {
      ...before,
      lines: [
        `${folder} has ${count(errors.length, 'error')} and is not published:`,
        ...errors.map(showProblem),
      ],
    };
  const what = `${folder} (${countByKind(documents)})`;
  if (version > 0 && diffSets(set, checked.value.set).length === 0)
    return { ...before, lines: [`Version ${version} is active: ${what}.`] };
  // With an address, since another relay's is meant without one: a tenant's, or that on the default port.
  const push = pasted({ program: programName(cli.env) }, 'push', folder, '--url', client.url);
  if (version > 0 && must(await readVersion(client, version))?.note !== NOTE)
    return {
      ...before,
      lines: [
        `Version ${version} is active and differs from ${folder}. It was left as it is; \`${push}\` publishes the folder.`,
      ],
    };
  const done = await client.request('POST', '/config', published, {
    body: checked.value.set,
    query: { note: NOTE },
  });
  if (!done.ok) {
    const { message, details = [] } = done.error;
    return {
      ...before,
      lines: [`${folder} is not published: ${message}`, ...details.map((one) => `  ${one}`)],
    };
  }
  return {
    lines: [`Published ${what} as version ${done.value.data.version}.`],
    sources: checked.value.set.sources,
    isDemo: false,
  };
}

/** The login of a gateway: those are the simulator's. */
const OF_A_GATEWAY = /^GATEWAY_/;

/** The secrets that the documents of a folder name and that have no value yet. */
export function missingSecrets(folder: string, known: Readonly<Record<string, string>>): readonly string[] {
  const local = readFolderOrNothing(folder);
  if (!local.ok) return [];
  const { config } = compileConfig(local.value.set, 0);
  return [...namedSecrets(config).keys()].filter(
    (name) => !OF_A_GATEWAY.test(name) && (known[name] ?? '') === '',
  );
}

/** Adds random values for these secrets to a file of variables. Only its user can read it if it is new. */
export function makeUpSecrets(file: string, names: readonly string[]): void {
  const isOpenLine = existsSync(file) && /[^\n]$/.test(readFileSync(file, 'utf8'));
  const lines = names.map((name) => `${name}="${randomBytes(24).toString('base64url')}"\n`);
  appendFileSync(file, (isOpenLine ? '\n' : '') + lines.join(''), { mode: 0o600 });
}
