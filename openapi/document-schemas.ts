import packageFile from '../package.json' with { type: 'json' };
import { describeApi } from './document.ts';

/** The kinds of documents, by the names of their schemas' files, with the schemas in the description of the API. */
const DOCUMENTS = {
  source: 'Source',
  template: 'Template',
  recipients: 'Recipients',
  account: 'Account',
  silence: 'Silence',
} as const;

type SchemaName = keyof typeof DOCUMENTS;
type Json = Readonly<Record<string, unknown>>;

/** The place of a schema in the description, and in a file of its own. */
const IN_DESCRIPTION = '#/components/schemas/';
const IN_FILE = '#/definitions/';

/**
 * A JSON Schema for each kind of document, for editors: the schemas that validate, with the descriptions and examples of the
 * API. Draft 7, which all editors know.
 */
export function documentSchemas(): Readonly<Record<SchemaName, Json>> {
  const all: Readonly<Record<string, unknown>> = describeApi(packageFile.version).components?.schemas ?? {};
  const schemaOf = (name: SchemaName): Json => ({
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `hookbell: ${name}`,
    ...asJson(all[DOCUMENTS[name]]),
    definitions: definitionsOf(DOCUMENTS[name], all),
  });
  return {
    source: schemaOf('source'),
    template: schemaOf('template'),
    recipients: schemaOf('recipients'),
    account: schemaOf('account'),
    silence: schemaOf('silence'),
  };
}

/** The schemas that one refers to, directly or not. */
function definitionsOf(first: string, all: Json): Json {
  const found = new Map<string, unknown>();
  const visit = (name: string): void => {
    const text = JSON.stringify(all[name]) ?? '';
    for (const [, other = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(other)) continue;
      found.set(other, asJson(all[other]));
      visit(other);
    }
  };
  visit(first);
  return Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** A schema as it stands in a file of its own. */
function asJson(schema: unknown): Json {
  const json: unknown = JSON.parse(JSON.stringify(schema).replaceAll(`"${IN_DESCRIPTION}`, `"${IN_FILE}`));
  return typeof json === 'object' && json !== null ? { ...json } : {};
}
