import { createMiddleware } from 'hono/factory';
import { secret, type Env } from '../env.ts';
import { equalsInConstantTime } from '../lib/constant-time.ts';
import { problemResponse } from '../lib/problem.ts';

/** Shorter tokens can be guessed over the network. */
const MIN_TOKEN_LENGTH = 8;

/** What the admin routes know of a request: who asked, for the record of what they do. */
export interface AdminVariables {
  actor: string;
}

/** Lets a request through that carries `ADMIN_TOKEN` as a bearer token; without one configured the door is shut. */
export const requireAdmin = createMiddleware<{ Bindings: Env; Variables: AdminVariables }>(
  async (context, next) => {
    const expected = secret(context.env, 'ADMIN_TOKEN');
    if (expected === undefined || expected.length < MIN_TOKEN_LENGTH) {
      return problemResponse({
        status: 403,
        type: 'admin-closed',
        title: 'The admin API is closed',
        detail: `No ADMIN_TOKEN of at least ${MIN_TOKEN_LENGTH} characters is set: \`wrangler secret put ADMIN_TOKEN\`.`,
      });
    }
    const given = /^Bearer +(\S+) *$/i.exec(context.req.header('authorization') ?? '')?.[1];
    if (given === undefined || !(await equalsInConstantTime(given, expected))) {
      return problemResponse({
        status: 401,
        type: 'unauthorized',
        title: 'Unauthorized',
        detail: 'Send the admin token as `Authorization: Bearer …`.',
        headers: { 'www-authenticate': 'Bearer realm="hookbell admin"' },
      });
    }
    context.set('actor', 'token');
    return next();
  },
);
