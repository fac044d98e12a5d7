import { NO_TOKEN } from '../src/admin/auth/tokens.ts';
import { REFUSALS } from '../src/admin/request/refusals.ts';
import { cutOff, tooLarge } from '../src/ingest/request/body.ts';
import type { FieldError, ProblemKind } from '../src/lib/problem.ts';

/** The errors of the admin API, each with an example. */
export const PROBLEMS = {
  'malformed-body': {
    ...REFUSALS['malformed-body'],
    when: 'The body is not JSON.',
    detail: 'The body is not valid JSON: at line 1, column 6, it ends where a value should be.',
  },
  'body-cut-off': {
    ...REFUSALS['body-cut-off'],
    when: 'The body is incomplete.',
    detail: cutOff(16_384).detail,
  },
  'invalid-if-match': {
    ...REFUSALS['invalid-if-match'],
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
    ...REFUSALS.unauthorized,
    when: 'No token, no session, or one that is wrong or has ended.',
  },
  'sign-in-failed': {
    ...REFUSALS['sign-in-failed'],
    when: 'The token or the code is wrong.',
  },
  'admin-closed': {
    ...REFUSALS['admin-closed'],
    when: 'Neither a token of sufficient length nor Cloudflare Access is set up.',
    detail: NO_TOKEN,
  },
  'cross-site': {
    ...REFUSALS['cross-site'],
    when: 'A page of another site made the request, with a cookie; or a session made it without the `Origin` of this host.',
  },
  'role-required': {
    ...REFUSALS['role-required'],
    when: 'The login may not do this: the route needs a higher role, or `ACCESS_ROLES` gives the login none.',
    detail: 'This needs the role editor; yours is operator.',
  },
  'not-found': {
    ...REFUSALS['not-found'],
    when: 'The path names something that does not exist.',
    detail: 'There is no source `shop`.',
  },
  'in-use': {
    ...REFUSALS['in-use'],
    when: 'A source uses the document.',
    detail: '`owners` is in use by sources.shop (route notify-the-owners); change these first.',
  },
  managed: {
    ...REFUSALS.managed,
    when: 'The configuration is managed in git, and this is not a push of its files. Nothing was changed.',
    detail:
      'The configuration has been managed in git since 2026-01-31T12:00:00.000Z, by token. Nothing was changed. Change its files and push them (`npx hookbell push --managed`), or take it over (`npx hookbell takeover <name>`).',
  },
  conflict: {
    ...REFUSALS.conflict,
    when: 'This is not possible in the current state.',
    detail: 'The message is sent already; replay its event to send it again.',
  },
  'precondition-failed': {
    ...REFUSALS['precondition-failed'],
    when: '`If-Match` does not name the active version. Nothing was changed; `ETag` names the active one.',
    detail:
      'Version 8, published by token at 2026-01-31T12:00:00.000Z, is active, and `If-Match` does not name it; nothing was changed. Read it, and send `If-Match: "8"` if you still want your change.',
  },
  'body-too-large': {
    ...REFUSALS['body-too-large'],
    when: 'The body has more than 3,000,000 bytes.',
    detail: tooLarge(3_000_000, 3_200_000).detail,
  },
  'too-large': {
    ...REFUSALS['too-large'],
    when: 'The set has more than 1,500,000 bytes as JSON.',
    detail: 'The whole set may have at most 1500000 bytes as JSON.',
  },
  invalid: {
    ...REFUSALS.invalid,
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
    ...REFUSALS['invalid-configuration'],
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
    ...REFUSALS['too-many-failures'],
    when: 'Too many wrong tokens. Try again after `Retry-After` seconds.',
    detail: 'Too many requests had a wrong token. Try again in 6 seconds.',
  },
  'upgrade-required': {
    ...REFUSALS['upgrade-required'],
    when: 'This is a WebSocket, and the request has no `Upgrade: websocket`.',
  },
  'too-many-watchers': {
    ...REFUSALS['too-many-watchers'],
    when: 'Too many tails are open.',
  },
  'not-accepted': {
    ...REFUSALS['not-accepted'],
    when: 'The event could not be stored.',
  },
  'storage-full': {
    ...REFUSALS['storage-full'],
    when: 'The outbox has no space. Try again after `Retry-After` seconds.',
  },
  'access-unavailable': {
    ...REFUSALS['access-unavailable'],
    when: 'The keys of the Access team could not be fetched.',
  },
  unavailable: {
    ...REFUSALS.unavailable,
    when: 'A fault in hookbell or the platform. Try again after `Retry-After` seconds.',
  },
} as const satisfies Described;

interface ProblemProse {
  /** The condition under which a route responds with it, in Markdown. */
  readonly when: string;
  /** An example, where the code makes the text each time. */
  readonly detail: string;
  readonly errors?: readonly FieldError[];
}

/** All refusals of the code: one that is missing here or has another status does not compile. */
type Described = { readonly [Name in ProblemName]: (typeof REFUSALS)[Name] & ProblemProse };

export type DescribedProblem = ProblemKind & ProblemProse;

export type ProblemName = keyof typeof REFUSALS;

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
