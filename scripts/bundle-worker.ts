import { dirname } from 'node:path';
import { rolldown, type Plugin } from 'rolldown';

const ROOT = dirname(import.meta.dirname);

/** Filters of liquidjs that no template can name. It has them in tables, out of which a bundler takes nothing. */
const UNUSED =
  'slugify sum push unshift pop shift where_exp reject_exp group_by group_by_exp has_exp find_index_exp find_exp sample date_to_xmlschema date_to_rfc822 date_to_string date_to_long_string normalize_whitespace number_of_words array_to_sentence_string sha256 hmac_sha256';

/** Leaves them out. Each entry is a line, which stays, so that the source map stays right. */
const WITHOUT_UNUSED_FILTERS: Plugin = {
  name: 'hookbell:without-unused-filters',
  transform(code, id) {
    if (!id.endsWith('/liquid.browser.mjs')) return null;
    const entry = new RegExp(`^  (?:${UNUSED.replaceAll(' ', '|')}): [\\w$]+,?$`, 'gm');
    return { code: code.replaceAll(entry, ''), map: null };
  },
};

/** Bundles a Worker into `index.js` of a folder, minified, with the source map by which stack traces name lines of its sources. */
export async function bundleWorker(entry: string, folder: string, minify = true): Promise<void> {
  const bundle = await rolldown({
    cwd: ROOT,
    input: entry,
    platform: 'browser',
    external: [/^cloudflare:/, /^node:/],
    resolve: { conditionNames: ['workerd', 'worker', 'browser', 'import'] },
    transform: { target: 'es2024' },
    optimization: { inlineConst: true },
    // No code of the Worker, and of no library in it, has getters that do anything but return.
    treeshake: { propertyReadSideEffects: false },
    plugins: [WITHOUT_UNUSED_FILTERS],
    // A warning is an error: nobody reads a build's output.
    onLog: (_, { message }) => {
      throw new Error(message);
    },
  });
  await bundle.write({
    dir: folder,
    entryFileNames: 'index.js',
    format: 'esm',
    minify,
    sourcemap: true,
    // A deployed Worker does not need hints for bundlers. Licenses stay.
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await bundle.close();
}
