import '../facts.ts';
import { accountSchema } from '../../src/config/documents/account-schema.ts';
import { DEFAULT_ACCOUNT_NAME } from '../../src/config/secrets/credential-names.ts';
import { requiredSecrets } from '../../src/config/secrets/gateway.ts';
import { checkGateway, gatewaySpec, receiverRule } from '../../src/config/compiled/gateway-spec.ts';
import type { ConfigSet } from '../../src/config/documents/schema.ts';
import { unknownName } from '../../src/config/documents/unknown-name.ts';
import { findMaker } from '../../src/gateway/makers/makers.ts';
import type { GatewaySpec } from '../../src/gateway/shape.ts';
import { randomBase32, type RandomBytes } from '../../src/lib/id.ts';
import { err, ok, type Result } from '../../src/lib/result.ts';
import { addressesIn, numbersIn, type Earlier } from '../../shared/new-source/likely.ts';
import {
  accountDocument,
  freeAccountName,
  gatewayFacts,
  gatewayOf,
  settingsOf,
  type GatewayFacts,
} from '../../shared/new-source/gateways.ts';
import type { NeededSecret, SourcePlan } from '../../shared/new-source/plan.ts';
import type { Ask, Choice } from '../ask.ts';
import { misused, type CommandResult } from '../failure.ts';
import { answer, readGiven } from './answers.ts';
import {
  countryName,
  orLists,
  readNumbers,
  receiversReader,
  shownNumber,
  type Receivers,
} from './receivers.ts';
import { addressKind } from '../../src/config/compile/receivers.ts';

export interface GivenGateway {
  readonly gateway?: string;
  /** `name=value`, of what the gateway needs. */
  readonly gatewayOption?: readonly string[];
}

/** The account that sends a new source's messages. */
export interface Destination extends Pick<SourcePlan, 'newAccount'> {
  readonly account: string;
  readonly spec: GatewaySpec;
}

/** The destination of messages if nobody chooses another one. */
export const USUAL: Destination = { account: DEFAULT_ACCOUNT_NAME, spec: gatewaySpec({}) };

/** Asks where messages go. The existing account is the first choice, and the only one without a terminal. */
export async function askGateway(
  { gateway, gatewayOption = [] }: GivenGateway,
  ask: Ask | null,
  { accounts }: Pick<ConfigSet, 'accounts'>,
): Promise<CommandResult<Destination>> {
  const all = { [DEFAULT_ACCOUNT_NAME]: {}, ...accounts };
  const first = gatewayOf(all[DEFAULT_ACCOUNT_NAME]);
  const settings = readGiven(gatewayOption);
  if (!settings.ok) return misused(`--gateway-option: ${settings.error}`);
  const chosen =
    gateway === undefined && ask !== null
      ? await ask.search('Where do messages go?', choices(first))
      : ok(gateway ?? first);
  if (!chosen.ok) return chosen;
  const id = chosen.value;
  const known = Object.entries(all).find(([, document]) => gatewayOf(document) === id);
  if (known !== undefined) {
    const [name, document] = known;
    if (settings.value.size > 0)
      return misused(
        `--gateway-option: the account \`${name}\` exists already: change accounts/${name}.yaml`,
      );
    const parsed = accountSchema.safeParse(document);
    if (!parsed.success) return misused(`accounts/${name} has errors: \`hookbell check\` shows them`);
    return ok({ account: name, spec: gatewaySpec(parsed.data) });
  }
  if (id === 'http')
    return misused('--gateway http: no account declares it yet: write its document first (docs/gateway.md)');
  const maker = gatewayFacts.find((one) => one.id === id);
  if (maker === undefined)
    return misused(
      `--gateway: ${unknownName('gateway', id, [...gatewayFacts.map((one) => one.id), 'http'])}`,
    );
  return newAccount(maker, settings.value, ask, Object.keys(all));
}

function choices(first: string): readonly Choice[] {
  const all = gatewayFacts.map(({ id, name, costs, needs }) => ({
    value: id,
    label: id === first ? `${name} (the existing account)` : name,
    hint: `${costs}. Needs ${needs}`,
  }));
  const there = all.find(({ value }) => value === first) ?? {
    value: first,
    label: 'The existing account',
  };
  return [there, ...all.filter(({ value }) => value !== first)];
}

/** An account for a gateway that none of the folder's has. */
async function newAccount(
  { id, name, costs, needs }: GatewayFacts,
  given: ReadonlyMap<string, string>,
  ask: Ask | null,
  taken: readonly string[],
): Promise<CommandResult<Destination>> {
  const asks = settingsOf(id);
  const unknown = [...given.keys()].find((one) => !asks.has(one));
  if (unknown !== undefined)
    return misused(`--gateway-option: ${unknownName('setting', unknown, [...asks.keys()])}`);
  const values = new Map(given);
  for (const [setting, { what, isNeeded }] of asks) {
    const text = given.get(setting);
    if (text === undefined && !isNeeded) continue;
    if (text === undefined && ask === null)
      return misused(`--gateway-option ${setting}=… is needed for ${name}: ${what}`);
    const one = await answer(text, ask, {
      message: `${name}: ${what}`,
      read: (written) => readSetting(id, setting, written.trim()),
    });
    if (!one.ok) return one;
    values.set(setting, one.value);
  }
  const document = accountDocument(id, values);
  const account = freeAccountName(id, taken);
  if (account === null) return misused(`accounts/${id} to accounts/${id}-9 are all taken`);
  const about = `${name}. Costs: ${costs}. Needs: ${needs}.`;
  return ok({
    account,
    spec: gatewaySpec(document),
    newAccount: { name: account, value: document, about },
  });
}

