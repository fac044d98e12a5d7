import '../facts.ts';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { compileConfig } from '../../src/config/compile/compile.ts';
import { namedSecrets } from '../../src/config/secrets/named-secrets.ts';
import { readFolderOrNothing } from '../folder/read.ts';

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
