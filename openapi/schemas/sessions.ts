import * as z from 'zod';
import { ROLES } from '../../src/admin/auth/role.ts';
import { pageOf, time } from './parts.ts';

const actor = z.string().meta({ description: 'The name in the record of who did what.' });
const role = z.enum(ROLES).meta({ description: 'What they may do.' });

export const sessionInfo = z
  .object({
    actor,
    role,
    via: z.enum(['token', 'session', 'access']).meta({ description: 'How they signed in.' }),
    expires_at: time.nullable().meta({ description: 'When the login ends; null: never.' }),
    sees_payloads: z.boolean().meta({ description: 'Whether payloads and texts are shown to them.' }),
  })
  .meta({ id: 'SessionInfo', description: 'Who is signed in, and how.' });

export const sessionLink = z
  .object({
    code: z.string().meta({ description: 'Opens one session.' }),
    url: z.url().meta({ description: "The console's address with the code." }),
    expires_at: time.meta({ description: 'When the code ends, if it was not used.' }),
  })
  .meta({ id: 'SessionLink', description: 'A one-time code.' });

const sessionId = z.string().regex(/^ses_[0-9a-z]{26}$/);

const session = z
  .object({
    id: sessionId,
    actor,
    role,
    created_at: time,
    expires_at: time,
    seen_at: time.meta({ description: 'When it was last used, to the minute.' }),
    is_current: z.boolean().meta({ description: 'Whether this request came by it.' }),
    made_by: sessionId
      .nullable()
      .meta({ description: 'The session that handed it over by a link, with which it ends; null: none.' }),
    client: z.string().nullable().meta({ description: 'What the browser calls itself.' }),
  })
  .meta({ id: 'Session', description: 'A browser that is signed in.' });

export const sessionPage = pageOf(session, 'SessionPage', 'All sessions, the newest first.');
