/** One thing wrong with a document: `path` as a person would write it, e.g. `sources.shop.routes[0].to`. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

/** An RFC 9457 problem, before it is a response. `type` is the short name after `urn:hookbell:problem:`. */
export interface Problem {
  readonly status: number;
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** The problem as `application/problem+json` (RFC 9457). */
export function problemResponse(problem: Problem): Response {
  const { status, type, title, detail, errors, headers } = problem;
  const body = { type: `urn:hookbell:problem:${type}`, title, status, detail, ...(errors && { errors }) };
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      ...headers,
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  });
}
