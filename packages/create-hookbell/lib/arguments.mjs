import { statSync } from 'node:fs';
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
