/** An error in a document. `path` is what a person would write, such as `sources.shop.routes[0].to`. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

/** An RFC 9457 problem before it becomes a response. `type` is the short name after `urn:hookbell:problem:`. */
export interface Problem {
  readonly status: number;
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** The common parts of all problems of one kind. */
export type ProblemKind = Pick<Problem, 'status' | 'type' | 'title'> & Partial<Problem>;

export const NOT_FOUND = {
  status: 404,
  type: 'not-found',
  title: 'Not found',
} as const satisfies ProblemKind;

/** Does not repeat the address, which may contain a token. */
export const NOWHERE = {
  ...NOT_FOUND,
  detail: 'There is nothing at this address. Webhooks go to /hooks/{source}.',
} as const satisfies Problem;

/** A bug, or a fault of the platform. */
export const UNAVAILABLE = {
  status: 503,
  type: 'unavailable',
  title: 'Unavailable',
  detail: 'This request could not be handled. Try again.',
  headers: { 'retry-after': '5' },
} as const satisfies Problem;

/**
 * The maximum number of errors in an answer. Nobody reads more, and an answer to a stranger has to be small: 64 KiB in
 * all.
 */
export const MAX_ERRORS = 50;
const MAX_ERROR_BYTES = 48 * 1_024;
/** The longest path, message and `detail`, in UTF-16 units. A unit takes at most six bytes as JSON. */
const MAX_PATH = 256;
const MAX_MESSAGE = 1_000;
const MAX_DETAIL = 2_000;

/** Returns the first errors, and the number of the others. */
function bounded(errors: readonly FieldError[]): readonly FieldError[] {
  const kept: FieldError[] = [];
  let bytes = 0;
  for (const { path, message } of errors.slice(0, MAX_ERRORS)) {
    const error = { path: cut(path, MAX_PATH), message: cut(message, MAX_MESSAGE) };
    bytes += new TextEncoder().encode(JSON.stringify(error)).length;
    if (bytes > MAX_ERROR_BYTES) break;
    kept.push(error);
  }
  if (kept.length === errors.length) return kept;
  // Makes room for the number of the others.
  if (kept.length === MAX_ERRORS) kept.pop();
  return [...kept, { path: '', message: `and ${errors.length - kept.length} more errors` }];
}

const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max).toWellFormed()}…`;

/** Returns the problem as `application/problem+json` (RFC 9457), of at most 64 KiB. */
export function problemResponse(problem: Problem): Response {
  const { status, type, title, detail, errors, headers } = problem;
  const body = {
    type: `urn:hookbell:problem:${type}`,
    title,
    status,
    detail: cut(detail, MAX_DETAIL),
    ...(errors && { errors: bounded(errors) }),
  };
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
