import { copyFileSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { checkFolder, readArguments, readSpec } from './arguments.mjs';
import { FIRST_SOURCE, NOBODY, NODE_OF_WRANGLER, nodeFor, projectFiles, writeProject } from './project.mjs';
import { initGit, neededSecrets, runInit, runInstall } from './run.mjs';

const USAGE = `Usage: npm create hookbell@latest <folder> -- [options]

Makes a project for a relay: settings for Wrangler, a folder of documents with a first source, and a GitHub workflow that
checks and publishes them.

  -y, --yes          ask nothing; the first source takes webhooks with a token
  --package <spec>   the hookbell to install: a version or a tarball (default: this version). A tarball is
                     copied into the project
  --no-git           make no git repository
  --no-install       only write the files; install and \`npx hookbell init\` later
  -h, --help         show this text

All other options are passed to \`hookbell init\`: --provider stripe, --to "+49 151 12345678" …
`;

const OWN = join(fileURLToPath(import.meta.url), '..', '..', 'package.json');

/**
 * `create-hookbell`: sets the exit code.
 *
 * @param {readonly string[]} args
 * @param {string} [nodeVersion] of the person's Node, if a different one runs this
 */
export async function main(args, nodeVersion) {
  try {
    process.exitCode = await create(args, nodeVersion);
  } catch (thrown) {
    process.stderr.write(`create-hookbell: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    process.exitCode = 1;
  }
}

/**
 * @param {readonly string[]} args
 * @param {string} [nodeVersion]
 */
async function create(args, nodeVersion = process.versions.node) {
  const given = readArguments(args);
  if (given.isHelp) {
    process.stdout.write(USAGE);
    return 0;
  }
  const isAsking = !given.isYes && process.stdin.isTTY && process.stderr.isTTY;
  const name = given.folder ?? (isAsking ? await ask('The folder of the project', 'my-relay') : null);
  if (name === null) throw new Error('give a folder: npm create hookbell@latest my-relay');
  const folder = resolve(name);
  const project = checkFolder(folder, name);
  const { spec, tarball } = readSpec(given.spec ?? ownVersion(), folder);
  const node = nodeFor(nodeVersion, process);
  const facts = { name: project, spec, bringsNode: node === 'brought' };
  writeProject(folder, projectFiles(facts));
  if (tarball !== null) copyFileSync(tarball, join(folder, basename(tarball)));
  const isRepository = given.isGit && (await initGit(folder));
  print(`Wrote ${name}${isRepository ? ', and made it a git repository' : ''}.`);
  if (tarball !== null)
    print(`Its hookbell is the copied ${basename(tarball)}: commit that file, too, until npm has a release.`);
  if (node === 'none')
    print(
      `Wrangler needs Node ${NODE_OF_WRANGLER} or newer. npm has none for ${process.platform} on ${process.arch} that the project could bring: install one from https://nodejs.org`,
    );
  const next = [`cd ${quoted(name)}`];
  if (!given.isInstalling) return show([...next, 'npm install', 'npx hookbell init', 'npm run dev']);
  print('Installing hookbell and Wrangler …');
  const wrong = await runInstall(folder);
  if (wrong !== null) {
    process.stderr.write(`create-hookbell: ${wrong}\n`);
    show([...next, 'npm install', 'npx hookbell init', 'npm run dev'], 'Once that is fixed:');
    return 1;
  }
  const isFirst = given.init.length === 0 && !isAsking;
  const init = isFirst ? FIRST_SOURCE : given.init;
  const code = await runInit(folder, isAsking ? init : ['--yes', ...init]);
  if (code !== 0) {
    show([...next, 'npx hookbell init', 'npm run dev'], 'The project has no source yet. To continue:');
    return code;
  }
  const secrets = await neededSecrets(folder);
  if (secrets !== null) writeProject(folder, projectFiles({ ...facts, secrets }));
  if (isFirst)
    print(`\n${NOBODY} reaches nobody: replace it in ${name}/hookbell/recipients before you deploy.`);
  return show([...next, 'npm run dev']);
}

/**
 * Asks on the terminal; Enter takes what is offered.
 *
 * @param {string} question
 * @param {string} initial
 */
async function ask(question, initial) {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await lines.question(`${question} (${initial}): `);
    return answer.trim() === '' ? initial : answer.trim();
  } finally {
    lines.close();
  }
}

/**
 * @param {readonly string[]} commands
 * @param {string} title
 */
function show(commands, title = 'Next:') {
  print(`\n${title}`);
  for (const command of commands) print(`  ${command}`);
  return 0;
}

function ownVersion() {
  /** @type {{ readonly version: string }} */
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- our own file
  const { version } = JSON.parse(readFileSync(OWN, 'utf8'));
  return version;
}

/** @param {string} text */
const print = (text) => process.stdout.write(`${text}\n`);

/** @param {string} word */
const quoted = (word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `"${word}"`);
