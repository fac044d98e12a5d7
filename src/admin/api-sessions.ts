import * as z from 'zod';
import { ROLES } from './auth/tokens.ts';
import { pageOf, time } from '../schema/api-parts.ts';

const actor = z.string().meta({ description: 'The name in records of actions.' });
const role = z.enum(ROLES).meta({ description: 'Their role.' });

export const sessionInfo = z
  .object({
    actor,
    role,
    via: z.enum(['token', 'session', 'access']).meta({ description: 'The way in which they signed in.' }),
    expires_at: time.nullable().meta({ description: 'The time when the login ends; null: never.' }),
    sees_payloads: z.boolean().meta({ description: 'True if they see payloads and texts.' }),
  })
  .meta({ id: 'SessionInfo', description: 'The person who is signed in.' });

export const sessionLink = z
  .object({
    code: z.string().meta({ description: 'Opens one session.' }),
    url: z.url().meta({ description: "The console's address with the code." }),
    expires_at: time.meta({ description: 'The time when an unused code expires.' }),
  })
  .meta({ id: 'SessionLink', description: 'A one-time code.' });

export const invitation = z
  .object({
    ...sessionLink.shape,
    session_until: time.meta({ description: 'The time when the session that it opens ends.' }),
  })
  .meta({ id: 'Invitation', description: 'A one-time code for another person.' });

const sessionId = z.string().regex(/^ses_[0-9a-z]{26}$/);

const session = z
  .object({
    id: sessionId,
    actor,
    role,
    created_at: time,
    expires_at: time,
    seen_at: time.meta({ description: 'The time of its last use, to the minute.' }),
    is_current: z.boolean().meta({ description: 'True for the session of this request.' }),
    made_by: sessionId.nullable().meta({
      description: 'The session whose sign-in link opened this one. This one ends with it; null: none.',
    }),
    invited_by: z
      .string()
      .nullable()
      .meta({ description: 'The person who invited them; null: they signed in with a token.' }),
    is_pending: z
      .boolean()
      .meta({ description: 'True for an invitation that nobody has taken up; it ends like a session.' }),
    client: z.string().nullable().meta({ description: 'The user agent of the browser.' }),
  })
  .meta({ id: 'Session', description: 'A browser that is signed in, or an invitation for one.' });

export const sessionPage = pageOf(session, 'SessionPage', 'All sessions, the newest first.');
