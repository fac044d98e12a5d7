import type { FieldCode } from './api-codes.ts';

/** The values of an error as texts: names, limits, and what would be allowed. Never a secret. */
export type Params = Readonly<Record<string, string>>;

/** What is wrong: its code, an English sentence that says how to fix it, and the values in it. */
export type Fault = readonly [code: FieldCode, message: string, params?: Params | undefined];

export const faultsText = (faults: readonly Fault[]): string =>
  faults.map(([, message]) => message).join('; ');

/** An error in a document. `path` is what a person would write, such as `sources.shop.routes[0].to`. */
export interface FieldError {
  readonly path: string;
  readonly code: FieldCode;
  readonly message: string;
  readonly params?: Params;
}

export const fieldError = (path: string, ...[code, message, params]: Fault): FieldError => ({
  path,
  code,
  message,
  ...(params && { params }),
});

/** An RFC 9457 problem before it becomes a response. `type` is the short name after `urn:hookbell:problem:`. */
export interface Problem {
  readonly status: number;
  readonly type: string;
  /** By default its type in words. */
  readonly title?: string;
  readonly detail: string;
  readonly params?: Params;
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
}

export type ProblemKind = Required<Pick<Problem, 'status' | 'type' | 'title'>> & Partial<Problem>;

export const NOT_FOUND = { status: 404, type: 'not-found', title: 'Not found' } as const;

/** Does not repeat the address, which may contain a token. */
export const NOWHERE = {
  ...NOT_FOUND,
  detail: 'There is nothing at this address. Webhooks go to /hooks/{source}.',
} as const satisfies Problem;

export const UNAVAILABLE = {
  status: 503,
  type: 'unavailable',
  title: 'Unavailable',
  detail: 'This request could not be handled. Try again.',
  headers: { 'retry-after': '5' },
} as const satisfies Problem;

/** Nobody reads more errors, and an answer to a stranger has to be small: 64 KiB in all. */
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
  for (const one of errors.slice(0, MAX_ERRORS)) {
    const { params } = one;
    const error = {
      ...one,
      path: cut(one.path, MAX_PATH),
      message: cut(one.message, MAX_MESSAGE),
      ...(params && { params: shortened(params) }),
    };
    bytes += new TextEncoder().encode(JSON.stringify(error)).length;
    if (bytes > MAX_ERROR_BYTES) break;
    kept.push(error);
  }
  if (kept.length === errors.length) return kept;
  // Makes room for the number of the others.
  if (kept.length === MAX_ERRORS) kept.pop();
  const left = errors.length - kept.length;
  return [...kept, fieldError('', 'more', `and ${left} more errors`, { left: String(left) })];
}

const shortened = (params: Params): Params =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, cut(value, MAX_PATH)]));

const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max).toWellFormed()}…`;

/** Returns the problem as `application/problem+json` (RFC 9457), of at most 64 KiB. */
export function problemResponse(problem: Problem): Response {
  const { status, type, detail, params, errors, headers } = problem;
  const words = type.replaceAll('-', ' ');
  const { title = words.charAt(0).toUpperCase() + words.slice(1) } = problem;
  const body = {
    type: `urn:hookbell:problem:${type}`,
    code: type,
    ...(params && { params }),
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
