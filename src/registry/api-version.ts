import * as z from 'zod';
import { configVersion, pageOf, time, type AnswerOf } from '../schema/api-parts.ts';

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

export type VersionInfo = AnswerOf<typeof version>;
export type Keeping = Pick<AnswerOf<typeof versionPage>, 'managed' | 'taken_over'>;
