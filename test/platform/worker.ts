/** The Worker that a deploy uploads, which `wrangler.toml` of the tests' runtime runs too: one instance in an isolate. */
// Not in the types: it is what `src` is bundled to.
const BUNDLE: string = '../../dist/worker/index.js';

const isWorker = (value: unknown): value is { fetch: NonNullable<ExportedHandler<Env>['fetch']> } =>
  value instanceof Object && 'fetch' in value;

const { default: worker }: { default: unknown } = await import(BUNDLE);
if (!isWorker(worker)) throw new Error(`${BUNDLE} has no fetch()`);

/** Answers a request as the deployed Worker does with these bindings. */
export const fetchWith = (request: Request, env: Env, ctx: ExecutionContext): Promise<Response> =>
  Promise.resolve(worker.fetch(request as Request<unknown, IncomingRequestCfProperties>, env, ctx));
