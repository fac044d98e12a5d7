import * as z from 'zod';
import packageFile from '../package.json' with { type: 'json' };
import { providerIds } from '../src/provider/provider.ts';
import { parseObject } from '../src/lib/json.ts';
import { describeApi } from './document.ts';

/** The kinds of documents, by the names of their schemas' files, with the schemas in the description of the API. */
const DOCUMENTS = {
  source: 'Source',
  template: 'Template',
  recipients: 'Recipients',
  account: 'Account',
  silence: 'Silence',
  provider: 'ProviderFile',
};

type Json = Readonly<Record<string, unknown>>;

/** A JSON Schema for each kind of document, for editors, as the API describes it. Draft 7, which all editors know. */
export function documentSchemas(): Readonly<Record<string, Json>> {
  const all: Json = describeApi(packageFile.version).components?.schemas ?? {};
  const schemas = Object.entries(DOCUMENTS).map(([name, component]): [string, Json] => {
    const $schema = 'http://json-schema.org/draft-07/schema#';
    const own = { $schema, title: `hookbell: ${name}`, ...asJson(all[component]) };
    const schema = { ...own, definitions: definitionsOf(component, all) };
    return [name, name === 'source' ? withProviders(schema) : schema];
  });
  return Object.fromEntries(schemas);
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
  if (choice === undefined) return schema;
  const [key, members] = choice;
  const flat = members.flatMap((member) => {
    const [, name = ''] = /"\$ref":"#\/definitions\/(\w+)"/.exec(JSON.stringify(member)) ?? [];
    return choiceOf(all.get(name) ?? {})?.[1] ?? [member];
  });
  return { ...schema, [key]: flat };
}

const choiceOf = (schema: Json) =>
  ['oneOf', 'anyOf'].flatMap((key): [string, unknown[]][] => {
    const members = schema[key];
    return Array.isArray(members) ? [[key, members]] : [];
  })[0];

function asJson(schema: unknown): Json {
  const text = JSON.stringify(schema).replaceAll('"#/components/schemas/', '"#/definitions/');
  return parseObject(text) ?? {};
}
