import { prose } from '../spec.ts';
import { diagnosis } from '../../src/admin/doctor/api-check.ts';
import { series, stats } from '../../src/metrics/api-stats.ts';
import { tail } from '../../src/answers/api-tail.ts';
import { invitation, sessionInfo, sessionLink, sessionPage } from '../../src/admin/api-sessions.ts';

export const operationProse = prose('operations', {
  diagnose: {
    summary: 'Find problems',
    description:
      'Checks everything that can be wrong with the deployment: secrets, the configuration, queues, silent sources, rejections.',
    answer: { description: 'The results of the checks.', schema: diagnosis },
  },
  examine: {
    summary: 'Find problems, and call the gateways',
    description:
      'Runs the same checks, and calls the gateway of each account once, with its login and nothing to send.',
    answer: { description: 'The results of the checks.', schema: diagnosis },
  },
  getStats: {
    summary: 'Read counters',
    description: 'The counters of `/metrics` for people and programs.',
    answer: { description: 'Counters by source and account.', schema: stats },
  },
  getSeries: {
    summary: 'Read counters over time',
    description:
      'One metric in steps, over all accounts unless the query names one. `failed`: messages that became dead, expired or uncertain. The last seven days are available, in at most 2,016 steps of five minutes or a multiple of that.',
    query: {
      metric: ['The metric.', 'sent'],
      from: ['When the series begins: a time, or how long ago. A day before `to` if it is left out.', '24h'],
      to: 'When it ends: a time, or how long ago. Now if it is left out.',
      step: [
        'The length of a step, such as `5m` or `1h`. By default `5m` for a series of up to a day, else `1h`.',
        '1h',
      ],
      account: 'Only of this account. Not with `rejected`.',
      source: 'Only of this source.',
    },
    answer: { description: 'A point for each step.', schema: series },
  },
  getMetrics: {
    summary: 'Read metrics for Prometheus',
    answer: { description: "Prometheus's text format.", mediaType: 'text/plain' },
  },
  tail: {
    summary: 'Read what has changed',
    description:
      'The changes of all accounts since the last request: the events that came, the messages that reached another state, and the rejections, each once, as it is now. Ask again with the `cursor`. Without one, it returns those of the last ten seconds. An outbox keeps 200 in memory, for as long as it runs: where `missed` is true, read the lists.',
    query: {
      source: 'Only what is about this source.',
      type: 'Only changes of this type.',
      cursor: 'The `cursor` of the last answer.',
    },
    answer: { description: 'The changes.', schema: tail },
  },
});

/** This description. It is the same for every deployment, so nobody has to have a token to read it. */
export const descriptionProse = prose('description', {
  getOpenApi: {
    summary: 'Read the OpenAPI document',
    answer: {
      description: 'OpenAPI 3.1.',
      mediaType: 'application/json',
      headers: { ETag: 'Changes when the description does.' },
    },
    problems: ['unavailable'],
  },
});

const COOKIE = { 'Set-Cookie': 'The session: `HttpOnly`, `SameSite=Strict`, for this host only.' };

export const sessionProse = prose('sessions', {
  signIn: {
    summary: 'Sign in',
    description:
      'Exchanges a token, or a one-time code, for a cookie that lasts 12 hours (an invitation’s: 30 days). The session ends earlier when the token is replaced. With `name`, records of actions have that name instead of `token`. With the cookie, requests that change anything need the `Origin` of this host. A browser that is signed in as somebody else gets 409, and a code is not used up. With `replace: true`, its earlier session ends, and it is signed in.',
    body: {
      name: 'SignIn',
      about: 'The credentials that open a session.',
      keys: {
        token: 'A token of this relay. Exactly one of `token` and `code` is given.',
        code: 'A one-time code of this relay, see `POST /session/link`.',
        name: 'The name of whoever signs in with a token, for records of actions. Without it, records show `token`, `operator` or `viewer`.',
        replace: '`true`: sign in even if the browser is signed in as somebody else, and end that session.',
      },
      examples: {
        token: { summary: 'By a token', value: { token: 'the-value-of-ADMIN_TOKEN', name: 'Ada' } },
        code: {
          summary: 'By a one-time code',
          value: {
            code: 'editor.ses_0hk7nd0gz3a9w4qk2v5x8e1r7t.1769912292031.5f3c',
          },
        },
        replace: {
          summary: 'By a code, in place of whoever is signed in',
          value: {
            code: 'editor.ses_0hk7nd0gz3a9w4qk2v5x8e1r7t.1769912292031.5f3c',
            replace: true,
          },
        },
      },
    },
    answer: { description: 'Signed in.', schema: sessionInfo, headers: COOKIE },
    problems: [
      'sign-in-failed',
      'admin-closed',
      'cross-site',
      'conflict',
      'too-many-failures',
      'unavailable',
    ],
  },
  getSession: {
    summary: 'See who you are',
    answer: { description: 'Your session.', schema: sessionInfo },
  },
  signOut: {
    summary: 'Sign out',
    description: 'Ends the session of the request. Tokens and Cloudflare Access stay valid.',
    answer: { status: 204, description: 'You are signed out.', headers: COOKIE },
  },
  createSessionLink: {
    summary: 'Make a sign-in link',
    description:
      'A code for another browser, with your own role. It works once, within 10 minutes. It ends with your session, and so does the session that it opens.',
    answer: { description: 'The code.', schema: sessionLink },
    problems: ['conflict'],
  },
  invite: {
    summary: 'Invite somebody',
    description:
      'A code for another person, as viewer or operator. It works once, within 7 days. Their session lasts until 30 days after the invitation. It ends earlier when somebody ends it, or when the token of its role (`ADMIN_TOKEN` if the role has none) is replaced.',
    body: {
      name: 'NewInvitation',
      about: 'The invited person, and their role.',
      keys: {
        name: 'The name of the invited person, for records of actions.',
        role: 'Their role.',
      },
      examples: { operator: { value: { name: 'Ben', role: 'operator' } } },
    },
    answer: { description: 'The code.', schema: invitation },
    problems: ['conflict'],
  },
  listSessions: {
    summary: 'List sessions',
    description:
      'The newest 66 of each role are kept. A session whose token was replaced is listed until it expires, but no longer works.',
    answer: { description: 'All sessions.', schema: sessionPage },
  },
  endSession: {
    summary: 'End a session',
    description:
      'Its next request is refused, and its tails are disconnected. The sessions that its sign-in links opened end with it, and so do the sessions that their links opened. An invitation is withdrawn.',
    answer: { status: 204, description: 'The session has ended.' },
  },
});
