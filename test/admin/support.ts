import { exports } from 'cloudflare:workers';
import { expect } from 'vitest';
import { app } from '../../src/app.ts';
import { admin } from '../integration/relay.ts';
import { envWith } from '../platform/env.ts';

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
  const headers = authorization === null ? {} : { authorization };
  return Promise.resolve(app.fetch(new Request(`${ADMIN}${path}`, { method, headers }), envWith(changes)));
}

/** The answer to a viewer. */
export const asViewer = (path: string, method = 'GET', changes: object = {}): Promise<Response> => {
  const token = 'viewer-token-of-the-tests';
  return callWith({ ...changes, VIEWER_TOKEN: token }, path, `Bearer ${token}`, method);
};

/** The errors of a problem, one line each: `path: message`. */
export const lines = ({ errors = [] }: ProblemJson): readonly string[] =>
  errors.map(({ path, message }) => `${path}: ${message}`);

/** The errors of a call that is refused as invalid. */
export async function refusal(method: string, path: string, body?: unknown): Promise<readonly string[]> {
  const answer = await admin<ProblemJson>(method, path, body);
  expect([path, answer.status]).toEqual([path, 422]);
  return lines(answer.body);
}

/** Everything that a list has for a query, page by page. */
export async function listAll<Item>(path: string, limit = 50): Promise<readonly Item[]> {
  const found: Item[] = [];
  let cursor = '';
  for (let page = 0; page < 200; page += 1) {
    const { status, body } = await admin<PageJson<Item>>('GET', `/${path}&limit=${limit}${cursor}`);
    expect([path, status]).toEqual([path, 200]);
    expect(body.items.length).toBeLessThanOrEqual(limit);
    found.push(...body.items);
    if (body.next_cursor === null) return found;
    cursor = `&cursor=${body.next_cursor}`;
  }
  throw new Error('no end');
}

/** A source that anybody may post to, with one route to whom the payload names. */
export const form = (change: object = {}): Record<string, unknown> => ({
  verify: { scheme: 'none' },
  country: 'DE',
  routes: [{ name: 'all', to: '{{ payload.phone }}', send: { kind: 'text', message: '{{ payload.text }}' } }],
  ...change,
});
