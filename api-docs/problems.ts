import { NO_TOKEN } from '../src/admin/auth/tokens.ts';
import { REFUSALS } from '../src/admin/request/refusals.ts';
import { cutOff, tooLarge } from '../src/ingest/request/body.ts';
import type { FieldError } from '../src/lib/problem.ts';
import type { oas32 } from 'zod-openapi';
import { componentOf } from './components.ts';
import { ROUTES, type RouteSpec } from './routes.ts';
import type { ProblemName } from './spec.ts';
import { refTo } from '../src/schema/api-parts.ts';
import { problem } from '../src/schema/api-problem.ts';

interface ProblemProse {
  /** The condition under which a route responds with it, in Markdown. */
  readonly when: string;
  /** An example, if the code makes the text each time. */
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
}

/** The errors of the admin API. One that is missing here does not compile. */
const PROSE: Readonly<Record<ProblemName, ProblemProse>> = {
  'malformed-body': {
    when: 'The body is not JSON.',
    detail: 'The body is not valid JSON: at line 1, column 6, it ends where a value should be.',
  },
  'body-cut-off': {
    when: 'The body is incomplete.',
    detail: cutOff(16_384).detail,
  },
  'invalid-if-match': {
    when: '`If-Match` is not a version.',
    detail: 'The request is not valid.',
    errors: [
      {
        path: 'If-Match',
        code: 'malformed',
        message: 'must be `*` or a version in quotes, as this API sends it in `ETag`: "7"',
      },
    ],
  },
  unauthorized: {
    when: 'No token, no session, or one that is wrong or has ended.',
  },
  'sign-in-failed': {
    when: 'The token or the code is wrong.',
  },
  'admin-closed': {
    when: 'Neither a token of sufficient length nor Cloudflare Access is set up.',
    detail: NO_TOKEN,
  },
  'cross-site': {
    when: 'A page of another site made the request, with a cookie; or a session made it without the `Origin` of this host.',
  },
  'role-required': {
    when: 'The login may not do this: the route needs a higher role, or `ACCESS_ROLES` gives the login none.',
    detail: 'This needs the role editor; yours is operator.',
  },
  'not-found': {
    when: 'The path names something that does not exist.',
    detail: 'There is no source `shop`.',
  },
  'in-use': {
    when: 'A source uses the document.',
    detail: '`owners` is in use by sources.shop (route notify-the-owners); change these first.',
  },
  managed: {
    when: 'The configuration is managed in git, and this is not a push of its files. Nothing was changed.',
    detail:
      'The configuration has been managed in git since 2026-01-31T12:00:00.000Z, by token. Nothing was changed. Change its files and push them (`npx hookbell push --managed`), or take it over (`npx hookbell takeover <name>`).',
  },
  conflict: {
    when: 'This is not possible in the current state.',
    detail: 'The message is sent already; replay its event to send it again.',
  },
  'precondition-failed': {
    when: '`If-Match` does not name the active version. Nothing was changed; `ETag` names the active one.',
    detail:
      'Version 8, published by token at 2026-01-31T12:00:00.000Z, is active, and `If-Match` does not name it; nothing was changed. Read it, and send `If-Match: "8"` if you still want your change.',
  },
  'body-too-large': {
    when: 'The body has more than 3,000,000 bytes.',
    detail: tooLarge(3_000_000, 3_200_000).detail,
  },
  'too-large': {
    when: 'The set has more than 1,500,000 bytes as JSON.',
    detail: 'The whole set may have at most 1500000 bytes as JSON.',
  },
  invalid: {
    when: 'The request is not valid; `errors` lists the errors.',
    detail: 'The request is not valid.',
    errors: [
      {
        path: 'state',
        code: 'not-one-of',
        params: { allowed: 'routed, partly_failed, unmatched, failed' },
        message: 'must be one of routed, partly_failed, unmatched, failed; did you mean `failed`?',
      },
    ],
  },
  'invalid-configuration': {
    when: 'The set would not be valid; `errors` lists the errors. Nothing was changed.',
    detail: 'The configuration is not valid; nothing was changed.',
    errors: [
      {
        path: 'sources.shop.routes[0].template',
        code: 'unknown-name',
        params: { what: 'template', name: 'order-payed', near: 'order-paid' },
        message: 'there is no template `order-payed`; did you mean `order-paid`?',
      },
    ],
  },
  'too-many-failures': {
    when: 'Too many wrong tokens. Try again after `Retry-After` seconds.',
    detail: 'Too many requests had a wrong token. Try again in 6 seconds.',
  },
  'not-accepted': {
    when: 'The event could not be stored.',
  },
  'storage-full': {
    when: 'The outbox has no space. Try again after `Retry-After` seconds.',
  },
  'access-unavailable': {
    when: 'The keys of the Access team could not be fetched.',
  },
  unavailable: {
    when: 'A fault in hookbell or the platform. Try again after `Retry-After` seconds.',
  },
};

