/** An error in a document. `path` as a person would write it, e.g. `sources.shop.routes[0].to`. */
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

/** What all problems of one kind have in common. */
export type ProblemKind = Pick<Problem, 'status' | 'type' | 'title'> & Partial<Problem>;

export const NOT_FOUND = {
  status: 404,
  type: 'not-found',
  title: 'Not found',
} as const satisfies ProblemKind;

/** A bug, or a fault of the platform. */
export const UNAVAILABLE = {
  status: 503,
  type: 'unavailable',
  title: 'Unavailable',
  detail: 'This request could not be handled just now. Try again.',
  headers: { 'retry-after': '5' },
} as const satisfies Problem;

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