/** A setting as the relay would check it. */
function readSetting(gateway: string, name: string, text: string): Result<string, string> {
  const isAddress = name === 'base_url';
  const parsed = accountSchema.safeParse({
    gateway,
    ...(isAddress ? { base_url: text } : { options: { [name]: text } }),
  });
  if (!parsed.success) return err(parsed.error.issues[0]?.message ?? 'is not valid');
  const faults: string[] = [];
  checkGateway(parsed.data, (path, message) => {
    if (path === (isAddress ? '.base_url' : `.options.${name}`)) faults.push(message);
  });
  return faults[0] === undefined ? ok(text) : err(faults[0]);
}

/** Those who get a new source's messages: given, asked, of an earlier source, or an address that is made up. */
export async function askReceivers(
  to: readonly string[] | undefined,
  ask: Ask | null,
  lists: readonly string[],
  destination: Destination,
  country: string,
  earlier: Earlier,
  randomBytes: RandomBytes,
): Promise<CommandResult<Receivers>> {
  const read = readerOf(destination, country, earlier.lists);
  if (to !== undefined) {
    const given = read(to.join(','));
    return given.ok ? given : misused(`--to: ${given.error}`);
  }
  if (lists.length === 0) return ok({ lists: [], others: [] });
  const what = addressKind(destination);
  const likely = what === null ? null : likelyAddress(destination.spec.maker, lists, earlier, randomBytes);
  if (ask === null && !likely)
    return misused(
      `who gets the messages (${lists.join(', ')})? Give --to ${what === null ? '"+49 151 12345678"' : `with a ${what}`}`,
    );
  const how =
    country === ''
      ? 'With the country code: +49 151 12345678'
      : `A number in ${countryName(country)}, or one with +`;
  const question =
    what === null
      ? `Numbers for ${lists.join(', ')}, separated by commas. ${how}`
      : `For ${lists.join(', ')}: one ${what}, or several, separated by commas`;
  return answer(undefined, ask, {
    message: question + orLists(earlier.lists),
    initial: likely ?? earlier.numbersOf(lists).map(shownNumber).join(', '),
    read,
  });
}

/** The addresses of an earlier source, or one that is made up where whoever knows it reads along. */
function likelyAddress(
  maker: string,
  lists: readonly string[],
  earlier: Earlier,
  random: RandomBytes,
): string {
  const known = earlier.addressesOf(lists, maker);
  return known.length === 0 && findMaker(maker)?.readAlong !== undefined
    ? `hookbell-${randomBase32(20, random).toLowerCase()}`
    : known.join(', ');
}

/** Reads receivers between commas: lists of the folder, and numbers as in a country, or addresses of the gateway. */
export const readerOf = (destination: Destination, country: string, lists: Earlier['lists']) =>
  receiversReader(lists, (text) => {
    const what = addressKind(destination);
    return what === null
      ? readNumbers(text, country)
      : readAddresses(text, what, receiverRule(destination.spec).pattern);
  });

function readAddresses(text: string, what: string, pattern: RegExp): Result<readonly string[], string> {
  const all = text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const wrong = all.find((one) => !pattern.test(one));
  if (wrong !== undefined) return err(`\`${wrong}\` is not a ${what}`);
  return all.length === 0 ? err(`a ${what} is needed`) : ok([...new Set(all)]);
}

export function partsOf(
  destination: Destination,
  receivers: readonly string[],
): Pick<SourcePlan, 'account' | 'numbers' | 'addresses' | 'newAccount'> {
  const { account, spec, newAccount: created } = destination;
  const isByNumber = addressKind(destination) === null;
  return {
    ...(account !== DEFAULT_ACCOUNT_NAME && { account }),
    numbers: isByNumber ? receivers : [],
    ...(!isByNumber && { addresses: { gateway: spec.maker, all: receivers } }),
    ...(created !== undefined && { newAccount: created }),
  };
}

export function accountSecrets({
  newAccount: created,
}: Pick<SourcePlan, 'newAccount'>): readonly NeededSecret[] {
  if (created === undefined) return [];
  const { name, value, about } = created;
  return requiredSecrets(name, gatewaySpec(value)).map((secret) => ({ name: secret, hint: about }));
}

/** The warning about the addresses of a plan; null: none. */
export function addressWarning({ addresses }: Pick<SourcePlan, 'addresses'>): string | null {
  const maker = findMaker(addresses?.gateway ?? '');
  if (addresses === undefined || addresses.all.length === 0 || maker?.readAlong === undefined) return null;
  return `${maker.name}: subscribe to ${addresses.all.join(', ')}. Keep it to yourself: ${maker.readAlong}.`;
}

/** Returns the receivers in a list, for people; undefined if it is none of these lists. */
export const shownReceivers =
  (recipients: Readonly<Record<string, unknown>>, { addresses }: Pick<SourcePlan, 'addresses'>) =>
  (list: string): readonly string[] | undefined =>
    Object.hasOwn(recipients, list)
      ? [
          ...numbersIn(recipients[list]).map(shownNumber),
          ...(addresses === undefined ? [] : addressesIn(recipients[list], addresses.gateway)),
        ]
      : undefined;
