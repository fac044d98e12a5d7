/** The Worker that a deploy uploads, and that the tests' runtime runs: one instance. Its bundle has no types. */
const BUNDLE: string = '../../dist/worker/index.js';

interface Bundle {
  readonly default: {
    readonly fetch: (request: Request, env: Env, ctx: ExecutionContext) => Promise<Response>;
  };
}

const isBundle = (value: unknown): value is Bundle =>
  typeof value === 'object' && value !== null && 'default' in value;

const bundle: unknown = await import(BUNDLE);
if (!isBundle(bundle)) throw new Error(`${BUNDLE} has no default export`);

/** Answers a request as the deployed Worker does with these bindings. */
export const fetchWith = bundle.default.fetch;
