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

const listed = {
  sources: mini.extend(sourceSchema, { id: called }),
  templates: messageOf({ ...templateKeys, ...named }),
  recipients: mini.extend(recipientsSchema, named),
  accounts: mini.extend(accountSchema, named),
};

export const LISTED = [
  { schema: listed.sources, group: 'source' },
  { schema: listed.templates, group: 'template' },
  { schema: listed.recipients, group: 'recipients' },
  { schema: listed.accounts, group: 'account' },
] as const;

mini.globalRegistry.add(listed.sources, { id: 'ListedSource', description: 'A source with its id.' });
mini.globalRegistry.add(listed.templates, {
  id: 'ListedTemplate',
  description: 'A template with its name.',
});
mini.globalRegistry.add(listed.recipients, {
  id: 'ListedRecipients',
  description: 'A recipients list with its name.',
});
mini.globalRegistry.add(listed.accounts, {
  id: 'ListedAccount',
  description: 'An account with its name.',
});

export const documents = {
  sources: {
    one: written(sourceSchema, 'Source'),
    page: page('Source', listed.sources, 'All sources.'),
  },
  templates: {
    one: written(templateSchema, 'Template'),
    page: page('Template', listed.templates, 'All templates.'),
  },
  recipients: {
    one: written(recipientsSchema, 'Recipients'),
    page: page('Recipients', listed.recipients, 'All recipients lists.'),
  },
  accounts: {
    one: written(accountSchema, 'Account'),
    page: page('Account', listed.accounts, 'All accounts that have a document.'),
  },
  silences: { one: written(silenceSchema, 'Silence'), page: silencePage },
  providers: { one: written(providerSchema, 'ProviderFile'), page: providerPage },
} as const satisfies Record<DocumentKind, unknown>;

function page(id: string, item: z.core.$ZodType, description: string) {
  return pageOf(item, `${id}Page`, description);
}
