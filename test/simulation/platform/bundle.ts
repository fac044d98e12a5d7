import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { rolldown } from 'rolldown';

const ROOT = join(import.meta.dirname, '../../..');

/** The globals that the platform gives to code, and that a simulated one has to give itself. */
export const GLOBALS = [
  'Date',
  'Math',
  'performance',
  'crypto',
  'fetch',
  'console',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'scheduler',
  'AbortSignal',
  'globalThis',
  'self',
  'process',
  'setImmediate',
  'caches',
] as const;

export type Globals = Readonly<Record<(typeof GLOBALS)[number], unknown>>;

export type WorkerExports = Readonly<Record<string, unknown>>;

/** The production modules, compiled. Each call evaluates them anew: an isolate with a memory of its own. */
export type Program = (modules: Readonly<Record<string, object>>, globals: Globals) => WorkerExports;

/** Bundles the Worker's modules as they are written, without the warm-up of `src/index.ts`, and compiles them once. */
export async function compileWorker(entry = 'src/worker.ts'): Promise<Program> {
  const bundle = await rolldown({
    cwd: ROOT,
    input: entry,
    platform: 'browser',
    external: [/^cloudflare:/, /^node:/],
    resolve: { conditionNames: ['workerd', 'worker', 'browser', 'import'] },
    transform: {
      target: 'es2024',
      define: { 'process.env.NODE_ENV': '"production"', 'navigator.userAgent': '"Cloudflare-Workers"' },
    },
  });
  const { output } = await bundle.generate({ format: 'cjs', exports: 'named' });
  await bundle.close();
  const compiled = compileFunction(output[0].code, ['require', 'module', 'exports', ...GLOBALS], {
    filename: 'worker.js',
  });
  const ofNode = createRequire(import.meta.url);
  return (modules, globals) => {
    const module: { exports: WorkerExports } = { exports: {} };
    const load = (name: string): unknown => modules[name] ?? ofNode(name);
    Reflect.apply(compiled, undefined, [
      load,
      module,
      module.exports,
      ...GLOBALS.map((name) => globals[name]),
    ]);
    return module.exports;
  };
}
