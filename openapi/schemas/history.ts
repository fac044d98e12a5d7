import * as z from 'zod';
import { configVersion, pageOf, time } from './parts.ts';

const version = z
  .object({
    version: configVersion,
    published_at: time,
    by: z.string().meta({ description: 'The publisher: `token`, or the identity from Cloudflare Access.' }),
    note: z.string().meta({
      description: 'The `note` of its publisher, else a summary of the changes.',
    }),
    active: z.boolean().meta({ description: 'True for the active version.' }),
  })
  .meta({ id: 'Version', description: 'A version of the configuration, without its documents.' });

const managed = z
  .object({
    by: z.string().meta({ description: 'The person who made it managed.' }),
    at: time.meta({ description: 'The time since when it is managed; later pushes do not change it.' }),
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
  description: 'Its number. The newest 200 are stored; `?limit=1&cursor=` the number after it shows one.',
});

export const rejection = z
  .object({
    n: rejectionNumber,
    at: time,
    source: z.string(),
    status: z.int().min(400).max(599).meta({ description: "The status of the sender's answer." }),
    reason: z.string().meta({ description: 'The reason as a word, such as `stale` or `mismatch`.' }),
    detail: z
      .string()
      .meta({ description: 'The reason for a person, without secrets or parts of the body.' }),
    from: z.string().optional().meta({
      description: 'The sender: its address and user agent. Absent for a flood over a limit.',
    }),
  })
  .meta({ id: 'Rejection', description: 'One webhook that was rejected.' });

export const rejectionPage = pageOf(rejection, 'RejectionPage', 'Rejections, newest first.');
