import { statSync } from 'node:fs';
import { relative, resolve } from 'node:path';

/**
 * The version of hookbell as `package.json` has it. A tarball or a folder becomes a path from the project, with the slashes that
 * npm writes on every system.
 *
 * @param {string} given
 * @param {string} folder the project's
 */
export function readSpec(given, folder) {
  const path = given.replace(/^file:/, '');
  const looksLikePath = given !== path || /[/\\]/.test(path) || path.endsWith('.tgz');
  if (!looksLikePath || /^(https?|git(\+\w+)?|npm|github):/.test(given)) return given;
  const file = resolve(path);
  if (statSync(file, { throwIfNoEntry: false }) === undefined)
    throw new Error(`--package: there is no ${file}`);
  return `file:${relative(folder, file).replaceAll('\\', '/')}`;
}
