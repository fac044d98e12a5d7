import * as z from 'zod';
import { accountSchema } from '../../src/config/account-schema.ts';
import { recipientsSchema, sourceSchema, templateSchema } from '../../src/config/schema.ts';
import { silenceSchema } from '../../src/config/telling-schema.ts';
import { configVersion, writtenByName } from './parts.ts';
import { fieldErrors } from './problem.ts';

const warnings = fieldErrors.meta({ description: 'What is allowed, but perhaps not meant.' });

const published = z
  .object({ version: configVersion.meta({ description: 'The version that is in force now.' }), warnings })
  .meta({ id: 'Published', description: 'It was published.' });

const checked = z
  .object({ dry_run: z.literal(true), warnings })
  .meta({ id: 'Checked', description: 'It could be published: `dry_run=true` changes nothing.' });

/** What a publish answers, or a check of one. */
export const receipt = z.union([published, checked]).meta({ id: 'Receipt' });
export const activated = published;

export const configSet = z
  .object({
    sources: writtenByName(sourceSchema, 'Source'),
    templates: writtenByName(templateSchema, 'Template'),
    recipients: writtenByName(recipientsSchema, 'Recipients'),
    accounts: writtenByName(accountSchema, 'Account'),
    silences: writtenByName(silenceSchema, 'Silence'),
  })
  .meta({ id: 'ConfigSet', description: 'The whole configuration: all documents by their names.' });
