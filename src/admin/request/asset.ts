import { problemResponse, UNAVAILABLE } from '../../lib/problem.ts';

interface Asset {
  readonly headers: Readonly<Record<string, string>>;
  /** The remedy if the asset was not deployed. */
  readonly missing: string;
}

/** Serves one of the relay's own files, such as a page. */
export async function asset(
  request: Request,
  env: Env,
  path: string,
  { headers, missing }: Asset,
): Promise<Response> {
  const known = request.headers.get('if-none-match');
  const found = await env.ASSETS.fetch(`https://assets.invalid${path}`, {
    headers: known === null ? {} : { 'if-none-match': known },
  });
  if (!found.ok && found.status !== 304) return problemResponse({ ...UNAVAILABLE, detail: missing });
  const etag = found.headers.get('etag');
  return new Response(found.body, {
    status: found.status,
    headers: {
      ...headers,
      ...(etag !== null && { etag }),
      // The next deploy replaces it.
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    },
  });
}
