import * as core from 'zod/v4/core';
import { DEFAULTS, DESCRIPTIONS } from '../../api-docs/descriptions.ts';
import { DOCUMENTS, groupsOf, SIGNING } from '../../api-docs/groups.ts';
import { limitOfScheme, MIB } from '../../src/config/compiled/source-limit.ts';
import type { VerifyScheme } from '../../src/signature/scheme.ts';
import { table, type Sections } from './page.ts';

type Words = Readonly<Record<string, Readonly<Record<string, string>>>>;
const MEANINGS: Words = DESCRIPTIONS;
const FALLBACKS: Words = DEFAULTS;

/** The places that explain a key. */
const MORE: Readonly<Record<string, string>> = {
  'source.provider': 'providers.md',
  'source.verify': 'receiving.md#verification',
  'source.handshake': 'receiving.md#handshakes',
  'source.handshakes': 'providers.md#one-of-your-own',
  'source.event': 'providers.md#one-of-your-own',
  'source.answers': 'providers.md#one-of-your-own',
  'source.body': 'providers.md#one-of-your-own',
  'source.dedupe': 'receiving.md#duplicates',
  'source.country': 'phone-numbers.md',
  'source.countries': 'phone-numbers.md#open-sources',
  'source.account': '#accounts',
  'source.fields': 'forms.md',
  'source.spam': 'forms.md',
  'source.routes': '#routes',
  'route.actions': 'answers.md',
  'route.escalate': 'alerts.md#an-escalation',
  'route.incident': 'alerts.md',
  'route.when': 'templates.md#conditions',
  'route.send': '#templates',
  'route.once': '#once',
  'route.throttle': '#throttles-and-quiet-hours',
  'route.quiet': '#throttles-and-quiet-hours',
  'recipients.rotation': 'on-call.md',
  'recipients.throttle': '#throttles-and-quiet-hours',
  'recipients.quiet': '#throttles-and-quiet-hours',
  'account.gateway': 'gateway.md',
  'account.http': 'own-gateway.md',
};

/** Every object of the documents, by its group; a token has one for each place. */
const OBJECTS = Map.groupBy(
  Object.entries(DOCUMENTS).flatMap(([root, schema]) =>
    [...groupsOf(schema, root)].map(([object, group]) => ({ object, group })),
  ),
  ({ group }) => group,
);

const OTHERS = kinds('verify').filter((kind) => kind !== 'timestamp' && !SIGNING.includes(kind));

/** The generated sections of each page. Throws when a key has no description yet. */
export const configSections = (): Readonly<Record<string, Sections>> => ({
  'docs/configuration.md': {
    'keys of a source': documentTable('source'),
    'default limits': limitsTable(),
    'keys of a route': documentTable('route'),
    'keys of a template': templateTable(),
    'keys of recipients': documentTable('recipients'),
    'keys of an account': documentTable('account'),
    'keys of quiet hours': documentTable('quiet'),
    'keys of a silence': documentTable('silence'),
  },
  'docs/own-gateway.md': {
    'keys of a gateway': documentTable('http'),
    'keys of a request': documentTable('http.call'),
    'keys of an answer': documentTable('answer'),
    'keys of a rule': documentTable('answer.rule'),
  },
  'docs/receiving.md': {
    'options of signatures': optionsTable(SIGNING),
    'options of a timestamp': documentTable('verify.timestamp'),
    'options of other schemes': optionsTable(OTHERS),
  },
});

/** The part after the dot in the names of groups: the kinds of a template, the schemes of `verify`. */
function kinds(root: string): string[] {
  return [...OBJECTS.keys()].flatMap((group) =>
    group.startsWith(`${root}.`) ? [group.slice(root.length + 1)] : [],
  );
}

interface Key {
  /** A group of descriptions, and the name of the key there. */
  readonly group: string;
  readonly key: string;
  readonly schemas: readonly core.$ZodType[];
  /** True if each object of the group has the key, so that it can be required in all of them. */
  readonly isInAll: boolean;
}

function keysOf(group: string): readonly Key[] {
  const objects = OBJECTS.get(group) ?? [];
  const entries = objects.flatMap(({ object }) => Object.entries(object._zod.def.shape));
  return [...Map.groupBy(entries, ([key]) => key)].map(([key, all]) => ({
    group,
    key,
    schemas: all.map(([, schema]) => schema),
    isInAll: all.length === objects.length,
  }));
}

