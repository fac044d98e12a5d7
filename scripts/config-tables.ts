import type * as core from 'zod/v4/core';
import { DEFAULTS, DESCRIPTIONS } from '../api-docs/descriptions.ts';
import { DOCUMENTS, groupsOf, SIGNING } from '../api-docs/groups.ts';
import { limitOfScheme, MIB } from '../src/config/compiled/source-limit.ts';
import type { VerifyScheme } from '../src/signature/scheme.ts';
import { type Sections, table } from './page-section.ts';
import { isRequired, schemaDefault, typeOf } from './schema-words.ts';

type Words = Readonly<Record<string, Readonly<Record<string, string>>>>;
const MEANINGS: Words = DESCRIPTIONS;
const FALLBACKS: Words = DEFAULTS;

/** The places where the page says more about a key. */
const MORE: Readonly<Record<string, string>> = {
  'source.provider': '[providers.md](providers.md)',
  'source.verify': '[Verification](#verification)',
  'source.handshake': '[Handshakes](#handshakes)',
  'source.dedupe': '[Duplicates](#duplicates)',
  'source.country': '[Phone numbers](#phone-numbers)',
  'source.countries': '[Open sources](#open-sources)',
  'source.account': '[Accounts](#accounts)',
  'source.routes': '[Routes](#routes)',
  'route.actions': '[answers.md](answers.md)',
  'route.when': '[conditions](templates.md#conditions)',
  'route.send': '[Templates](#templates)',
  'route.throttle': '[Throttles](#throttles)',
  'route.quiet': '[Quiet hours](#quiet-hours)',
  'recipients.throttle': '[Throttles](#throttles)',
  'account.gateway': '[gateway.md](gateway.md)',
  'account.http': '[A gateway of your own](#a-gateway-of-your-own)',
  'recipients.quiet': '[Quiet hours](#quiet-hours)',
};

/** Every object of the documents, by its group; a token has one for each place. */
const OBJECTS = Map.groupBy(
  Object.entries(DOCUMENTS).flatMap(([root, schema]) =>
    [...groupsOf(schema, root)].map(([object, group]) => ({ object, group })),
  ),
  ({ group }) => group,
);

/** The generated sections of docs/configuration.md. Throws when a key has no description yet. */
export const configSections = (): Sections => ({
  'keys of a source': documentTable('source'),
  'default limits': limitsTable(),
  'keys of a route': documentTable('route'),
  'keys of a template': templateTable(),
  'keys of recipients': documentTable('recipients'),
  'keys of an account': documentTable('account'),
  'keys of a gateway': documentTable('http'),
  'keys of a request': documentTable('http.call'),
  'keys of an answer': documentTable('answer'),
  'keys of a rule': documentTable('answer.rule'),
  'keys of a throttle': documentTable('throttle'),
  'keys of quiet hours': documentTable('quiet'),
  'keys of a silence': documentTable('silence'),
  'options of signatures': optionsTable(SIGNING),
  'options of a timestamp': documentTable('verify.timestamp', 'option of `timestamp`'),
  'options of other schemes': optionsTable(OTHERS),
});

const OTHERS = kinds('verify').filter((kind) => kind !== 'timestamp' && !SIGNING.includes(kind));

/** The part after the dot in the names of groups: the kinds of a template, the schemes of `verify`. */
function kinds(root: string): string[] {
  return [...OBJECTS.keys()].flatMap((group) =>
    group.startsWith(`${root}.`) ? [group.slice(root.length + 1)] : [],
  );
}

/** One key of an object, with its form in each of the objects of the group. */
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

/** A table of an object's keys, and below each the keys of objects that are used only there. */
function documentTable(group: string, head = 'key'): string {
  return table([head, 'is', 'default', 'means'], rowsOf(group, ''));
}

const rowsOf = (group: string, path: string): (readonly string[])[] =>
  keysOf(group).flatMap((key) => [
    row(key, path + key.key),
    ...rowsOf(`${group}.${key.key}`, `${path}${key.key}.`),
  ]);

function row(key: Key, name: string): readonly string[] {
  return [`\`${name}\``, typeOf(key.schemas), defaultOf(key), meaningOf(key)];
}

function defaultOf({ schemas, isInAll, group, key }: Key): string {
  if (isInAll && schemas.every(isRequired)) return 'required';
  return FALLBACKS[group]?.[key] ?? schemas.map(schemaDefault)[0] ?? '';
}

function meaningOf({ group, key }: Key): string {
  const meaning = MEANINGS[group]?.[key];
  if (meaning === undefined)
    throw new Error(`api-docs/descriptions.ts does not describe \`${key}\` of ${group}`);
  const more = MORE[`${group}.${key}`];
  if (more !== undefined) return `${meaning} See ${more}.`;
  // All parameters of a template are Liquid; the page says it once.
  return group.startsWith('template.') ? meaning.replace(/ (?:Each is )?Liquid\.$/, '') : meaning;
}

/** A table of the limits that sources have by their verification. */
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

/** A table of the parameters of each kind of template. */
function templateTable(): string {
  const rows = kinds('template').flatMap((kind) =>
    keysOf(`template.${kind}`)
      .filter(({ key }) => key !== 'kind' && key !== 'fallback')
      .map((key) => [`\`${kind}\``, ...row(key, key.key)]),
  );
  const ofAll = keysOf('template.text').filter(({ key }) => key === 'fallback');
  const all = ofAll.map((key) => ['all', ...row(key, key.key)]);
  return table(['kind', 'parameter', 'is', 'default', 'means'], [...rows, ...all]);
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
  return table(['option', 'of', 'is', 'default', 'means'], rows);
}
