import * as z from 'zod';
import {
  component,
  configVersion,
  count,
  pageOf,
  writtenByName,
  fieldErrors,
  written,
  type AnswerOf,
  text,
} from '../../schema/api-parts.ts';
import { accountSchema } from '../../config/documents/account-schema.ts';
import { recipientsSchema, silenceSchema } from '../../config/documents/alerting-schema.ts';
import { providerSchema } from '../../config/documents/provider-file.ts';
import { sourceSchema, templateSchema, messageOf, templateKeys } from '../../config/documents/schema.ts';
import * as mini from 'zod/mini';
import type { DocumentKind } from '../../config/documents/name.ts';
import { providerPage } from './api-provider.ts';
import { silencePage } from '../../answers/api-silence.ts';

export const warnings = fieldErrors.describe('Warnings: valid, but perhaps not intended.');

export const activated = component('Published', 'It was published.', {
  version: configVersion.describe('The active version.'),
  warnings,
});

const checked = component('Checked', 'The result of `dry_run=true`, which changes nothing.', {
  dry_run: z.literal(true),
  warnings,
});

export const receipt = z.union([activated, checked]).meta({ id: 'Receipt' });

export type PublishAnswer = AnswerOf<typeof receipt>;

export const configSet = component('ConfigSet', 'The whole configuration: all documents by their names.', {
  sources: writtenByName(sourceSchema, 'Source'),
  templates: writtenByName(templateSchema, 'Template'),
  recipients: writtenByName(recipientsSchema, 'Recipients'),
  accounts: writtenByName(accountSchema, 'Account'),
  silences: writtenByName(silenceSchema, 'Silence'),
  providers: writtenByName(providerSchema, 'ProviderFile'),
});

export const takenOver = activated
  .extend({ managed: z.null().describe('It is no longer managed in git.') })
  .meta({ id: 'TakenOver', description: 'The same documents, under a new version.' });

const path = text('The path in the folder.');

export const keptFiles = z
  .union([
    component('KeptFile', 'A file of the last push.', { path, text: z.string() }),
    pageOf(z.object({ path, bytes: count }), 'KeptFilePage', 'The files that the set was made of.'),
  ])
  .meta({ id: 'KeptFiles' });

export type KeptFiles = AnswerOf<typeof keptFiles>;

const called = text('The name of the document.');

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
