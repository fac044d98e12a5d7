import * as z from 'zod';
import {
  configVersion,
  count,
  pageOf,
  writtenByName,
  fieldErrors,
  written,
  type AnswerOf,
} from '../../schema/api-parts.ts';
import { accountSchema } from '../../config/documents/account-schema.ts';
import { recipientsSchema } from '../../config/documents/recipients-schema.ts';
import { providerSchema } from '../../config/documents/provider-schema.ts';
import { sourceSchema, templateSchema, messageOf, templateKeys } from '../../config/documents/schema.ts';
import { silenceSchema } from '../../config/documents/alerting-schema.ts';
import * as mini from 'zod/mini';
import type { DocumentKind } from '../../config/documents/name.ts';
import { providerPage } from './api-provider.ts';
import { silencePage } from '../../registry/api-silence.ts';

export const warnings = fieldErrors.meta({ description: 'Warnings: valid, but perhaps not intended.' });

export const activated = z
  .object({ version: configVersion.meta({ description: 'The active version.' }), warnings })
  .meta({ id: 'Published', description: 'It was published.' });

const checked = z
  .object({ dry_run: z.literal(true), warnings })
  .meta({ id: 'Checked', description: 'The result of `dry_run=true`, which changes nothing.' });

export const receipt = z.union([activated, checked]).meta({ id: 'Receipt' });

export type PublishAnswer = AnswerOf<typeof receipt>;

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

export const keptFiles = z
  .union([
    z.object({ path, text: z.string() }).meta({ id: 'KeptFile', description: 'A file of the last push.' }),
    pageOf(z.object({ path, bytes: count }), 'KeptFilePage', 'The files that the set was made of.'),
  ])
  .meta({ id: 'KeptFiles' });

export type KeptFiles = AnswerOf<typeof keptFiles>;

const called = z.string().meta({ description: 'The name of the document.' });

const named = { name: called };

/** The answers about a kind of document. `item`: a document as a list shows it, with its name; `about` it. */
function answersOf(
  schema: z.core.$ZodType,
  component: string,
  item: z.core.$ZodType,
  [about, all]: readonly [string, string],
) {
  mini.globalRegistry.add(item, { id: `Listed${component}`, description: about });
  return { one: written(schema, component), page: pageOf(item, `${component}Page`, all), item };
}

export const documents = {
  sources: answersOf(sourceSchema, 'Source', mini.extend(sourceSchema, { id: called }), [
    'A source with its id.',
    'All sources.',
  ]),
  templates: answersOf(templateSchema, 'Template', messageOf({ ...templateKeys, ...named }), [
    'A template with its name.',
    'All templates.',
  ]),
  recipients: answersOf(recipientsSchema, 'Recipients', mini.extend(recipientsSchema, named), [
    'A recipients list with its name.',
    'All recipients lists.',
  ]),
  accounts: answersOf(accountSchema, 'Account', mini.extend(accountSchema, named), [
    'An account with its name.',
    'All accounts that have a document.',
  ]),
  silences: { one: written(silenceSchema, 'Silence'), page: silencePage },
  providers: { one: written(providerSchema, 'ProviderFile'), page: providerPage },
} as const satisfies Record<DocumentKind, unknown>;
