import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { packageVersion } from '../../cli/doctor/changes.ts';
import type { Io } from '../../cli/io.ts';
import { readFolder } from '../../cli/folder/read.ts';
import { main as hookbell } from '../../cli/main.ts';
import { neededSecrets } from '../../cli/tenant/derive.ts';
import { FIRST_SOURCE, projectFiles } from '../../packages/create-hookbell/lib/project.mjs';

/** The folder that the Deploy button copies. */
const FOLDER = 'examples/cloudflare';

/** Always the same, whoever makes the template and wherever. */
const SURROUNDINGS = ['--country', 'US', '--locale', 'en-US', '--timezone', 'America/New_York'];

/** By path; null for a file that the project of `create-hookbell` has not. */
export async function deployProject(): Promise<ReadonlyMap<string, string | null>> {
  const files = await projectAndDocuments();
  const old = filesIn(FOLDER).filter((path) => !files.has(path));
  return new Map(
    [...old.map((path) => [path, null] as const), ...files].map(([path, text]) => [
      `${FOLDER}/${path}`,
      text,
    ]),
  );
}

async function projectAndDocuments(): Promise<ReadonlyMap<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-template-'));
  try {
    const code = await hookbell(['init', folder, '--yes', ...FIRST_SOURCE, ...SURROUNDINGS], silent);
    if (code !== 0) throw new Error('hookbell init failed');
    const local = readFolder(folder);
    if (!local.ok) throw new Error(local.error.message);
    const secrets = [...neededSecrets(local.value.set).keys()].filter((name) => name !== 'ADMIN_TOKEN');
    const facts = { name: 'hookbell-relay', spec: packageVersion(), bringsNode: false };
    const files = new Map(projectFiles({ ...facts, secrets }));
    for (const path of filesIn(folder)) {
      const text = readFileSync(join(folder, path), 'utf8');
      // In a project the schemas are in its package.
      files.set(
        `hookbell/${path}`,
        text.replace(/\$schema=\S+\/(\w+\.json)/, '$schema=../../node_modules/hookbell/assets/schemas/$1'),
      );
    }
    return files;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const silent: Io = {
  stdout: { write: () => true },
  stderr: process.stderr,
  env: { HOOKBELL_URL: 'http://localhost:8787' },
  readStdin: () => '',
  interrupt: { handle: () => () => {}, leave: () => process.exit(1) },
  ask: null,
};

const filesIn = (folder: string): readonly string[] =>
  !existsSync(folder)
    ? []
    : readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
        .sort();
