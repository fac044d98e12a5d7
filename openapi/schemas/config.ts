import * as z from 'zod';
import { accountSchema } from '../../src/config/account-schema.ts';
import { recipientsSchema, sourceSchema, templateSchema } from '../../src/config/schema.ts';
import { configVersion, pageOf, time, writtenByName } from './parts.ts';
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
  })
  .meta({ id: 'ConfigSet', description: 'The whole configuration: all documents by their names.' });

const version = z
  .object({
    version: configVersion,
    published_at: time,
    by: z.string().meta({ description: 'Who published it: `token`, or whom Cloudflare Access knows.' }),
    note: z.string().meta({ description: 'What was changed, in a few words.' }),
    active: z.boolean().meta({ description: 'Whether it is the one in force.' }),
  })
  .meta({ id: 'Version', description: 'A version of the configuration, without its documents.' });

export const versionPage = pageOf(version, 'VersionPage', 'Versions, newest first.');

const rejection = z
  .object({
    at: time,
    source: z.string(),
    status: z.int().min(400).max(599).meta({ description: 'What the sender was answered.' }),
    reason: z.string().meta({ description: 'Why, as a word, such as `stale` or `mismatch`.' }),
    detail: z.string().meta({ description: 'The same for a person. Never a secret or a piece of the body.' }),
  })
  .meta({ id: 'Rejection', description: 'One webhook that was turned away.' });

export const rejectionPage = pageOf(rejection, 'RejectionPage', 'Rejections, newest first.');
