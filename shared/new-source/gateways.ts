import { findMaker, GATEWAYS } from '../../src/gateway/makers/makers.ts';
import { DEFAULT_RATE } from '../../src/config/documents/account-defaults.ts';
import { credentialNames, secretPrefix } from '../../src/config/secrets/credential-names.ts';
import { ownValue } from '../../src/lib/json.ts';

export type GatewayFacts = Readonly<Record<'id' | 'name' | 'costs' | 'needs', string>>;

/** All of them, in the order in which they are offered. */
export const gatewayFacts: readonly GatewayFacts[] = GATEWAYS;

export function gatewayOf(account: unknown): string {
  const gateway = ownValue(account, 'gateway');
  return typeof gateway === 'string' ? gateway : 'v2';
}

/** The pace of its accounts, unless their documents set another. */
export const rateOf = (id: string): { readonly perMinute: number; readonly burst: number } =>
  findMaker(id)?.rate ?? DEFAULT_RATE;

/** People's word for a receiver's address at a maker's gateway, such as `topic`; null: receivers are phone numbers, or a document says. */
export function addressOfGateway(id: string): string | null {
  const receiver = findMaker(id)?.shape.receiver ?? 'phone';
  return receiver === 'phone' ? null : receiver.what;
}

/** A setting of an account's document for a maker's gateway. */
export interface GatewaySetting {
  readonly what: string;
  readonly isNeeded: boolean;
  /** The words that it may be; absent: any text of its form. */
  readonly words?: readonly string[];
}

/** Returns the settings of a maker's gateway in an account's document: `base_url`, and its options. */
export function settingsOf(id: string): ReadonlyMap<string, GatewaySetting> {
  const maker = findMaker(id);
  if (maker === undefined) return new Map();
  const settings = new Map<string, GatewaySetting>();
  settings.set('base_url', { what: 'the address of the server', isNeeded: maker.baseUrl === null });
  for (const [name, { what, standard, words }] of Object.entries(maker.options ?? {})) {
    const isNeeded = standard === undefined;
    settings.set(name, { what, isNeeded, ...(words && { words: Object.keys(words) }) });
  }
  return settings;
}

export function accountDocument(
  id: string,
  settings: ReadonlyMap<string, string>,
): Readonly<Record<string, unknown>> {
  const { base_url, ...options } = Object.fromEntries(settings);
  return {
    gateway: id,
    ...(base_url !== undefined && { base_url }),
    ...(Object.keys(options).length > 0 && { options }),
  };
}

/** A name that no account has yet: the gateway's, perhaps with a number; null: many are taken. */
export const freeAccountName = (id: string, taken: readonly string[]): string | null =>
  [id, ...[2, 3, 4, 5, 6, 7, 8, 9].map((n) => `${id}-${n}`)].find((one) => !taken.includes(one)) ?? null;

/** The names of the secrets with which an account logs in at a gateway, and of those that it may have. */
export function secretsOfAccount(account: string, id: string) {
  if (id === 'v2') {
    const { email, apiKey, appKey } = credentialNames(account);
    return { needed: [email, apiKey], optional: [appKey] };
  }
  const { secrets = [], optional_secrets: optional = [] } = findMaker(id)?.shape ?? {};
  const named = (end: string): string => secretPrefix(account) + end;
  return { needed: secrets.map(named), optional: optional.map(named) };
}
