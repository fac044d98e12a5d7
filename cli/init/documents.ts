import type { ConfigSet } from '../../src/config/schema.ts';
import { nameForSecretOf } from '../../src/config/secret-names.ts';
import { isOpen } from '../../src/config/source-limit.ts';
import { pairs } from '../../src/provider/handshake.ts';
import type { Provider } from '../../src/provider/provider.ts';
import type { Starter } from '../../src/config/starter.ts';
import { verifySchema } from '../../src/signature/scheme.ts';
import type { DocumentId } from '../folder/kinds.ts';
import { writeYaml } from '../../patch/rewrite.ts';
import type { QuietHours } from './quiet.ts';
import type { Begin } from './starters.ts';

/** All that a new source is made of. */
export interface Plan extends Begin {
  readonly source: string;
  /** The numbers for the starter's lists of recipients, as the gateway's digits. */
  readonly numbers: readonly string[];
  readonly country: string | undefined;
  readonly locale: string | undefined;
  readonly timezone: string | undefined;
  /** When those in the lists are told only what is urgent; null: they have no such hours. */
  readonly quiet: QuietHours | null;
}

/** A secret that must be set before the source accepts anything. */
export interface NeededSecret {
  readonly name: string;
  readonly hint: string;
}

/** A document to be written. */
export interface NewDocument extends DocumentId {
  readonly value: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** The lists of recipients that a starter's routes name: a receiver that is neither a number nor a template. */
export function listsOf({ starter }: Begin): readonly string[] {
  const receivers = starter.routes.flatMap(({ to }) => [to].flat());
  const lists = receivers.filter((to) => typeof to === 'string' && !/\{\{|\{%|^\d+$/.test(to));
  return [...new Set(lists.map(String))];
}

/** The secrets of a new source. Each address at a provider has its own secret, so no two sources share a name. */
export function secretsOf(plan: Plan, existing: ConfigSet): readonly NeededSecret[] {
  const { starter, source, provider } = plan;
  const { name, hint } = starter.secret ?? {
    name: nameForSecretOf(source),
    hint: `what ${provider.name} signs with`,
  };
  const taken = Object.entries(existing.sources).some(
    ([id, document]) => id !== source && names(document, name),
  );
  // The relay proposes this name when a key was handed over.
  const own = { name: taken || isPairedLater(plan) ? nameForSecretOf(source) : name, hint };
  const handshake = handshakeSecret(starter.source);
  return [
    own,
    ...(handshake === null
      ? []
      : [{ name: handshake, hint: `a text that you choose; ${provider.name} sends it in its handshake` }]),
  ];
}

/** Whether the provider hands over the key of its signatures, so that the secret is set last. */
export const isPairedLater = ({ provider, starter }: Begin): boolean =>
  pairs(provider) && starter.source?.['verify'] === undefined;

function names(document: unknown, secret: string): boolean {
  const secrets: unknown =
    typeof document === 'object' && document !== null ? Reflect.get(document, 'secrets') : undefined;
  return Array.isArray(secrets) && secrets.includes(secret);
}

function handshakeSecret(source: Readonly<Record<string, unknown>> = {}): string | null {
  const { handshake } = source;
  const secret: unknown =
    typeof handshake === 'object' && handshake !== null ? Reflect.get(handshake, 'secret') : undefined;
  return typeof secret === 'string' ? secret : null;
}

/** The documents of a new source: the source, the templates that its routes name, and the lists. */
export function documentsOf(plan: Plan, existing: ConfigSet): readonly NewDocument[] {
  const { starter, source } = plan;
  return [
    sourceDocument(plan, secretsOf(plan, existing)),
    ...Object.entries(starter.templates ?? {}).map(([name, value]) =>
      made('templates', name, asObject(value)),
    ),
    ...listsOf(plan).map((name) =>
      made(
        'recipients',
        name,
        { numbers: plan.numbers, ...quietOf(plan) },
        `# Who gets what ${source} sends to \`${name}\`.\n`,
      ),
    ),
  ];
}

/** A list belongs to no source, so its hours name their zone. */
const quietOf = ({ quiet, timezone }: Plan) =>
  quiet === null ? {} : { quiet: { ...quiet, ...(timezone !== undefined && { timezone }) } };

function sourceDocument(plan: Plan, [secret]: readonly NeededSecret[]): NewDocument {
  const { provider, starter, source, country, locale, timezone } = plan;
  const isLater = isPairedLater(plan);
  const isSigned = secret !== undefined && hasScheme(provider, starter.source);
  const value = {
    provider: provider.id,
    ...starter.source,
    ...(isSigned && !isLater && { secrets: [secret.name] }),
    ...(country !== undefined && { country }),
    ...(country !== undefined && textsStrangers(provider, starter) && { countries: [country] }),
    ...(locale !== undefined && { locale }),
    ...(timezone !== undefined && { timezone }),
    routes: starter.routes,
  };
  const later =
    isLater && secret !== undefined
      ? `# Once it is paired and the key is set: secrets: [${secret.name}]\n`
      : '';
  return made('sources', source, value, `# ${provider.name} posts to /hooks/${source}\n${later}`);
}

/** Whether anybody who knows the address may post and choose the receivers. Such a source is limited to its country. */
function textsStrangers(provider: Provider, { source, routes }: Starter): boolean {
  const own = verifySchema.safeParse(source?.['verify']);
  const verify = own.success ? own.data : provider.verify;
  return verify !== null && isOpen(verify) && routes.some(({ to }) => String(to).includes('{{'));
}

const hasScheme = (provider: Provider, source: Readonly<Record<string, unknown>> = {}): boolean =>
  provider.verify !== null || source['verify'] !== undefined;

const made = (
  kind: NewDocument['kind'],
  name: string,
  value: Readonly<Record<string, unknown>>,
  comment = '',
): NewDocument => ({ kind, name, value, text: comment + writeYaml(value) });

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** A list with these numbers, and quiet hours if it has none; null when it has them, or is not a list. */
export function extendedList(
  document: unknown,
  { numbers, quiet }: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | null {
  const value = asObject(document);
  const known = value['numbers'];
  if (!Array.isArray(known)) return null;
  const missing = Array.isArray(numbers) ? numbers.filter((number) => !known.includes(number)) : [];
  const isQuieter = quiet !== undefined && value['quiet'] === undefined;
  if (missing.length === 0 && !isQuieter) return null;
  return {
    ...value,
    numbers: [...known.map(String), ...missing.map(String)],
    ...(isQuieter && { quiet }),
  };
}
