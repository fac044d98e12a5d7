import { asObject, ownValue } from '../../src/lib/json.ts';
import { nameForSecretOf } from '../../src/config/secrets/credential-names.ts';
import type { LeftRoute } from './story.ts';

interface ProviderOutline {
  readonly id: string;
  readonly name: string;
  /** Null: its sources need their own. */
  readonly verify: unknown;
  readonly handshakes?: readonly unknown[];
}

interface StarterOutline {
  readonly secret?: NeededSecret;
  readonly source?: Readonly<Record<string, unknown>>;
  readonly routes: readonly Readonly<Record<string, unknown>>[];
  readonly templates?: Readonly<Record<string, unknown>>;
  /** Routes that the file of the source has as comments. */
  readonly left?: readonly LeftRoute[];
}

/** Quiet hours as a person writes them: by the clock of the source's time zone. */
export type QuietHours = Readonly<{ from: string; to: string }>;

export interface ProviderStarterOutline {
  readonly provider: ProviderOutline;
  readonly starter: StarterOutline;
}

export interface SourcePlan extends ProviderStarterOutline {
  readonly source: string;
  /** The full address that the provider posts to, as given to the provider. */
  readonly address: string;
  /** The numbers for the starter's lists of recipients, as the gateway's digits. */
  readonly numbers: readonly string[];
  /** Lists of the folder that get the messages, and stay as they are; absent: the source's own lists do. */
  readonly lists?: readonly string[];
  readonly account?: string;
  /** The addresses for those lists where the gateway has its own, such as topics; then there are no numbers. */
  readonly addresses?: { readonly gateway: string; readonly all: readonly string[] };
  readonly newAccount?: { readonly name: string; readonly value: object; readonly about: string };
  readonly country: string | undefined;
  readonly locale: string | undefined;
  readonly timezone: string | undefined;
  /** Hours in which the people in the lists are notified only of urgent items; null if they have none. */
  readonly quiet: QuietHours | null;
}

export interface Existing {
  readonly sources: Readonly<Record<string, unknown>>;
  readonly recipients: Readonly<Record<string, unknown>>;
}

export type NeededSecret = Readonly<{ name: string; hint: string }>;

export interface PlannedDocument {
  readonly kind: 'sources' | 'templates' | 'recipients' | 'accounts';
  readonly name: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly comment: string;
  /** Routes that stand at the end of its file as comments; absent: none. */
  readonly left?: readonly LeftRoute[];
}

/** The documents of one kind, by their names. With `fromEntries`, even `__proto__` is a name like any other. */
export const valuesOf = <Kind extends string, Value>(
  documents: readonly { readonly kind: Kind; readonly name: string; readonly value: Value }[],
  kind: Kind,
): Record<string, Value> =>
  Object.fromEntries(documents.filter((one) => one.kind === kind).map(({ name, value }) => [name, value]));

