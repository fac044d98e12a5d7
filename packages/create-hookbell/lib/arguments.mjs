import { readdirSync, statSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';

/**
 * Reads the arguments. Takes out this command's own options; all else from the first unknown option on belongs to `hookbell init`.
 *
 * @param {readonly string[]} args
 */
export function readArguments(args) {
  /** @type {string | null} */
  let folder = null;
  /** @type {string | null} */
  let spec = null;
  /** @type {string[]} */
  const init = [];
  const found = { isYes: false, isHelp: false, isInstalling: true, isGit: true };
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '--yes' || arg === '-y') found.isYes = true;
    else if (arg === '--help' || arg === '-h') found.isHelp = true;
    else if (arg === '--no-install') found.isInstalling = false;
    else if (arg === '--no-git') found.isGit = false;
    else if (arg === '--package' || arg.startsWith('--package=')) {
      const hasValue = arg.includes('=');
      spec = hasValue ? arg.slice('--package='.length) : (args[at + 1] ?? '');
      if (spec === '' || spec.startsWith('-'))
        throw new Error('--package needs a version or a tarball: --package ./hookbell-1.2.3.tgz');
      if (!hasValue) at += 1;
    } else if (folder === null && init.length === 0 && !arg.startsWith('-')) folder = arg;
    else init.push(arg);
  }
  return { folder, spec, init, ...found };
}

/**
 * The version of hookbell as `package.json` has it. `tarball`: a file that the project needs a copy of, since another machine,
 * such as the one of its workflow, has nothing outside of the project. A folder becomes a path from the project, with the slashes
 * that npm writes on every system.
 *
 * @param {string} given
 * @param {string} folder the project's
 * @returns {{ spec: string, tarball: string | null }}
 */
export function readSpec(given, folder) {
  const path = given.replace(/^file:/, '');
  const looksLikePath = given !== path || /[/\\]/.test(path) || path.endsWith('.tgz');
  if (!looksLikePath || /^(https?|git(\+\w+)?|npm|github):/.test(given))
    return { spec: given, tarball: null };
  const file = resolve(path);
  const info = statSync(file, { throwIfNoEntry: false });
  if (info === undefined) throw new Error(`--package: there is no ${file}`);
  return info.isFile()
    ? { spec: `file:${basename(file)}`, tarball: file }
    : { spec: `file:${relative(folder, file).replaceAll('\\', '/')}`, tarball: null };
}

/** The name of the package, and of the Worker, which is a part of a host name. */
const NAME = /^[a-z][a-z0-9-]{0,52}[a-z0-9]$/;

/** Entries that a new project's folder may already have. */
const HARMLESS = new Set(['.git', '.DS_Store']);

const NAMED = 3;

/**
 * Returns the project's name, which is the folder's. Throws if the folder is not empty, or its name suits no package or Worker.
 *
 * @param {string} folder
 * @param {string} given as the person wrote it
 */
export function checkFolder(folder, given) {
  const name = basename(folder);
  if (!NAME.test(name))
    throw new Error(
      `${JSON.stringify(name)} cannot be the name of a package and a Worker: use 2 to 54 lower-case letters, digits and hyphens, starting with a letter, such as ${suggestion(name)}`,
    );
  const info = statSync(folder, { throwIfNoEntry: false });
  if (info === undefined) return name;
  if (!info.isDirectory()) throw new Error(`${given} is a file: choose another name`);
  const files = readdirSync(folder).filter((file) => !HARMLESS.has(file));
  if (files.length > 0)
    throw new Error(
      `${given} is not empty (${files.slice(0, NAMED).join(', ')}${files.length > NAMED ? ', …' : ''}), so nothing was written: choose another folder. To add hookbell to a project: npm install hookbell wrangler, then npx hookbell init`,
    );
  return name;
}

/** @param {string} name */
function suggestion(name) {
  const made = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '')
    .slice(0, 54);
  return NAME.test(made) ? made : 'my-relay';
}
