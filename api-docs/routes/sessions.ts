import { sessionRoutes } from '../../src/admin/sessions.ts';
import { sessionExamples } from '../examples/sessions.ts';
import { invitation, sessionInfo, sessionLink, sessionPage } from '../../src/admin/api-sessions.ts';
import { described } from '../spec.ts';

const COOKIE = { 'Set-Cookie': 'The session: `HttpOnly`, `SameSite=Strict`, for this host only.' };

/** Signing in from a browser, and who is signed in. */
export const sessionSpecs = described(sessionRoutes, {
  signIn: {
    tag: 'sessions',
    summary: 'Sign in',
    description:
      'Exchanges a token, or a one-time code, for a cookie that lasts 12 hours (an invitation’s: 30 days). The session ends earlier when the token is replaced. With `name`, records of actions have that name instead of `token`. With the cookie, requests that change anything need the `Origin` of this host. A browser that is signed in as somebody else gets 409, and a code is not used up. With `replace: true`, its earlier session ends, and it is signed in.',
    body: sessionExamples.signIn,
    answer: {
      description: 'Signed in.',
      schema: sessionInfo,
      examples: sessionExamples.info,
      headers: COOKIE,
    },
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
    tag: 'sessions',
    summary: 'See who you are',
    answer: { description: 'Your session.', schema: sessionInfo, examples: sessionExamples.info },
  },
  signOut: {
    tag: 'sessions',
    summary: 'Sign out',
    description: 'Ends the session of the request. Tokens and Cloudflare Access stay valid.',
    answer: { status: 204, description: 'You are signed out.', headers: COOKIE },
  },
  createSessionLink: {
    tag: 'sessions',
    summary: 'Make a sign-in link',
    description:
      'A code for another browser, with your own role. It works once, within 10 minutes. It ends with your session, and so does the session that it opens.',
    answer: { description: 'The code.', schema: sessionLink, examples: sessionExamples.link },
    problems: ['conflict'],
  },
  invite: {
    tag: 'sessions',
    summary: 'Invite somebody',
    description:
      'A code for another person, as viewer or operator. It works once, within 7 days. Their session lasts until 30 days after the invitation. It ends earlier when somebody ends it, or when the token of its role (`ADMIN_TOKEN` if the role has none) is replaced.',
    body: sessionExamples.invite,
    answer: { description: 'The code.', schema: invitation, examples: sessionExamples.invitation },
    problems: ['conflict'],
  },
  listSessions: {
    tag: 'sessions',
    summary: 'List sessions',
    description:
      'The newest 66 of each role are kept. A session whose token was replaced is listed until it expires, but no longer works.',
    answer: { description: 'All sessions.', schema: sessionPage, examples: sessionExamples.page },
  },
  endSession: {
    tag: 'sessions',
    summary: 'End a session',
    description:
      'Its next request is refused, and its tails are disconnected. The sessions that its sign-in links opened end with it, and so do the sessions that their links opened. An invitation is withdrawn.',
    answer: { status: 204, description: 'The session has ended.' },
    problems: ['not-found'],
  },
});
