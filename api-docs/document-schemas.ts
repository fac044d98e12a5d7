import * as z from 'zod';
import packageFile from '../package.json' with { type: 'json' };
import { providerIds } from '../src/provider/provider.ts';
import { describeApi } from './document.ts';

/** The kinds of documents, by the names of their schemas' files, with the schemas in the description of the API. */
const DOCUMENTS = {
  source: 'Source',
  template: 'Template',
  recipients: 'Recipients',
  account: 'Account',
  silence: 'Silence',
  provider: 'ProviderFile',
} as const;

type SchemaName = keyof typeof DOCUMENTS;
type Json = Readonly<Record<string, unknown>>;

const IN_DESCRIPTION = '#/components/schemas/';
const IN_FILE = '#/definitions/';

/** A JSON Schema for each kind of document, for editors, as the API describes it. Draft 7, which all editors know. */
export function documentSchemas(): Readonly<Record<SchemaName, Json>> {
  const all: Readonly<Record<string, unknown>> = describeApi(packageFile.version).components?.schemas ?? {};
  const schemaOf = (name: SchemaName): Json => ({
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `hookbell: ${name}`,
    ...asJson(all[DOCUMENTS[name]]),
    definitions: definitionsOf(DOCUMENTS[name], all),
  });
  return {
    source: withProviders(schemaOf('source')),
    template: schemaOf('template'),
    recipients: schemaOf('recipients'),
    account: schemaOf('account'),
    silence: schemaOf('silence'),
    provider: schemaOf('provider'),
  };
}

/** The names of providers that hookbell ships, which an editor offers. A folder may have others. */
function withProviders(schema: Json): Json {
  const { properties } = shape.parse(schema);
  const provider = { ...properties['provider'], anyOf: [{ enum: providerIds() }, { type: 'string' }] };
  return { ...schema, properties: { ...properties, provider } };
}

const shape = z.object({ properties: z.record(z.string(), z.record(z.string(), z.unknown())) });

/** The schemas that one refers to, directly or not. */
function definitionsOf(first: string, all: Json): Json {
  const found = new Map<string, Json>();
  const visit = (name: string): void => {
    const text = JSON.stringify(all[name]) ?? '';
    for (const [, other = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(other)) continue;
      found.set(other, asJson(all[other]));
      visit(other);
    }
  };
  visit(first);
  const sorted = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, schema]) => [name, withFlatChoice(schema, found)]));
}

/** Editors offer the values of a choice, but not those of a choice within it. */
function withFlatChoice(schema: Json, all: ReadonlyMap<string, Json>): Json {
  const choice = choiceOf(schema);
  if (choice === null) return schema;
  const flat = choice.members.flatMap((member) => {
    const [, name = ''] = /"\$ref":"#\/definitions\/(\w+)"/.exec(JSON.stringify(member)) ?? [];
    const inner = choiceOf(all.get(name) ?? {});
    return inner === null ? [member] : inner.members;
  });
  return { ...schema, [choice.key]: flat };
}

function choiceOf(schema: Json): { readonly key: string; readonly members: readonly unknown[] } | null {
  for (const key of ['oneOf', 'anyOf']) {
    const members = schema[key];
    if (Array.isArray(members)) return { key, members };
  }
  return null;
}

function asJson(schema: unknown): Json {
  const json: unknown = JSON.parse(JSON.stringify(schema).replaceAll(`"${IN_DESCRIPTION}`, `"${IN_FILE}`));
  return typeof json === 'object' && json !== null ? { ...json } : {};
}
