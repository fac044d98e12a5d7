import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';

const USAGE = `usage: npm run release -- <version> [--dry-run] [--skip-checks]

Makes a version of what is unreleased in CHANGELOG.md: a changelog entry, a commit and the tag v<version>. Writes both
packages, the sources, notes and checksums to dist/release. Pushes, publishes and signs nothing.

  --dry-run       says what would be done, and does nothing
  --skip-checks   does not run .ci/run first
`;

const packageSchema = z.object({
  version: z.string(),
  repository: z.object({ url: z.string() }).optional(),
});

/** For a person to publish. */
const FOLDER = 'dist/release';

const CREATE = 'packages/create-hookbell';

/** Checksums are beside the files: whoever can change the files can change them, too. */
const UNSIGNED =
  'Nothing is signed: SHA256SUMS finds accidents, not forgeries. In CI, `npm publish --provenance` signs the packages.';

const WORKER_VERSION = 'src/lib/version.ts';

/** `npm run release`: works in the current folder, which npm sets to the project's. */
function main(args: readonly string[]): void {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean' }, 'skip-checks': { type: 'boolean' } },
  });
  const [version, ...more] = positionals;
  if (version === undefined || more.length > 0) throw new Error(USAGE);
  const changelog = examine(version);
  if (values['dry-run'] === true) {
    says(`${version} can be released: CHANGELOG.md, a commit, tag v${version}, and ${FOLDER}`);
    return;
  }
  if (values['skip-checks'] !== true) check();
  try {
    write(version, changelog);
    git('commit', '--quiet', '--all', '--message', `chore(release): ${version}`);
  } catch (thrown) {
    // The tree was clean: this reverts only what this script wrote.
    git('reset', '--quiet', '--hard');
    throw thrown;
  }
  git('tag', '--annotate', `v${version}`, '--message', `hookbell ${version}`);
  const files = releaseFiles(version);
  says(`released ${version}, in ${FOLDER}: ${files.join(', ')}
${UNSIGNED}
What is left to do by hand:
  git push --follow-tags
  npm publish ${FOLDER}/hookbell-${version}.tgz --access public
  npm publish ${FOLDER}/create-hookbell-${version}.tgz --access public
  gh release create v${version} --notes-file ${FOLDER}/notes.md ${FOLDER}/*`);
}

/** The changelog with the version's entry. Throws when this release is not possible. */
function examine(version: string): string {
  const { version: last, repository } = packageSchema.parse(JSON.parse(readFileSync('package.json', 'utf8')));
  if (repository?.url.includes('/OWNER/') === true)
    throw new Error(
      'nobody owns the repository yet: replace OWNER in the files of `git grep OWNER/hookbell`, and commit',
    );
  if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version))
    throw new Error(`${version} is not a version such as 1.2.3`);
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`the tag v${version} is there already`);
  // An equal version is right if it was written, but never released.
  if (version.localeCompare(last, 'en', { numeric: true }) < 0)
    throw new Error(`${version} is before ${last}, the version in package.json`);
  if (git('status', '--porcelain') !== '')
    throw new Error('the working tree is not clean: commit or stash what `git status` shows');
  const changelog = released(readFileSync('CHANGELOG.md', 'utf8'), version, today());
  if (changelog === null)
    throw new Error('CHANGELOG.md has nothing under `## [Unreleased]`: say there what is new, as a list');
  return changelog;
}

function check(): void {
  const { status } = spawnSync('.ci/run', { stdio: 'inherit' });
  if (status !== 0) throw new Error('.ci/run failed: a release has to pass it');
  if (git('status', '--porcelain') !== '') throw new Error('.ci/run changed files: see `git status`');
}

function write(version: string, changelog: string): void {
  writeFileSync('CHANGELOG.md', changelog);
  // npm's own commit and tag would not have the files that are generated from the version.
  npm('version', version, '--no-git-tag-version', '--allow-same-version', '--ignore-scripts');
  const manifest = `${CREATE}/package.json`;
  const text = readFileSync(manifest, 'utf8');
  writeFileSync(manifest, text.replace(/"version": "[^"]+"/, `"version": "${version}"`));
  // A Worker reads no package.json.
  writeFileSync(WORKER_VERSION, readFileSync(WORKER_VERSION, 'utf8').replace(/'[\d.]+'/, `'${version}'`));
  npm('run', 'docs');
}

function releaseFiles(version: string): readonly string[] {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  npm('pack', '--pack-destination', FOLDER);
  npm('pack', `./${CREATE}`, '--pack-destination', FOLDER);
  // The files of the tag without its history; `npm ci` makes the rest.
  const sources = `--output=${FOLDER}/hookbell-${version}-sources.tgz`;
  git('archive', '--format=tar.gz', `--prefix=hookbell-${version}/`, sources, `v${version}`);
  const sums = readdirSync(FOLDER)
    .sort()
    .map((name) => `${digestOf(join(FOLDER, name))}  ${name}\n`);
  writeFileSync(join(FOLDER, 'notes.md'), notesOf(readFileSync('CHANGELOG.md', 'utf8'), version));
  writeFileSync(join(FOLDER, 'SHA256SUMS'), sums.join(''));
  return readdirSync(FOLDER).sort();
}

/** A changelog after https://keepachangelog.com: its first section has the unreleased changes. */
const UNRELEASED = '## [Unreleased]\n';

/**
 * The changelog with its unreleased section as the entry of `version`, released on `date` (`2026-11-22`). Null: that
 * section is empty, so there is nothing to release.
 */
export function released(changelog: string, version: string, date: string): string | null {
  const begin = changelog.indexOf(UNRELEASED);
  if (begin < 0) return null;
  const body = begin + UNRELEASED.length;
  if (!/^- /m.test(sectionFrom(changelog, body))) return null;
  return `${changelog.slice(0, body)}\n## [${version}] - ${date}\n${changelog.slice(body)}`;
}

/** The text from a place to the next heading. */
function sectionFrom(changelog: string, body: number): string {
  const next = changelog.indexOf('\n## ', body);
  return changelog.slice(body, next < 0 ? undefined : next);
}

/** The entry of a version, for the release's page. Empty: there is none. */
function notesOf(changelog: string, version: string): string {
  const begin = changelog.indexOf(`\n## [${version}]`);
  return begin < 0 ? '' : `${sectionFrom(changelog, changelog.indexOf('\n', begin + 1)).trim()}\n`;
}

const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

const git = (...args: readonly string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();

/** npm reports on stdout, which is for this script's result. */
const npm = (...args: readonly string[]): void =>
  void execFileSync('npm', ['--silent', ...args], { stdio: ['ignore', 'ignore', 'inherit'] });

const says = (what: string): boolean => process.stdout.write(`${what}\n`);

const today = (): string => new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);

if (import.meta.main)
  try {
    main(process.argv.slice(2));
  } catch (thrown) {
    process.stderr.write(`release: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    process.exitCode = 1;
  }
