import { statSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';

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
