import type { ConfigSet } from '../../src/config/schema.ts';
import { ok } from '../../src/lib/result.ts';
import type { Ask } from '../ask.ts';
import type { Outcome } from '../failure.ts';
import { listsOf, type Plan } from './documents.ts';
import { numbersIn, own } from './earlier.ts';

/**
 * The plan with lists that only its source uses, or that stay as they are. A list that other sources name too is never
 * widened unless a person says so: its new numbers would get what those sources send, and its old ones what this one
 * sends.
 */
export async function withOwnLists(plan: Plan, set: ConfigSet, ask: Ask | null): Promise<Outcome<Plan>> {
  const renamed = new Map<string, string>();
  for (const list of listsOf(plan)) {
    const name = await nameFor(list, plan, set, ask);
    if (!name.ok) return name;
    if (name.value !== list) renamed.set(list, name.value);
  }
  if (renamed.size === 0) return ok(plan);
  const other = (to: unknown): unknown => (typeof to === 'string' ? (renamed.get(to) ?? to) : to);
  const routes = plan.starter.routes.map((route) => {
    const { to } = route;
    return to === undefined ? route : { ...route, to: Array.isArray(to) ? to.map(other) : other(to) };
  });
  return ok({ ...plan, starter: { ...plan.starter, routes } });
}

async function nameFor(list: string, plan: Plan, set: ConfigSet, ask: Ask | null): Promise<Outcome<string>> {
  const names = [
    `${plan.source}-${list}`,
    ...[2, 3, 4, 5, 6, 7, 8, 9].map((n) => `${plan.source}-${list}-${n}`),
  ];
  const isOwn = (name: string): boolean => othersWith(name, plan.source, set).length === 0;
  const ownName = names.find(isOwn) ?? list;
  // Of an earlier run.
  if (Object.hasOwn(set.recipients, ownName)) return ok(ownName);
  const others = othersWith(list, plan.source, set);
  if (others.length === 0 || isSame(set.recipients[list], plan)) return ok(list);
  if (ask === null) return ok(ownName);
  const known = numbersIn(set.recipients[list]).map((number) => `+${number}`);
  const widen = await ask.confirm(
    `The list ${list} (${known.join(', ')}) also gets what ${others.join(', ')} sends. Use and change it? No: a list of its own, ${ownName}`,
  );
  return widen.ok ? ok(widen.value ? list : ownName) : widen;
}

/** The other sources that name a list. */
const othersWith = (list: string, source: string, { sources }: ConfigSet): readonly string[] =>
  Object.entries(sources).flatMap(([id, document]) => (id !== source && names(document, list) ? [id] : []));

function names(source: unknown, list: string): boolean {
  const routes = own(source, 'routes');
  return Array.isArray(routes) && routes.some((route) => [own(route, 'to')].flat().includes(list));
}

/** Whether a list has exactly the plan's numbers, and would get no quiet hours. */
function isSame(list: unknown, { numbers, quiet }: Plan): boolean {
  const known = numbersIn(list);
  const hasSame = known.length === numbers.length && known.every((number) => numbers.includes(number));
  return hasSame && (quiet === null || own(list, 'quiet') !== undefined);
}
