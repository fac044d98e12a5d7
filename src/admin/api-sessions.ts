import * as z from 'zod';
import { ROLES } from './auth/tokens.ts';
import { component, pageOf, time, flag, text, textOrNull } from '../schema/api-parts.ts';

const actor = text('The name in records of actions.');
const role = z.enum(ROLES).describe('Their role.');

export const sessionInfo = component('SessionInfo', 'The person who is signed in.', {
  actor,
  role,
  via: z.enum(['token', 'session', 'access']).describe('The way in which they signed in.'),
  expires_at: time.nullable().describe('The time when the login ends; null: never.'),
  sees_payloads: flag('True if they see payloads and texts.'),
});

export const sessionLink = component('SessionLink', 'A one-time code.', {
  code: text('Opens one session.'),
  url: z.url().describe("The console's address with the code."),
  expires_at: time.describe('The time when an unused code expires.'),
});

export const invitation = component('Invitation', 'A one-time code for another person.', {
  ...sessionLink.shape,
  session_until: time.describe('The time when the session that it opens ends.'),
});

const sessionId = z.string().regex(/^ses_[0-9a-z]{26}$/);

const session = component('Session', 'A browser that is signed in, or an invitation for one.', {
  id: sessionId,
  actor,
  role,
  created_at: time,
  expires_at: time,
  seen_at: time.describe('The time of its last use, to the minute.'),
  is_current: flag('True for the session of this request.'),
  made_by: sessionId
    .nullable()
    .describe('The session whose link opened this one; this one ends with it. null: none.'),
  invited_by: textOrNull('The person who invited them; null: they signed in with a token.'),
  is_pending: flag('True for an invitation that nobody has taken up; it ends like a session.'),
  client: textOrNull('The user agent of the browser.'),
});

export const sessionPage = pageOf(session, 'SessionPage', 'All sessions, the newest first.');
