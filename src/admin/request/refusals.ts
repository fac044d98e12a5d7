import { NOT_ACCEPTED, STORAGE_FULL } from '../../ingest/accept/accept.ts';
import { BODY_CUT_OFF, BODY_TOO_LARGE } from '../../ingest/request/body.ts';
import { NOT_FOUND, UNAVAILABLE, type ProblemKind } from '../../lib/problem.ts';

const UNAUTHORIZED = {
  status: 401,
  type: 'unauthorized',
  title: 'Unauthorized',
  headers: { 'www-authenticate': 'Bearer realm="hookbell admin"' },
} as const satisfies ProblemKind;

/**
 * The admin API's refusals, each with its constant part. If that has no `detail`, the code that refuses adds one.
 * `api-docs/problems.ts` describes all of them, or does not compile.
 */
export const REFUSALS = {
  'malformed-body': { status: 400, type: 'malformed-body', title: 'Malformed body' },
  'body-cut-off': BODY_CUT_OFF,
  'invalid-if-match': { status: 400, type: 'invalid', title: 'Invalid' },
  unauthorized: {
    ...UNAUTHORIZED,
    detail: 'Send a token as `Authorization: Bearer …`, or sign in: at /admin, or through Cloudflare Access.',
  },
  'sign-in-failed': {
    ...UNAUTHORIZED,
    detail:
      'The token is wrong, or the code was used or is older than 10 minutes. `npx hookbell console` prints a new link.',
  },
  'role-required': { status: 403, type: 'role-required', title: 'Role required' },
  'admin-closed': { status: 403, type: 'admin-closed', title: 'The admin API is closed' },
  'cross-site': {
    status: 403,
    type: 'cross-site',
    title: 'Cross-site request',
    detail: 'Send this from a page on this host, with its `Origin`, or with the admin token.',
  },
  'not-found': NOT_FOUND,
  'in-use': { status: 409, type: 'in-use', title: 'In use' },
  managed: { status: 409, type: 'managed', title: 'Managed' },
  conflict: { status: 409, type: 'conflict', title: 'Conflict' },
  'precondition-failed': { status: 412, type: 'precondition-failed', title: 'Precondition failed' },
  'body-too-large': BODY_TOO_LARGE,
  'too-large': { status: 413, type: 'too-large', title: 'Too large' },
  invalid: { status: 422, type: 'invalid', title: 'Invalid' },
  'invalid-configuration': { status: 422, type: 'invalid-configuration', title: 'Invalid configuration' },
  'too-many-failures': { status: 429, type: 'too-many-failures', title: 'Too many failed logins' },
  'not-accepted': NOT_ACCEPTED,
  'storage-full': STORAGE_FULL,
  'access-unavailable': {
    status: 503,
    type: 'access-unavailable',
    title: 'Cloudflare Access is unavailable',
    detail: 'The keys of your Access team could not be fetched. Try again.',
    headers: { 'retry-after': '5' },
  },
  unavailable: UNAVAILABLE,
} as const satisfies Readonly<Record<string, ProblemKind>>;
