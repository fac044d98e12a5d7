/** The Worker that a deploy uploads, which the tests' runtime runs too: one instance in an isolate. */
// Not in the types: it is what `src` is bundled to.
const BUNDLE: string = '../../dist/worker/index.js';

interface Worker {
  readonly fetch: (request: Request, env: Env, ctx: ExecutionContext) => Promise<Response>;
}

const isWorker = (value: unknown): value is Worker => value instanceof Object && 'fetch' in value;

const bundle: unknown = await import(BUNDLE);
const worker: unknown = bundle instanceof Object && 'default' in bundle ? bundle.default : null;
if (!isWorker(worker)) throw new Error(`${BUNDLE} has no fetch()`);

/** Answers a request as the deployed Worker does with these bindings. */
export const fetchWith = worker.fetch;
