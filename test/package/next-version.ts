import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT, WORKER_FILE } from '../../cli/built.ts';
import { bundleWorker } from '../../scripts/bundle-worker.ts';

/** The version after this one, as far as the tests are concerned. */
export const NEXT = '99.0.0';

/** The news in the changelog of the next version. */
export const NEWS = 'Bells ring twice';

/**
 * Packs the next version from this tree: another version number and changelog. A stored tarball of an earlier release would be another way, once there is one: 2.4 MiB for each.
 */
export async function packNext(hookbell: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-next-'));
  execFileSync('tar', ['-xf', hookbell, '-C', folder]);
  const unpacked = join(folder, 'package');
  edit(join(unpacked, 'package.json'), /"version": "[^"]+"/, `"version": "${NEXT}"`);
  edit(
    join(unpacked, 'CHANGELOG.md'),
    '## [Unreleased]',
    `## [Unreleased]\n\n## [${NEXT}] - 2099-01-01\n\n### Added\n\n- ${NEWS}. Loudly.\n`,
  );
  writeFileSync(join(unpacked, WORKER_FILE), await nextWorker());
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
    cwd: unpacked,
    stdio: 'ignore',
  });
  return join(folder, `hookbell-${NEXT}.tgz`);
}

/** The Worker of this tree with the next version's number. */
async function nextWorker(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-next-worker-'));
  try {
    for (const name of ['src', 'package.json', 'tsconfig.json', 'shared'])
      cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    edit(join(folder, 'package.json'), /"version": "[^"]+"/, `"version": "${NEXT}"`);
    edit(join(folder, 'src/lib/version.ts'), /'[\d.]+'/, `'${NEXT}'`);
    const out = join(folder, 'out');
    await bundleWorker(join(folder, 'src/index.ts'), out);
    return readFileSync(join(out, 'index.js'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Replaces one place of a file, which must be there. */
function edit(file: string, what: string | RegExp, by: string): void {
  const before = readFileSync(file, 'utf8');
  const after = before.replace(what, () => by);
  if (after === before) throw new Error(`${file} has no ${String(what)}`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, after);
}
