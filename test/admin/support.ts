import { env, exports } from 'cloudflare:workers';
import { app } from '../../src/app.ts';

/** Never called: it says to `npm run test:changed` what these tests reach through the runtime. */
export const reached = (): Promise<unknown> => import('../../src/index.ts');

const ADMIN = 'https://relay.example/admin/api/v1';
const TOKEN = 'admin-token-of-the-tests';

/** The body of an error response of the admin API. */
export interface ProblemJson {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

/** A page of a list. */
export interface PageJson<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

/** A call of the admin API with the token, whose body is sent as it is. */
export const raw = (
  method: string,
  path: string,
  init: { readonly body?: BodyInit; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Response> =>
  exports.default.fetch(`${ADMIN}${path}`, {
    method,
    ...init,
    headers: { authorization: `Bearer ${TOKEN}`, ...init.headers },
  });

/** A call under bindings that a test has changed, with or without a token. */
export function callWith(
  changes: Readonly<Record<string, unknown>>,
  path: string,
  authorization: string | null = `Bearer ${TOKEN}`,
  method = 'GET',
): Promise<Response> {
  const bindings = new Proxy(env, {
    get: (target, name): unknown =>
      typeof name === 'string' && Object.hasOwn(changes, name) ? changes[name] : Reflect.get(target, name),
  });
  const headers = authorization === null ? {} : { authorization };
  return Promise.resolve(app.fetch(new Request(`${ADMIN}${path}`, { method, headers }), bindings));
}

/** The errors of a problem, one line each: `path: message`. */
export const lines = ({ errors = [] }: ProblemJson): readonly string[] =>
  errors.map(({ path, message }) => `${path}: ${message}`);

/** A source that anybody may post to, with one route to whom the payload names. */
export const form = (change: object = {}): Record<string, unknown> => ({
  verify: { scheme: 'none' },
  country: 'DE',
  routes: [{ name: 'all', to: '{{ payload.phone }}', send: { kind: 'text', message: '{{ payload.text }}' } }],
  ...change,
});
