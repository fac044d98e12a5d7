import { REFUSALS } from '../src/admin/request/input.ts';
import type { oas32 } from 'zod-openapi';
import { componentOf } from './components.ts';
import { ROUTES, type RouteSpec } from './routes.ts';
import type { ProblemName } from './spec.ts';
import { refTo, problem } from '../src/schema/api-parts.ts';

/** When a route gives each error, in Markdown. One that is missing here does not compile. */
const WHEN: Readonly<Record<ProblemName, string>> = {
  'malformed-body': 'The body is not JSON.',
  'body-cut-off': 'The body is incomplete.',
  'invalid-if-match': '`If-Match` is not a version.',
  unauthorized: 'No token, no session, or one that is wrong or has ended.',
  'sign-in-failed': 'The token or the code is wrong.',
  'admin-closed': 'Neither a token of sufficient length nor Cloudflare Access is set up.',
  'cross-site':
    'A page of another site made the request, with a cookie; or a session made it without the `Origin` of this host.',
  'role-required':
    'The login may not do this: the route needs a higher role, or `ACCESS_ROLES` gives the login none.',
  'not-found': 'The path names something that does not exist.',
  'in-use': 'A source uses the document.',
  managed: 'The configuration is managed in git, and this is not a push of its files. Nothing was changed.',
  conflict: 'This is not possible in the current state.',
  'precondition-failed':
    '`If-Match` does not name the active version. Nothing was changed; `ETag` names the active one.',
  'body-too-large': 'The body has more than 3,000,000 bytes.',
  'too-large': 'The set has more than 1,500,000 bytes as JSON.',
  invalid: 'The request is not valid; `errors` lists the errors.',
  'invalid-configuration': 'The set would not be valid; `errors` lists the errors. Nothing was changed.',
  'too-many-failures': 'Too many wrong tokens. Try again after `Retry-After` seconds.',
  'not-accepted': 'The event could not be stored.',
  'storage-full': 'The outbox has no space. Try again after `Retry-After` seconds.',
  'access-unavailable': 'The keys of the Access team could not be fetched.',
  unavailable: 'A fault in hookbell or the platform. Try again after `Retry-After` seconds.',
};

export const problemOf = (name: ProblemName) => ({ ...REFUSALS[name], when: WHEN[name] });

const isProblem = (name: string): name is ProblemName => name in WHEN;

export const PROBLEM_NAMES: readonly ProblemName[] = Object.keys(WHEN).filter(isProblem);

/** The name after `urn:hookbell:problem:` in a problem's `type`. */
export const typeOf = (name: ProblemName): string => REFUSALS[name].type;

const WITH_LOGIN: readonly ProblemName[] = [
  'unauthorized',
  'admin-closed',
  'cross-site',
  'role-required',
  'too-many-failures',
  'access-unavailable',
  'unavailable',
];

const WITH_BODY: readonly ProblemName[] = ['malformed-body', 'body-cut-off', 'body-too-large'];

export const problemsOf = ({ role, method, path, body, problems = [] }: RouteSpec) => [
  ...(role === null ? [] : WITH_LOGIN),
  // A `PUT` makes what its path names.
  ...(path.includes('{') && method !== 'PUT' ? (['not-found'] as const) : []),
  ...(body === undefined ? [] : WITH_BODY),
  'invalid' as const,
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
    content: { 'application/problem+json': { schema: refTo(componentOf(problem)) } },
  };
}

const retryAfter = { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' as const } } };
const PROBLEM_HEADERS: Readonly<Record<number, oas32.HeadersObject>> = {
  401: { 'WWW-Authenticate': { description: '`Bearer`.', schema: { type: 'string' } } },
  412: { ETag: { description: 'The active version.', schema: { type: 'string' } } },
  429: retryAfter,
  503: retryAfter,
};
