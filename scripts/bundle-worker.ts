import { dirname, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const ROOT = dirname(import.meta.dirname);

/** Bundles a Worker into one file of a folder, with the source map by which stack traces name lines of its sources. */
export async function bundleWorker(
  entry: string,
  folder: string,
  { name = 'index', minify = true }: { readonly name?: string; readonly minify?: boolean } = {},
): Promise<void> {
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
    // A warning is an error: nobody reads a build's output.
    onLog: (_, { message }) => {
      throw new Error(message);
    },
  });
  await bundle.write({
    dir: resolve(ROOT, folder),
    entryFileNames: `${name}.js`,
    format: 'esm',
    minify,
    sourcemap: true,
    // A deployed Worker does not need hints for bundlers. Licenses stay.
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await bundle.close();
}
