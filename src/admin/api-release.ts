import * as z from 'zod';

export const newestRelease = z
  .object({
    version: z.string(),
    since: z.string().meta({ description: 'The version of the relay when this was reported.' }),
    changes: z
      .array(z.string())
      .meta({ description: 'The changes after `since`, as the changelog lists them.' }),
  })
  .meta({ id: 'NewestRelease', description: 'A version of hookbell that is newer than a relay.' });

export const release = z
  .object({
    version: z.string().meta({ description: 'The version of the relay.' }),
    newest: newestRelease.nullable().meta({ description: 'Null: none was reported.' }),
  })
  .meta({ id: 'Release', description: 'The version of the relay, and the newest that it knows of.' });
