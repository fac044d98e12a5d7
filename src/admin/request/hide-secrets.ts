import type { MiddlewareHandler } from 'hono';
import { secretValues } from '../../lib/secret.ts';
import { redact } from '../../lib/redact.ts';

/**
 * Redacts secrets in errors. An error repeats an unknown name; if somebody wrote a secret's value in place of its name,
 * that would be the value.
 */
export const hideSecrets: MiddlewareHandler<{ Bindings: Env }> = async (context, next) => {
  await next();
  const { res } = context;
  if (res.headers.get('content-type') !== 'application/problem+json') return;
  const text = redact(await res.text(), secretValues(context.env));
  context.res = new Response(text, res);
};
