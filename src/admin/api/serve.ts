import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import { fault } from '../../lib/log.ts';
import { NOWHERE, problemResponse } from '../../lib/problem.ts';
import { redact } from '../../lib/redact.ts';
import { ok } from '../../lib/result.ts';
import { secretValues } from '../../lib/secret.ts';
import { withManyOutboxes } from '../../outbox/many-outboxes.ts';
import { admit, roleRequired, type Identity } from '../auth/login.ts';
import { mayAct, viewersSeePayloads } from '../auth/tokens.ts';
import { type ApiRoute, WithHeaders } from './route.ts';
import type * as z from 'zod/mini';
import { check, checkQuery, MAX_PUBLIC_BYTES, readJson } from '../request/input.ts';
import { maskNumbers } from '../../lib/numbers.ts';
import { masked } from '../../registry/view.ts';

type ApiContext = Context<{ Bindings: Env }>;

/** Returns these routes as an app. Any other path also needs a login before it gets a 404. */
export function apiOf(routes: readonly ApiRoute[]): Hono<{ Bindings: Env }> {
  const api = new Hono<{ Bindings: Env }>();
  for (const route of routes) api.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), serve(route));
  api.all('*', async ({ req, env }) => {
    const admitted = await admit(req.raw, env);
    return finished(admitted.ok ? problemResponse(NOWHERE) : admitted.error, env);
  });
  return api.onError((thrown, { req }) => fault(thrown, req.path));
}

/** Applies the rules for all routes: the caller's role, the viewer's view, and headers against caching. */
export const serve =
  (route: ApiRoute) =>
  async ({ req, env }: ApiContext): Promise<Response> => {
    const search = new URL(req.url).searchParams;
    const asked = { request: req.raw, params: req.param(), search, env };
    return finished(await answerOf(route, asked), env);
  };

async function answerOf(route: ApiRoute, asked: RequestScope): Promise<Response> {
  const { env, search } = asked;
  if (route.role === undefined) return answer(route, asked);
  const admitted = await admit(asked.request, env);
  if (!admitted.ok) return admitted.error;
  const login = admitted.value;
  const isGuess = route.guesses?.some((name) => search.has(name));
  const needed = isGuess ? 'operator' : route.role;
  if (!mayAct(login.role, needed)) return roleRequired(login.role, needed);
  const answered = await answer(route, { ...asked, login, env: withManyOutboxes(env) });
  return login.role === 'viewer' ? seenAnswer(answered, route, env) : answered;
}

/** Forbids caches on the way. Redacts errors: an unknown name may be a secret's value, written in place of its name. */
async function finished(answer: Response, env: Env): Promise<Response> {
  const isProblem = answer.headers.get('content-type') === 'application/problem+json';
  const response = isProblem ? new Response(redact(await answer.text(), secretValues(env)), answer) : answer;
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store');
  return response;
}

export interface RequestScope {
  readonly env: Env;
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly search: URLSearchParams;
  readonly login?: Identity;
}

async function answer(route: ApiRoute, { search, ...asked }: RequestScope): Promise<Response> {
  const { query = {}, body, status = 200, handle } = route;
  const checked = checkQuery(query, search);
  if (!checked.ok) return checked.error;
  const read = body === undefined ? ok(undefined) : await readBody(asked.request, body, route);
  if (!read.ok) return read.error;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schemas, and `serve`, have made it so
  const answered = await handle({ ...asked, query: checked.value, body: read.value } as never);
  if (answered instanceof Response) return answered;
  return answered instanceof WithHeaders
    ? Response.json(answered.value, { status, headers: answered.headers })
    : Response.json(answered, { status });
}

async function readBody(request: Request, schema: z.core.$ZodType, { isBodyOptional, role }: ApiRoute) {
  const isAbsent = request.body === null || request.headers.get('content-length') === '0';
  if (isBodyOptional && isAbsent) return check(schema, {});
  const read = await readJson(request, role === undefined ? MAX_PUBLIC_BYTES : undefined);
  return read.ok ? check(schema, read.value) : read;
}

/** Masks an answer for a viewer, by the view of its route. Throws if its type cannot be masked. */
export async function seenAnswer(answer: Response, { view }: ApiRoute, env: Env): Promise<Response> {
  if (answer.body === null || view === 'own') return answer;
  const type = answer.headers.get('content-type') ?? '';
  const isProblem = type.includes('problem');
  if (view === 'labels' && !isProblem) return new Response(maskLabels(await answer.text()), answer);
  if (!isProblem && (view === 'empty' || !type.startsWith('application/json')))
    throw new Error(`the answer to a viewer is ${type}, which cannot be masked`);
  const options = { showsPayloads: viewersSeePayloads(env) };
  const seen = masked(await answer.json<unknown>(), isProblem ? 'words' : view, options);
  return new Response(JSON.stringify(seen), answer);
}

/** The values of metrics are only counts. A label without an end is read once, to the end of the text. */
const maskLabels = (text: string): string =>
  text.replaceAll(/"(?:[^"\\]|\\.)*(?:"|$)/g, (label) => maskNumbers(label));
