import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NODE_BUILDS, NODE_VERSION, WRANGLER_VERSION } from './versions.mjs';

const TEMPLATE = join(fileURLToPath(import.meta.url), '..', '..', 'template');

/** Wrangler does not run on an older one. */
const NODE_OF_WRANGLER = 22;

/**
 * The files of a new project, by their paths with slashes.
 *
 * @param {{ name: string, spec: string, nodeVersion?: string | undefined }} facts `nodeVersion`: of the Node that the person has
 * @returns {ReadonlyMap<string, string>}
 */
export function projectFiles({ name, spec, nodeVersion = process.versions.node }) {
  const files = new Map(
    filesBelow(TEMPLATE).map((file) => [
      nameOf(relative(TEMPLATE, file)),
      readFileSync(file, 'utf8').replaceAll('{{name}}', name),
    ]),
  );
  files.set('package.json', packageJson(files.get('package.json') ?? '{}', spec, nodeVersion));
  return files;
}

/**
 * The project brings a Node if the person's is too old for Wrangler, as an optional dependency for each system.
 *
 * @param {string} text
 * @param {string} spec
 * @param {string} nodeVersion
 */
function packageJson(text, spec, nodeVersion) {
  /** @type {{ scripts: Record<string, string>, dependencies: Record<string, string>, optionalDependencies?: Record<string, string> }} */
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- our own file
  const project = JSON.parse(text);
  project.dependencies = { hookbell: spec, wrangler: WRANGLER_VERSION };
  if (Number(nodeVersion.split('.')[0]) < NODE_OF_WRANGLER) {
    project.scripts = { prepare: 'node node_modules/hookbell/bin/link-node.mjs', ...project.scripts };
    project.optionalDependencies = Object.fromEntries(NODE_BUILDS.map((build) => [build, NODE_VERSION]));
  }
  return `${JSON.stringify(project, null, 2)}\n`;
}

/**
 * @param {string} folder
 * @param {ReadonlyMap<string, string>} files
 */
export function writeProject(folder, files) {
  for (const [path, text] of files) {
    const file = join(folder, ...path.split('/'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/**
 * npm does not pack some names that begin with a dot: in the template they begin with `_`.
 *
 * @param {string} path
 */
const nameOf = (path) =>
  path
    .split(/[/\\]/)
    .map((part) => part.replace(/^_/, '.'))
    .join('/');

/**
 * @param {string} folder
 * @returns {readonly string[]}
 */
const filesBelow = (folder) =>
  readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? filesBelow(path) : [path];
    });
