import type { MiddlewareHandler } from 'hono';
import { secretValues } from '../../lib/secret.ts';
import { redact } from '../../lib/redact.ts';

/**
 * Redacts secrets of what is said to be wrong. A name that does not exist is repeated there, and where somebody
 * wrote a secret's value in place of its name, that would be the value.
 */
export const hideSecrets: MiddlewareHandler<{ Bindings: Env }> = async (context, next) => {
  await next();
  const { res } = context;
  if (res.headers.get('content-type') !== 'application/problem+json') return;
  const text = redact(await res.text(), secretValues(context.env));
  context.res = new Response(text, res);
};
