import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file of variables that only this user can read. */
interface VarsFile {
  readonly file: string;
  readonly remove: () => void;
}

/** Writes variables for `wrangler dev --env-file`: everybody on the machine can read a process's arguments. */
export function writeVarsFile(vars: Readonly<Record<string, string>>): VarsFile {
  const lines = Object.entries(vars).map(([name, value]) => `${name}=${quoted(name, value)}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-'));
  const file = join(folder, 'vars.env');
  writeFileSync(file, lines.join(''), { mode: 0o600 });
  const remove = (): void => {
    process.removeListener('exit', remove);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', remove);
  return { file, remove };
}

/** Wrangler reads with dotenv, which takes only single quotes and backticks literally, and then expands `$NAME`. */
function quoted(name: string, value: string): string {
  const quote = ["'", '`'].find((one) => !value.includes(one));
  if (quote === undefined || value.endsWith('\\'))
    throw new Error(`${name} cannot be passed on: it has both ' and \` in it, or ends in \\`);
  return quote + value.replaceAll('$', () => '\\$') + quote;
}
