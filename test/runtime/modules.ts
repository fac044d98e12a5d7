/** Vitest's record of a module that was run. Its code (`meta`) stays: it is what takes long to load. */
interface ModuleNode {
  readonly meta?: object;
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

/** Vitest's runner of modules in this runtime. */
interface Runner {
  readonly evaluatedModules: { readonly getModuleByUrl: (url: string) => ModuleNode | undefined };
  cachedModule: (url: string, importer?: string) => Promise<ModuleNode>;
}

const isRunner = (runner: unknown): runner is Runner =>
  runner instanceof Object && 'cachedModule' in runner && 'evaluatedModules' in runner;

/**
 * Vitest asks the process outside of the runtime for each import, though it has the code: `src` has two thousand, which took ten
 * times as long as to run them. A module that it has is found here from now on.
 */
export function findHere(): void {
  const mocker: unknown = Reflect.get(globalThis, '__vitest_mocker__');
  const runner: unknown = mocker instanceof Object ? Reflect.get(mocker, 'moduleRunner') : null;
  if (!isRunner(runner)) throw new Error('this Vitest imports modules by other means: find them');
  if (Object.hasOwn(runner, 'cachedModule')) return;
  const ask = runner.cachedModule.bind(runner);
  runner.cachedModule = async (url, importer) => {
    const known = runner.evaluatedModules.getModuleByUrl(url);
    // A module in whose place another was put is another's affair.
    return known?.meta === undefined || 'mockedModule' in known.meta ? ask(url, importer) : known;
  };
}
