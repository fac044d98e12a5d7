import * as z from 'zod';
import { configVersion, count, pageOf, writtenByName } from '../../schema/api-parts.ts';
import { fieldErrors } from '../../schema/api-problem.ts';
import { accountSchema } from '../../config/documents/account-schema.ts';
import { recipientsSchema } from '../../config/documents/recipients-schema.ts';
import { providerSchema } from '../../config/documents/provider-schema.ts';
import { sourceSchema, templateSchema } from '../../config/documents/schema.ts';
import { silenceSchema } from '../../config/documents/alerting-schema.ts';

export const warnings = fieldErrors.meta({ description: 'Warnings: valid, but perhaps not intended.' });

/** A version that is active now. */
export const activated = z
  .object({ version: configVersion.meta({ description: 'The active version.' }), warnings })
  .meta({ id: 'Published', description: 'It was published.' });

const checked = z
  .object({ dry_run: z.literal(true), warnings })
  .meta({ id: 'Checked', description: 'The result of `dry_run=true`, which changes nothing.' });

/** The answer to a publish, or to a check of one. */
export const receipt = z.union([activated, checked]).meta({ id: 'Receipt' });

export const configSet = z
  .object({
    sources: writtenByName(sourceSchema, 'Source'),
    templates: writtenByName(templateSchema, 'Template'),
    recipients: writtenByName(recipientsSchema, 'Recipients'),
    accounts: writtenByName(accountSchema, 'Account'),
    silences: writtenByName(silenceSchema, 'Silence'),
    providers: writtenByName(providerSchema, 'ProviderFile'),
  })
  .meta({ id: 'ConfigSet', description: 'The whole configuration: all documents by their names.' });

export const takenOver = activated
  .extend({ managed: z.null().meta({ description: 'It is no longer managed in git.' }) })
  .meta({ id: 'TakenOver', description: 'The same documents, under a new version.' });

const path = z.string().meta({ description: 'The path in the folder.' });

/** One file with its text, or the list of all files. */
export const keptFiles = z
  .union([
    z.object({ path, text: z.string() }).meta({ id: 'KeptFile', description: 'A file of the last push.' }),
    pageOf(z.object({ path, bytes: count }), 'KeptFilePage', 'The files that the set was made of.'),
  ])
  .meta({ id: 'KeptFiles' });
