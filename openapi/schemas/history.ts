import * as z from 'zod';
import { configVersion, count, eventId, messageId, pageOf, time } from './parts.ts';

const version = z
  .object({
    version: configVersion,
    published_at: time,
    by: z.string().meta({
      description:
        'The publisher: the name given at sign-in, `token`, or the identity from Cloudflare Access.',
    }),
    note: z.string().meta({
      description: 'The `note` of its publisher, else a summary of the changes.',
    }),
    active: z.boolean().meta({ description: 'True for the active version.' }),
  })
  .meta({ id: 'Version', description: 'A version of the configuration, without its documents.' });

const managed = z
  .object({
    by: z.string().meta({ description: 'The person who made it managed.' }),
    at: time.meta({ description: 'The time when it became managed; later pushes do not change it.' }),
  })
  .nullable()
  .meta({
    description:
      'Present if the configuration is managed in git, so that only pushes of its files publish. Else null.',
  });

const takenOver = z
  .object({
    name: z.string().meta({ description: 'The name that was given.' }),
    at: time,
    version: configVersion.meta({
      description: 'The version that the takeover made; its documents are those of the last push.',
    }),
  })
  .nullable()
  .meta({
    description:
      'The person who took the configuration over from git, until the next push from there. Else null.',
  });

export const versionPage = pageOf(version, 'VersionPage', 'Versions, newest first.')
  .extend({ managed, taken_over: takenOver })
  .meta({
    id: 'VersionPage',
    description: 'Versions, newest first, and the state of management in git.',
  });

/** A rejection's number. */
export const rejectionNumber = z.int().min(1).max(1_000_000_000).meta({
  description: 'Its number.',
});

export const rejection = z
  .object({
    n: rejectionNumber,
    at: time,
    source: z.string(),
    status: z.int().min(200).max(599).meta({
      description: 'The status that the sender got. Spam gets the status of success.',
    }),
    reason: z.string().meta({ description: 'The reason as a word, such as `stale` or `mismatch`.' }),
    detail: z
      .string()
      .meta({ description: 'The reason for a person, without secrets or parts of the body.' }),
    remedy: z.string().optional().meta({ description: 'Instructions to fix it. Absent: none are known.' }),
    from: z.string().optional().meta({
      description: 'The sender: its address and user agent. Absent for a flood over a limit, and for spam.',
    }),
    times: z.int().min(1).max(1_000_000_000).optional().meta({
      description: 'The number of rejections in a row for the same reason, within an hour. Absent: one.',
    }),
    first_at: time
      .optional()
      .meta({ description: 'The time of the first of them; `at` is that of the last.' }),
    spam: z.enum(['honeypot', 'links', 'time', 'turnstile', 'address']).optional().meta({
      description: 'What identified the form as spam. Absent for any other reason.',
    }),
    released: eventId.optional().meta({
      description: 'The event that it became when a person released it. Absent if nobody did.',
    }),
  })
  .meta({ id: 'Rejection', description: 'One webhook that was rejected.' });

export const rejectionPage = pageOf(rejection, 'RejectionPage', 'Rejections, newest first.');

export const rejectionWithBody = rejection
  .extend({
    body: z.unknown().optional().meta({
      description:
        'Of spam: the fields of the form, null if its source has `store: metadata`. Absent for any other reason. Viewers get null unless `VIEWER_SEES` is `payloads`.',
    }),
  })
  .meta({ id: 'RejectionWithBody', description: 'One rejection, with the fields if it is spam.' });

export const released = z
  .object({
    event: eventId,
    rejection: rejectionNumber,
    duplicate: z.boolean().meta({ description: 'True if an earlier event has the same dedupe key.' }),
    messages: z.array(messageId),
    waiting: count.optional().meta({
      description: 'The number of items that wait for a notification; absent: none.',
    }),
  })
  .meta({ id: 'Released', description: 'The event of a form that was not spam.' });
