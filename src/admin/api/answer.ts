import type * as z from 'zod/mini';
import { ok, type Result } from '../../lib/result.ts';
import type { Identity } from '../auth/login.ts';
import { check, checkQuery, MAX_PUBLIC_BYTES, readJson } from '../request/input.ts';
import { WithHeaders, type ApiRoute } from './route.ts';

/** A request to a route, before it is checked. */
export interface RequestScope {
  readonly env: Env;
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly search: URLSearchParams;
  /** Absent if the route needs no login. */
  readonly login?: Identity;
}

/** Checks a request against the route's declaration, and calls its handler. */
export async function answer(route: ApiRoute, { search, ...asked }: RequestScope): Promise<Response> {
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

async function readBody(
  request: Request,
  schema: z.core.$ZodType,
  { isBodyOptional, role }: ApiRoute,
): Promise<Result<unknown, Response>> {
  const isAbsent = request.body === null || request.headers.get('content-length') === '0';
  if (isBodyOptional && isAbsent) return check(schema, {});
  const read = await readJson(request, role === undefined ? MAX_PUBLIC_BYTES : undefined);
  return read.ok ? check(schema, read.value) : read;
}
