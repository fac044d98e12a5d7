import type { ConfigSet } from '../../src/config/documents/schema.ts';
import { ok } from '../../src/lib/result.ts';
import type { Ask } from '../ask.ts';
import type { CommandResult } from '../failure.ts';
import { addressesIn, numbersIn } from '../../shared/new-source/likely.ts';
import { ownValue } from '../../src/lib/json.ts';
import { listsOf, ownListNames, withListNames, type SourcePlan } from '../../shared/new-source/plan.ts';
import { receiversIn } from './receivers.ts';

/**
 * The plan with lists that only its source uses, or that stay as they are. A list that other sources name too is never
 * widened unless a person says so: its new numbers would get what those sources send, and its old ones what this one
 * sends.
 */
export async function withOwnLists<Some extends SourcePlan>(
  plan: Some,
  set: ConfigSet,
  ask: Ask | null,
): Promise<CommandResult<Some>> {
  const { lists, numbers, addresses } = plan;
  if (lists !== undefined) {
    const all = receiversIn({ lists, others: addresses?.all ?? numbers });
    return ok(withListNames(plan, new Map(listsOf(plan).map((list) => [list, all]))));
  }
  const renamed = new Map<string, string>();
  for (const list of listsOf(plan)) {
    const name = await listName(list, plan, set, ask);
    if (!name.ok) return name;
    if (name.value !== list) renamed.set(list, name.value);
  }
  if (renamed.size === 0) return ok(plan);
  return ok(withListNames(plan, renamed));
}

/** The name of a list for the receivers of a plan: its usual one, or the source's own. */
export async function listName(
  list: string,
  plan: SourcePlan,
  set: ConfigSet,
  ask: Ask | null,
): Promise<CommandResult<string>> {
  const names = ownListNames(list, plan.source);
  const isOwn = (name: string): boolean => othersWith(name, plan.source, set).length === 0;
  const ownName = names.find(isOwn) ?? list;
  // An earlier run made the list.
  if (Object.hasOwn(set.recipients, ownName)) return ok(ownName);
  const others = othersWith(list, plan.source, set);
  if (others.length === 0 || isSame(set.recipients[list], plan)) return ok(list);
  if (ask === null || !hasSuch(set.recipients[list], plan)) return ok(ownName);
  const known = knownIn(set.recipients[list], plan).map((one) =>
    plan.addresses === undefined ? `+${one}` : one,
  );
  const widen = await ask.confirm(
    `The list ${list} (${known.join(', ')}) also gets messages from ${others.join(', ')}. Use and change it? If not, the source gets its own list, ${ownName}`,
  );
  return widen.ok ? ok(widen.value ? list : ownName) : widen;
}

const othersWith = (list: string, source: string, { sources }: ConfigSet): readonly string[] =>
  Object.entries(sources).flatMap(([id, document]) => (id !== source && names(document, list) ? [id] : []));

function names(source: unknown, list: string): boolean {
  const routes = ownValue(source, 'routes');
  const isIn = (one: unknown): boolean => [ownValue(one, 'to')].flat().includes(list);
  return (
    Array.isArray(routes) &&
    routes.some((route) => isIn(route) || [ownValue(route, 'escalate')].flat().some(isIn))
  );
}

const knownIn = (list: unknown, { addresses }: SourcePlan): readonly string[] =>
  addresses === undefined ? numbersIn(list) : addressesIn(list, addresses.gateway);

/** True if a list can be widened: it is of the plan's kind. */
const hasSuch = (list: unknown, plan: SourcePlan): boolean =>
  knownIn(list, plan).length > 0 && (plan.addresses === undefined || numbersIn(list).length === 0);

/** True if a list has exactly the plan's receivers, and would get no quiet hours. */
function isSame(list: unknown, plan: SourcePlan): boolean {
  const { numbers, addresses, quiet } = plan;
  const [known, wanted] = [knownIn(list, plan), addresses?.all ?? numbers];
  const hasSame =
    hasSuch(list, plan) && known.length === wanted.length && known.every((one) => wanted.includes(one));
  return hasSame && (quiet === null || ownValue(list, 'quiet') !== undefined);
}
