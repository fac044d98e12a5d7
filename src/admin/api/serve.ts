import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import { fault } from '../../lib/log.ts';
import { NOWHERE, problemResponse } from '../../lib/problem.ts';
import { redact } from '../../lib/redact.ts';
import type { Result } from '../../lib/result.ts';
import { secretValues } from '../../lib/secret.ts';
import { withManyOutboxes } from '../../outbox/many-outboxes.ts';
import { admit, roleRequired } from '../auth/auth.ts';
import type { Identity } from '../auth/login.ts';
import { mayAct } from '../auth/role.ts';
import { answer, type RequestScope } from './answer.ts';
import type { ApiRoute } from './route.ts';
import { seenAnswer } from './viewer.ts';

type ApiContext = Context<{ Bindings: Env }>;

/** Returns these routes as an app. Any other path also needs a login before it gets a 404. */
export function apiOf(routes: readonly ApiRoute[]): Hono<{ Bindings: Env }> {
  const api = new Hono<{ Bindings: Env }>();
  for (const route of routes) api.on(route.method, routerPath(route.path), serve(route));
  api.all('*', async ({ req, env }) => finished(await nothingAt(req.raw, env), env));
  // `GET /many` asks it by itself.
  return api.onError((thrown, { req }) => fault(thrown, req.path));
}

/** The path in Hono's syntax: `/messages/:id`. */
const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/**
 * Answers a route. Applies the rules for all routes: the caller's role, the viewer's view, and headers against caching.
 */
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
  const known = { ...asked, login, env: withManyOutboxes(env) };
  if (login.role !== 'viewer') return answer(route, known);
  return seenAnswer(await answer(route, known), route, env);
}

async function nothingAt(request: Request, env: Env): Promise<Response> {
  const admitted: Result<Identity, Response> = await admit(request, env);
  return admitted.ok ? problemResponse(NOWHERE) : admitted.error;
}

/**
 * Forbids caches on the way to keep payloads and phone numbers. Redacts errors: they repeat an unknown name, which is a
 * secret's value if somebody wrote the value in place of the name.
 */
async function finished(answer: Response, env: Env): Promise<Response> {
  const isProblem = answer.headers.get('content-type') === 'application/problem+json';
  const response = isProblem ? new Response(redact(await answer.text(), secretValues(env)), answer) : answer;
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store');
  return response;
}
