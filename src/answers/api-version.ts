import * as z from 'zod';
import { component, configVersion, pageOf, time, type AnswerOf, flag, text } from '../schema/api-parts.ts';

const version = component('Version', 'A version of the configuration, without its documents.', {
  version: configVersion,
  published_at: time,
  by: text('The publisher: the name given at sign-in, `token`, or the identity from Cloudflare Access.'),
  note: text('The `note` of its publisher, else a summary of the changes.'),
  active: flag('True for the active version.'),
});

const managed = z
  .object({
    by: text('The person who made it managed.'),
    at: time.describe('The time when it became managed; later pushes do not change it.'),
  })
  .nullable()
  .describe(
    'Present if the configuration is managed in git, so that only pushes of its files publish. Else null.',
  );

const takenOver = z
  .object({
    name: text('The name that was given.'),
    at: time,
    version: configVersion.describe(
      'The version that the takeover made; its documents are those of the last push.',
    ),
  })
  .nullable()
  .describe(
    'The person who took the configuration over from git, until the next push from there. Else null.',
  );

export const versionPage = pageOf(version, 'VersionPage', 'Versions, newest first.')
  .extend({ managed, taken_over: takenOver })
  .meta({
    id: 'VersionPage',
    description: 'Versions, newest first, and the state of management in git.',
  });

export type VersionInfo = AnswerOf<typeof version>;
export type Keeping = Pick<AnswerOf<typeof versionPage>, 'managed' | 'taken_over'>;
