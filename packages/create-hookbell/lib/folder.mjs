import { readdirSync, statSync } from 'node:fs';
import { basename } from 'node:path';

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