/** The lists of recipients that a starter's routes name: a receiver that is neither a number nor a template. */
export function listsOf(begin: { readonly starter: Pick<StarterOutline, 'routes'> }): readonly string[] {
  const receivers = begin.starter.routes.flatMap(({ to }) => [to].flat());
  const lists = receivers.filter((to) => typeof to === 'string' && !/\{\{|\{%|^\d+$/.test(to));
  return [...new Set(lists.map(String))];
}

/** The secrets of a new source. Each address at a provider has its own secret, so no two sources share a name. */
export function secretsOf(plan: SourcePlan, existing: Pick<Existing, 'sources'>): readonly NeededSecret[] {
  const { starter, source, provider } = plan;
  const { name, hint } = starter.secret ?? {
    name: nameForSecretOf(source),
    hint: `what ${provider.name} signs with`,
  };
  const taken = Object.entries(existing.sources).some(
    ([id, document]) => id !== source && names(document, name),
  );
  // The relay proposes this name when a key was handed over.
  const first = { name: taken || isPairedLater(plan) ? nameForSecretOf(source) : name, hint };
  const handshake = ownValue(ownValue(starter.source, 'handshake'), 'secret');
  return [
    ...(isVerifiedBySecret(plan) || signsAnswers(plan) ? [first] : []),
    ...(typeof handshake === 'string'
      ? [{ name: handshake, hint: `a text that you choose; ${provider.name} sends it in its handshake` }]
      : []),
  ];
}

/** True if a source of it is verified by a secret: `needsSecret` of the relay, for a block as it was written. */
function isVerifiedBySecret(begin: ProviderStarterOutline): boolean {
  const verify = verifyOf(begin);
  const hasKey = ownValue(verify, 'key') !== undefined || ownValue(verify, 'jwks') !== undefined;
  return !hasKey && !['none', 'oidc'].includes(String(ownValue(verify, 'scheme')));
}

/** True if a handshake is answered with an `hmac`, which is made with the secret. */
const signsAnswers = ({ provider }: ProviderStarterOutline): boolean =>
  JSON.stringify(provider.handshakes ?? []).includes('{"hmac":');

/** True if tokens name the address that they are for: `needsUrl` of the relay, for a block as it was written. */
export const namesAddress = (begin: ProviderStarterOutline): boolean => needsUrl(verifyOf(begin));

function needsUrl(verify: unknown): boolean {
  const [scheme, audience, of] = ['scheme', 'audience', 'of'].map((key) => ownValue(verify, key));
  if (scheme === 'any') return Array.isArray(of) && of.some(needsUrl);
  return (scheme === 'jwt' && audience === 'url') || (scheme === 'oidc' && audience === undefined);
}

const verifyOf = ({ provider, starter }: ProviderStarterOutline): unknown =>
  starter.source?.['verify'] ?? provider.verify ?? null;

/** True if the provider hands over the key of its signatures, so that the secret is set last. */
export const isPairedLater = ({ provider, starter }: ProviderStarterOutline): boolean =>
  (provider.handshakes ?? []).some((one) => ownValue(ownValue(one, 'proof'), 'by') === 'pairing') &&
  starter.source?.['verify'] === undefined;

function names(document: unknown, secret: string): boolean {
  const secrets = ownValue(document, 'secrets');
  return Array.isArray(secrets) && secrets.includes(secret);
}

export function planned(plan: SourcePlan, existing: Existing): readonly PlannedDocument[] {
  const { starter, source, newAccount } = plan;
  const accounts = newAccount === undefined ? [] : [newAccount];
  const of = (kind: PlannedDocument['kind'], name: string, value: object, comment: string) => ({
    kind,
    name,
    value: { ...value },
    comment,
  });
  return [
    ...accounts.map(({ name, value, about }) => of('accounts', name, value, `# ${about}\n`)),
    sourceDocument(plan, secretsOf(plan, existing)),
    ...Object.entries(starter.templates ?? {}).map(([name, value]) =>
      of('templates', name, asObject(value), ''),
    ),
    ...listsOf(plan).map((name) => {
      const about = `# The receivers in the list \`${name}\`. The source ${source} sends to them.\n`;
      return of('recipients', name, { ...receiversOf(plan), ...quietOf(plan) }, about);
    }),
  ];
}

export function receiversOf({ numbers, addresses }: Pick<SourcePlan, 'numbers' | 'addresses'>) {
  if (addresses === undefined) return { numbers };
  const { gateway, all } = addresses;
  const people = all.map((address, at) => [`person-${at + 1}`, { address: { [gateway]: address } }] as const);
  return { people: Object.fromEntries(people) };
}

/** A list belongs to no source, so its hours name their zone. */
const quietOf = ({ quiet, timezone }: SourcePlan) =>
  quiet === null ? {} : { quiet: { ...quiet, ...(timezone !== undefined && { timezone }) } };

function sourceDocument(plan: SourcePlan, [secret]: readonly NeededSecret[]): PlannedDocument {
  const { provider, starter, source, account, country, locale, timezone } = plan;
  const isLater = isPairedLater(plan);
  const verify = verifyOf(plan);
  const token = ownValue(verify, 'in') === 'path' ? '/<token>' : '';
  const isSecret = verify !== null && isVerifiedBySecret(plan) && !isLater;
  const value = {
    provider: provider.id,
    ...starter.source,
    ...(namesAddress(plan) && { url: plan.address }),
    ...(secret !== undefined && isSecret && { secrets: [secret.name] }),
    ...(account !== undefined && { account }),
    ...(country !== undefined && { country }),
    ...(country !== undefined && textsStrangers(verify, starter) && { countries: [country] }),
    ...(locale !== undefined && { locale }),
    ...(timezone !== undefined && { timezone }),
    routes: starter.routes,
  };
  const sender = provider.id === 'generic' ? 'Your sender' : provider.name;
  const first = `# ${sender} posts to /hooks/${source}${token}\n`;
  const later = `# Once it is paired and the key is set: secrets: [${secret?.name}]\n`;
  const comment = isLater && secret !== undefined ? first + later : first;
  const { left = [] } = starter;
  return { kind: 'sources', name: source, value, comment, ...(left.length > 0 && { left }) };
}

/** True if anybody who knows the address may post and choose the receivers. Such a source is limited to its country. */
const textsStrangers = (verify: unknown, { routes, left = [] }: StarterOutline): boolean =>
  isOpenTo(verify) &&
  [...routes, ...left.map(({ route }) => route)].some(({ to }) => String(to).includes('{{'));

/** `isOpen` of the relay, for a block as it was written: its defaults make no difference to it. */
export function isOpenTo(verify: unknown): boolean {
  const [scheme, place, of] = ['scheme', 'in', 'of'].map((key) => ownValue(verify, key));
  if (scheme === 'any') return Array.isArray(of) && of.some(isOpenTo);
  return scheme === 'none' || (scheme === 'token' && (place === 'path' || place === 'query'));
}

/** The plan with other names for some lists of its routes. */
export function withListNames<Some extends ProviderStarterOutline>(
  plan: Some,
  names: ReadonlyMap<string, string | readonly string[]>,
): Some {
  const other = (to: unknown): unknown => (typeof to === 'string' ? (names.get(to) ?? to) : to);
  const named = (route: Readonly<Record<string, unknown>>) => {
    const { to } = route;
    if (to === undefined) return route;
    return { ...route, to: Array.isArray(to) ? [...new Set(to.flatMap(other))] : other(to) };
  };
  const { routes, left } = plan.starter;
  const leftToo = left && { left: left.map((one) => ({ ...one, route: named(one.route) })) };
  return { ...plan, starter: { ...plan.starter, routes: routes.map(named), ...leftToo } };
}

/** The names that a source's own list may have when `list` is another's. */
export const ownListNames = (list: string, source: string): readonly string[] => [
  `${source}-${list}`,
  ...[2, 3, 4, 5, 6, 7, 8, 9].map((n) => `${source}-${list}-${n}`),
];

/** The route of a new source whose provider has none: everything makes a message, with the line that lists show. */
export function defaultRoute({ name, subject }: Readonly<{ name: string; subject?: string }>) {
  const sender = `sender: "'${name.replaceAll(/['"\\]/g, '')}'"`;
  const message =
    subject === undefined
      ? `{% render 'default', ${sender} %}`
      : `{% capture line %}${subject}{% endcapture %}{% render 'default', ${sender}, line: 'line' %}`;
  return { name: 'anything', to: 'team', send: { kind: 'text', message } };
}

/** Returns the address for a source's webhooks. If `verify` expects the secret in the path, the name `secret` stands for it. */
export const addressOfSource = (
  origin: string,
  id: string,
  verify: unknown,
  secret: string | undefined,
): string => `${origin}/hooks/${id}${ownValue(verify, 'in') === 'path' ? `/<${secret ?? 'secret'}>` : ''}`;

/**
 * Returns the steps at a provider, with the address of this source. `secret`: the name in the steps and the name to put in
 * its place, since a second source of a provider has another secret; null: the steps name none.
 */
export function setUpSteps(
  steps: string,
  origin: string,
  id: string,
  secret: readonly [from: string, to: string] | null,
): string {
  const here = steps.replaceAll('https://<your worker>', origin).replaceAll('<source>', id);
  return secret === null ? here : here.replaceAll(secret[0], () => secret[1]);
}
