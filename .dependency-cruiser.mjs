/**
 * The layers of `src`, from the bottom up. A folder imports from the lines above its own, and never from other folders
 * in its own line. `docs/architecture.md` says what each is for.
 */
const LAYERS = [
  ['lib'],
  ['schema'],
  ['counts', 'phone'],
  ['gateway', 'template', 'signature'],
  ['provider'],
  ['config'],
  ['answers', 'render'],
  ['outbox'],
  ['registry'],
  ['metrics', 'ingest'],
  ['admin'],
];

/** For each folder beside `src`, the parts of the project that it may import besides itself. */
const OUTSIDE = {
  // Shared by several of these, in Node and in a browser: a new source's documents, a phone's view of a message.
  shared: [
    'src/lib/json.ts',
    'src/lib/result.ts',
    'src/lib/text.ts',
    'src/lib/url.ts',
    'src/config/documents/account-defaults.ts',
    'src/config/secrets/credential-names.ts',
    'src/config/documents/name.ts',

    'src/gateway/makers',
    'src/ingest/form/texts.ts',
    'src/phone/dialled.ts',
  ],
  simulator: ['src/lib', 'src/gateway/shape.ts', 'shared/phone'],
  'api-docs': ['src', 'shared/shell-word.ts'],
  cli: ['src', 'api-docs', 'shared', 'simulator'],
  // Runs in the browser, so it may import only project code that needs no platform.
  console: [
    'api-docs',
    'shared',
    'src/admin/preview/pairs.ts',
    'src/config/documents/account-defaults.ts',
    'src/config/documents/name.ts',
    'src/config/compiled/silenced-text.ts',
    'src/config/documents/starter-texts.ts',
    'src/gateway/kinds.ts',
    'src/lib/api-codes.ts',
    'src/lib/json.ts',
    'src/lib/reason.ts',
    'src/lib/severity.ts',
    'src/lib/text.ts',
    'src/lib/time.ts',
    'src/lib/url.ts',
    'src/schema/states.ts',
    'src/phone/dialled.ts',
  ],
  scripts: ['src', 'api-docs', 'shared', 'cli', 'simulator'],
  // Tests may import the code that they test.
  test: ['src', 'api-docs', 'shared', 'cli', 'console', 'simulator', 'scripts'],
};

/** All packages are development dependencies, since published code is bundled. These are in the Worker's bundle. */
const IN_THE_WORKER = ['@rgrove/parse-xml', 'hono', 'libphonenumber-js', 'zod', '@cloudflare/workers-types'];

/** @param {readonly string[]} names */
const anyOf = (names) => `(${names.join('|')})`;

/** @param {readonly import('dependency-cruiser').IForbiddenRuleType[]} rules */
const asErrors = (rules) => rules.map((rule) => ({ severity: /** @type {const} */ ('error'), ...rule }));

const layerRules = LAYERS.flatMap((line, index) => {
  const below = LAYERS.slice(0, index).flat();
  return line.map((name) => ({
    name: `layer-${name}`,
    comment: `src/${name} may import from: ${below.join(', ') || 'nothing'}. What both need goes further down.`,
    from: { path: `^src/${name}/` },
    to: { path: '^src/', pathNot: `^src/${anyOf([name, ...below])}/` },
  }));
});

const outsideRules = Object.entries(OUTSIDE).map(([name, others]) => ({
  name: `outside-${name}`,
  comment: `${name} may import from: ${others.join(', ')}.`,
  from: { path: `^${name}/` },
  to: {
    path: '^(src|simulator|api-docs|shared|cli|console|scripts|test)/',
    pathNot: `^${anyOf([name, ...others])}(/|$)`,
  },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: asErrors([
    ...layerRules,
    ...outsideRules,
    {
      name: 'src-stands-alone',
      comment: 'The deployed code imports nothing from the tools around it.',
      from: { path: '^src/' },
      to: { path: '^(simulator|api-docs|shared|cli|console|scripts|test)/' },
    },
    {
      name: 'shared-runs-in-a-browser',
      comment:
        'It imports nothing of Node, no package but those of `yaml-patch`; of the assets the texts of forms.',
      from: { path: '^shared/' },
      to: { pathNot: '^(shared|src|assets/forms|node_modules/(diff|yaml))/' },
    },
    {
      name: 'few-packages-in-the-worker',
      comment: 'The deployed code contains only these packages.',
      from: { path: '^src/' },
      to: { path: 'node_modules/', pathNot: `node_modules/${anyOf(IN_THE_WORKER)}/` },
    },
    {
      name: 'is-in-its-list',
      comment: 'A command or a page that no list imports is not there.',
      from: {},
      module: {
        path: '^(cli/commands|console/pages/[^/]+)/[^/]+[.]tsx?$',
        numberOfDependentsLessThan: 1,
      },
    },
    {
      name: 'no-file-circle',
      comment: 'Two files that need each other are one, or both need a third. Types count.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'rooms-below-their-folder',
      comment: 'The files of a folder stand above its rooms, and a room never imports them back.',
      from: { path: '^src/([^/]+)/[^/]+/', pathNot: '^src/(provider/catalog|gateway/makers)/' },
      to: { path: '^src/$1/[^/]+$' },
    },
    {
      name: 'catalog-above-provider',
      comment: 'The code for providers does not depend on any one of them.',
      from: { path: '^src/provider/[^/]+$' },
      to: { path: '^src/provider/catalog/' },
    },
    {
      name: 'makers-above-gateway',
      comment: 'The code for gateways does not depend on any maker.',
      from: { path: '^src/gateway/[^/]+$' },
      to: { path: '^src/gateway/makers/' },
    },
    {
      name: 'answers-are-types',
      comment: 'Schemas of answers describe the API: the Worker has only their types, not their bytes.',
      from: { path: '^src/', pathNot: '/api-[^/]+$' },
      to: { path: '^src/.*/api-[^/]+$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-folder-circle',
      comment: 'Two rooms that need each other are one, or both need a third.',
      scope: 'folder',
      from: { path: '^src' },
      to: { circular: true },
    },
    {
      // `answers/` are the types of the API's answers, which `npm run types` writes for the console.
      name: 'no-lost-import',
      from: {},
      to: { couldNotResolve: true, pathNot: '^((cloudflare|node):|answers/)' },
    },
  ]),
  options: {
    // The project's TypeScript has no API for other programs yet.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    // Declares the objects behind the bindings. Nobody imports it.
    exclude: { path: '^src/env\\.d\\.ts$' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['workerd', 'import', 'types'] },
  },
};
