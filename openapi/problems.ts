import type { FieldError } from '../src/lib/problem.ts';

/** The errors of the admin API, each with an example, by the last part of their `type`, unless they say another. */
export const PROBLEMS = {
  'malformed-body': {
    status: 400,
    title: 'Malformed body',
    when: 'The body is not JSON.',
    detail: 'The body must be JSON. Unexpected end of JSON input',
  },
  'body-cut-off': {
    status: 400,
    title: 'Body cut off',
    when: 'The body did not arrive whole.',
    detail: 'The body ended before it was complete.',
  },
  'invalid-if-match': {
    status: 400,
    type: 'invalid',
    title: 'Invalid',
    when: '`If-Match` is no version.',
    detail: 'The request is not valid.',
    errors: [
      {
        path: 'If-Match',
        message: 'must be `*` or a version in quotes, as an `ETag` of this API gives it: "7"',
      },
    ],
  },
  unauthorized: {
    status: 401,
    title: 'Unauthorized',
    when: 'No token, or the wrong one.',
    detail: 'Send the admin token as `Authorization: Bearer …`, or sign in through Cloudflare Access.',
  },
  'admin-closed': {
    status: 403,
    title: 'The admin API is closed',
    when: 'Neither an `ADMIN_TOKEN` of at least 8 characters nor Cloudflare Access is set up.',
    detail: 'No ADMIN_TOKEN of at least 8 characters is set: `wrangler secret put ADMIN_TOKEN`.',
  },
  'cross-site': {
    status: 403,
    title: 'Cross-site request',
    when: 'A page of another site asks with the cookie of Cloudflare Access.',
    detail:
      'Cloudflare Access vouches for you, but not for the page that asks. Ask from a page of this host, which sends `Origin` or `Sec-Fetch-Site`, or send the admin token.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    when: 'There is no such thing.',
    detail: 'There is no source `shop`.',
  },
  'in-use': {
    status: 409,
    title: 'In use',
    when: 'A source uses the document.',
    detail: '`owners` is in use by sources.shop (route tell-the-owners); change these first.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    when: 'It is not possible as things stand.',
    detail: 'The message is sent already; replay its event to send it anew.',
  },
  'precondition-failed': {
    status: 412,
    title: 'Precondition failed',
    when: 'Another version is in force than `If-Match` says. Nothing was changed; `ETag` names the one in force.',
    detail: 'Version 8 is in force, not 7.',
  },
  'body-too-large': {
    status: 413,
    title: 'Body too large',
    when: 'The body has more than 2,000,000 bytes.',
    detail: 'The body is larger than 2000000 bytes.',
  },
  'too-large': {
    status: 413,
    title: 'Too large',
    when: 'The set has more than 1,500,000 bytes as JSON.',
    detail: 'The set has 1612345 bytes as JSON; 1500000 are allowed.',
  },
  invalid: {
    status: 422,
    title: 'Invalid',
    when: 'The request says something that it must not; `errors` says what and where.',
    detail: 'The request is not valid.',
    errors: [
      {
        path: 'state',
        message: 'must be one of routed, unmatched, failed; did you mean `failed`?',
      },
    ],
  },
  'invalid-configuration': {
    status: 422,
    title: 'Invalid configuration',
    when: 'The set would not be right; `errors` says what and where. Nothing was changed.',
    detail: 'The configuration is not valid; nothing was changed.',
    errors: [
      {
        path: 'sources.shop.routes[0].template',
        message: 'there is no template `order-payed`; did you mean `order-paid`?',
      },
    ],
  },
  'too-many-failures': {
    status: 429,
    title: 'Too many failed logins',
    when: 'Wrong tokens came too often. Try again after `Retry-After` seconds.',
    detail: 'Too many requests came with a wrong token. Try again in 6 seconds.',
  },
  'upgrade-required': {
    status: 426,
    title: 'Upgrade required',
    when: 'It is a WebSocket, and was asked without `Upgrade: websocket`.',
    detail: 'This is a WebSocket: ask with `Upgrade: websocket`.',
  },
  'too-many-watchers': {
    status: 429,
    title: 'Too many watchers',
    when: 'So many live views are open that no more can be.',
    detail: 'So many live views are open that no more can be. Close one.',
  },
  'not-accepted': {
    status: 503,
    title: 'Not accepted',
    when: 'It could not be stored.',
    detail: 'The event could not be stored just now. Send it again.',
  },
  'storage-full': {
    status: 503,
    title: 'Storage full',
    when: 'The outbox has no space. Try again after `Retry-After` seconds.',
    detail: 'There is no space to store this, so it was not accepted. Send it again later.',
  },
  'access-unavailable': {
    status: 503,
    title: 'Cloudflare Access is unavailable',
    when: 'The keys of the Access team could not be fetched.',
    detail: 'The keys of your Access team could not be fetched. Try again.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    when: 'A fault of hookbell or the platform. Try again after `Retry-After` seconds.',
    detail: 'This request could not be handled just now. Try again.',
  },
} as const satisfies Readonly<Record<string, ProblemWords>>;

interface ProblemWords {
  readonly status: number;
  readonly type?: string;
  readonly title: string;
  /** When it is answered, in Markdown. */
  readonly when: string;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
}

/** What stands behind `urn:hookbell:problem:` in a problem's `type`. */
export const typeOf = (name: ProblemName): string => {
  const { type }: ProblemWords = PROBLEMS[name];
  return type ?? name;
};

export type ProblemName = keyof typeof PROBLEMS;

/** What every route behind the token may answer. */
export const ALWAYS: readonly ProblemName[] = [
  'unauthorized',
  'admin-closed',
  'cross-site',
  'too-many-failures',
  'access-unavailable',
  'unavailable',
];

/** What every route with a body may answer. */
export const WITH_BODY: readonly ProblemName[] = ['malformed-body', 'body-cut-off', 'body-too-large'];
