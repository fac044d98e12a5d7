import * as z from 'zod';
import { configVersion, pageOf, time } from './parts.ts';

const version = z
  .object({
    version: configVersion,
    published_at: time,
    by: z.string().meta({ description: 'Who published it: `token`, or whom Cloudflare Access knows.' }),
    note: z.string().meta({
      description: 'What its publisher said about it (`note`), else what was changed in a few words.',
    }),
    active: z.boolean().meta({ description: 'Whether it is the one in force.' }),
  })
  .meta({ id: 'Version', description: 'A version of the configuration, without its documents.' });

const managed = z
  .object({
    by: z.string().meta({ description: 'Who marked the set.' }),
    at: time.meta({ description: 'When it was marked; pushes since then leave it.' }),
  })
  .nullable()
  .meta({
    description: 'Whether the set is kept in git, so that only pushes of its files publish. Else null.',
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
    description: 'Who took the set over from git, while it has not been pushed from there again. Else null.',
  });

export const versionPage = pageOf(version, 'VersionPage', 'Versions, newest first.')
  .extend({ managed, taken_over: takenOver })
  .meta({
    id: 'VersionPage',
    description: 'Versions, newest first, and whether the set is kept in git.',
  });

/** A rejection's number. */
export const rejectionNumber = z.int().min(1).max(1_000_000_000).meta({
  description: 'Its number. The newest 200 are kept; `?limit=1&cursor=` the number after it shows one.',
});

export const rejection = z
  .object({
    n: rejectionNumber,
    at: time,
    source: z.string(),
    status: z.int().min(400).max(599).meta({ description: "The status of the sender's answer." }),
    reason: z.string().meta({ description: 'Why, as a word, such as `stale` or `mismatch`.' }),
    detail: z.string().meta({ description: 'The same for a person. Never a secret or a piece of the body.' }),
    from: z.string().optional().meta({
      description: 'Who sent it: an address, and what it calls itself. Absent for a flood over a limit.',
    }),
  })
  .meta({ id: 'Rejection', description: 'One webhook that was rejected.' });

export const rejectionPage = pageOf(rejection, 'RejectionPage', 'Rejections, newest first.');
