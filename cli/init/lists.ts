import type { ConfigSet } from '../../src/config/documents/schema.ts';
import { ok, err, type Result } from '../../src/lib/result.ts';
import type { Ask } from '../ask.ts';
import { type CommandResult, misused } from '../failure.ts';
import { addressesIn, numbersIn, type Earlier } from '../../shared/new-source/likely.ts';
import { ownValue } from '../../src/lib/json.ts';
import {
  listsOf,
  ownListNames,
  withListNames,
  type SourcePlan,
  receiversOf,
} from '../../shared/new-source/plan.ts';
import { receiversIn, orLists, type Receivers } from './receivers.ts';
import { isOutage } from '../../shared/new-source/story.ts';
import { writeYaml } from '../../shared/yaml-patch/rewrite.ts';
import { answer } from './answers.ts';
import type { NewDocument } from './changes.ts';

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

/** A plan with those who are notified of alerts that nobody acknowledges; null: nobody is. */
export interface WithSecondLine extends SourcePlan {
  readonly secondLine: Receivers | null;
}

const LIST = 'second-line';

/** True if incidents of a route escalate: not if they wait, since that would wake the second line first. */
const escalates = (
  route: SourcePlan['starter']['routes'][number],
  { quiet }: Pick<SourcePlan, 'quiet'>,
): boolean =>
  isOutage(route) &&
  ownValue(route['actions'], 'ack') !== undefined &&
  (quiet === null || route['priority'] === 'high');

/** Asked only where the provider sends alerts that somebody acknowledges. */
export async function askSecondLine(
  given: readonly string[] | undefined,
  ask: Ask | null,
  plan: SourcePlan,
  what: string,
  folder: Earlier['lists'],
  read: (text: string) => Result<Receivers, string>,
): Promise<CommandResult<Receivers | null>> {
  const { provider, starter, quiet, numbers, addresses, lists = [] } = plan;
  const first = receiversIn({ lists, others: addresses?.all ?? numbers });
  const readOthers = (text: string): Result<Receivers | null, string> => {
    if (text.trim() === '') return ok(null);
    const all = read(text);
    return all.ok && receiversIn(all.value).every((one) => first.includes(one))
      ? err(`${text.trim()} is notified at once: give somebody else`)
      : all;
  };
  const isPossible = starter.routes.some((route) => escalates(route, plan));
  if (given !== undefined) {
    if (!isPossible)
      return misused(
        starter.routes.some((route) => escalates(route, { quiet: null }))
          ? `--escalate: all alerts of ${provider.id} wait in quiet hours: leave out --quiet or --outages-wait`
          : `--escalate: the starter of ${provider.id} has no alerts to acknowledge`,
      );
    const others = readOthers(given.join(','));
    return others.ok ? others : misused(`--escalate: ${others.error}`);
  }
  return answer(undefined, isPossible ? ask : null, {
    message: `Who is notified if nobody has acknowledged ${quiet === null ? 'an' : 'an urgent'} alert after 15 minutes? (a ${what}; Enter: nobody)${orLists(folder)}`,
    read: readOthers,
  });
}

export async function withSecondLine<Some extends WithSecondLine>(
  plan: Some,
  set: ConfigSet,
  ask: Ask | null,
): Promise<CommandResult<{ readonly plan: Some; readonly list: readonly NewDocument[] }>> {
  const { secondLine, numbers, addresses } = plan;
  if (secondLine === null) return ok({ plan, list: [] });
  const escalatingTo = (to: string | readonly string[]): Some => {
    const step = [{ after: '15m', to }];
    const routes = plan.starter.routes.map((route) =>
      escalates(route, plan) ? { ...route, escalate: step } : route,
    );
    return { ...plan, starter: { ...plan.starter, routes } };
  };
  if (secondLine.lists.length > 0) return ok({ plan: escalatingTo(receiversIn(secondLine)), list: [] });
  const others =
    addresses === undefined
      ? { numbers: secondLine.others }
      : { numbers, addresses: { ...addresses, all: secondLine.others } };
  const name = await listName(LIST, { ...plan, ...others, quiet: null }, set, ask);
  if (!name.ok) return name;
  const value = receiversOf(others);
  const text = `# Who is notified if nobody acknowledges an alert of ${plan.source} within 15 minutes.\n${writeYaml(value)}`;
  return ok({
    plan: escalatingTo(name.value),
    list: [{ kind: 'recipients', name: name.value, value, text }],
  });
}