/** Below each key are those of its object, if that is used only there. */
function documentTable(group: string): string {
  return table(['key', 'means', 'default'], rowsOf(group, ''));
}

const rowsOf = (group: string, path: string): (readonly string[])[] =>
  keysOf(group).flatMap((key) => [
    row(key, path + key.key),
    ...rowsOf(`${group}.${key.key}`, `${path}${key.key}.`),
  ]);

function row(key: Key, name: string): readonly string[] {
  const more = MORE[`${key.group}.${key.key}`];
  return [more === undefined ? `\`${name}\`` : `[\`${name}\`](${more})`, meaningOf(key), defaultOf(key)];
}

function defaultOf({ schemas, isInAll, group, key }: Key): string {
  if (isInAll && schemas.every((schema) => schema._zod.optin === undefined)) return 'required';
  return FALLBACKS[group]?.[key] ?? schemas.map(schemaDefault)[0] ?? '';
}

function schemaDefault(schema: core.$ZodType): string | undefined {
  if (schema instanceof core.$ZodDefault) {
    const value: unknown = schema._zod.def.defaultValue;
    return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
  }
  return schema instanceof core.$ZodPipe ? schemaDefault(schema._zod.def.in) : undefined;
}

/** The first sentence of its description; schemas and the API's description have all of it. */
function meaningOf({ group, key }: Key): string {
  const meaning = MEANINGS[group]?.[key];
  if (meaning === undefined)
    throw new Error(`api-docs/descriptions.ts does not describe \`${key}\` of ${group}`);
  return meaning.replace(/(?<=\.) (?=[A-Z`]).*$/, '');
}

function limitsTable(): string {
  return table(
    ['`verify`', '`limit`'],
    [
      ['`none`', limitOf({ scheme: 'none' })],
      ['`token` in the path or query', limitOf({ scheme: 'token', in: 'path' })],
      ['`any` with one of these', 'that of the weakest scheme, since a flood would use it'],
      ['anything else', limitOf({ scheme: 'basic' })],
    ],
  );
}

function limitOf(scheme: VerifyScheme): string {
  const limit = limitOfScheme(scheme);
  if (limit === null) return 'none';
  const { perMinute, burst, bytesPerHour, messagesPerMinute } = limit;
  const keys = {
    per_minute: perMinute,
    burst,
    mib_per_hour: bytesPerHour === null ? null : bytesPerHour / MIB,
    messages_per_minute: messagesPerMinute,
  };
  const shown = Object.entries(keys).flatMap(([key, value]) => (value === null ? [] : `${key}: ${value}`));
  return `\`{ ${shown.join(', ')} }\``;
}

function templateTable(): string {
  const rows = kinds('template').flatMap((kind) =>
    keysOf(`template.${kind}`)
      .filter(({ key }) => key !== 'kind' && key !== 'fallback')
      .map((key) => [`\`${kind}\``, ...row(key, key.key)]),
  );
  const ofAll = keysOf('template.text').filter(({ key }) => key === 'fallback');
  const all = ofAll.map((key) => ['all', ...row(key, key.key)]);
  return table(['kind', 'parameter', 'means', 'default'], [...rows, ...all]);
}

/** A table of the keys that several schemes have, one row for all schemes with the same description. */
function optionsTable(schemes: readonly string[]): string {
  const all = schemes.flatMap((name) => keysOf(`verify.${name}`).map((key) => ({ ...key, name })));
  const wanted = all.filter(({ key }) => key !== 'scheme');
  const groups = [...Map.groupBy(wanted, ({ key }) => key).values()].flatMap((alike) => [
    ...Map.groupBy(alike, (key) => JSON.stringify(row(key, key.key))).values(),
  ]);
  const rows = groups.flatMap((same) => {
    const [first] = same;
    const [name = '', ...rest] = first === undefined ? [] : row(first, first.key);
    const where = same.length === schemes.length ? 'all' : same.map((key) => `\`${key.name}\``).join(', ');
    return [[name, where, ...rest]];
  });
  return table(['option', 'of', 'means', 'default'], rows);
}