/** What the code says of an error, and its prose. */
export const problemOf = (name: ProblemName) => ({ ...REFUSALS[name], ...PROSE[name] });

const isProblem = (name: string): name is ProblemName => name in PROSE;

export const PROBLEM_NAMES: readonly ProblemName[] = Object.keys(PROSE).filter(isProblem);

/** The name after `urn:hookbell:problem:` in a problem's `type`. */
export const typeOf = (name: ProblemName): string => REFUSALS[name].type;

/** Problems of every route that needs a login. */
export const WITH_LOGIN: readonly ProblemName[] = [
  'unauthorized',
  'admin-closed',
  'cross-site',
  'role-required',
  'too-many-failures',
  'access-unavailable',
  'unavailable',
];

/** Problems of every route with a body. */
export const WITH_BODY: readonly ProblemName[] = ['malformed-body', 'body-cut-off', 'body-too-large'];

const PROBLEM_JSON = 'application/problem+json';

/** All errors that a route can answer with. */
export const problemsOf = ({ role, body, problems = [] }: RouteSpec): readonly ProblemName[] => [
  ...(role === null ? [] : WITH_LOGIN),
  ...(body === undefined ? [] : WITH_BODY),
  'invalid',
  ...problems,
];

/** The errors of a route by their statuses: each set of them is one component. */
export const problemResponses = (names: readonly ProblemName[]): oas32.ResponsesObject =>
  Object.fromEntries(
    byStatus(names).map(([status, same]) => [
      String(status),
      { $ref: `#/components/responses/${responseName(same)}` },
    ]),
  );

const byStatus = (names: readonly ProblemName[]) => [...Map.groupBy(names, (name) => problemOf(name).status)];

/** `InvalidOrInvalidConfiguration`. */
const responseName = (names: readonly ProblemName[]): string =>
  names
    .map((name) => name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase()))
    .join('Or');

/** Each set of errors that a route has under one status. */
export function sharedResponses(): Record<string, oas32.ResponseObject> {
  const all = ROUTES.flatMap((route) => byStatus(problemsOf(route)));
  return Object.fromEntries(
    all.map(([status, names]) => [responseName(names), problemResponse(status, names)]),
  );
}

function problemResponse(status: number, names: readonly ProblemName[]): oas32.ResponseObject {
  const headers = PROBLEM_HEADERS[status];
  return {
    description: names.map((name) => `\`${typeOf(name)}\`: ${problemOf(name).when}`).join('\n\n'),
    ...(headers !== undefined && { headers }),
    content: {
      [PROBLEM_JSON]: {
        schema: refTo(componentOf(problem)),
        examples: Object.fromEntries(names.map((name) => [name, { value: problemExample(name) }])),
      },
    },
  };
}

const retryAfter = { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' as const } } };
const PROBLEM_HEADERS: Readonly<Record<number, oas32.HeadersObject>> = {
  401: { 'WWW-Authenticate': { description: '`Bearer`.', schema: { type: 'string' } } },
  412: { ETag: { description: 'The active version.', schema: { type: 'string' } } },
  429: retryAfter,
  503: retryAfter,
};

function problemExample(name: ProblemName): object {
  const { detail, errors, type, title, status } = problemOf(name);
  return {
    detail,
    ...(errors && { errors }),
    type: `urn:hookbell:problem:${type}`,
    code: type,
    title,
    status,
  };
}
