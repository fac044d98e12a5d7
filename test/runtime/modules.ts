/** What Vitest keeps of a module that was run. Its code (`meta`) stays: that is what takes long to come. */
interface ModuleNode {
  promise?: unknown;
  exports?: unknown;
  evaluated: boolean;
  readonly importers: Set<string>;
}

interface Worker {
  readonly evaluatedModules: { readonly idToModuleMap: ReadonlyMap<string, ModuleNode> };
}

/** Vitest has no public way to forget some modules and keep others: `vi.resetModules` forgets packages, too. */
const isWorker = (worker: unknown): worker is Worker =>
  worker instanceof Object &&
  'evaluatedModules' in worker &&
  worker.evaluatedModules instanceof Object &&
  'idToModuleMap' in worker.evaluatedModules &&
  worker.evaluatedModules.idToModuleMap instanceof Map;

/** The project's own modules: packages keep nothing that a test could see, and take longest to run. */
const isOwn = (path: string): boolean => !path.startsWith('\0') && !path.includes('/node_modules/');

/** The one that is running while the others are forgotten. */
const isRunning = (path: string): boolean => path.endsWith('/fresh.setup.ts');

/** Has the project's modules run again when they are next imported, so that none remembers an earlier test file. */
export function evaluateAnew(): void {
  const worker: unknown = Reflect.get(globalThis, '__vitest_worker__');
  if (!isWorker(worker))
    throw new Error(
      'this Vitest keeps its modules elsewhere: find them, or give every test file its own runtime',
    );
  for (const [path, node] of worker.evaluatedModules.idToModuleMap) {
    if (!isOwn(path) || isRunning(path)) continue;
    node.promise = undefined;
    node.exports = undefined;
    node.evaluated = false;
    node.importers.clear();
  }
}
