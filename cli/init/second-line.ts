import { isOutage } from '../../shared/new-source/story.ts';
import type { Earlier } from '../../shared/new-source/likely.ts';
import { ownValue } from '../../src/lib/json.ts';
import { receiversOf, type SourcePlan } from '../../shared/new-source/plan.ts';
import type { ConfigSet } from '../../src/config/documents/schema.ts';
import { err, ok, type Result } from '../../src/lib/result.ts';
import { writeYaml } from '../../shared/yaml-patch/rewrite.ts';
import type { Ask } from '../ask.ts';
import { misused, type CommandResult } from '../failure.ts';
import { answer } from './answers.ts';
import type { NewDocument } from './changes.ts';
import { listName } from './lists.ts';
import { orLists, receiversIn, type Receivers } from './receivers.ts';

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
    initial: '',
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
