import { isOutage } from '../../shared/new-source/outages.ts';
import { own } from '../../shared/new-source/own.ts';
import { receiversOf, type SourcePlan } from '../../shared/new-source/plan.ts';
import type { ConfigSet } from '../../src/config/schema.ts';
import { err, ok, type Result } from '../../src/lib/result.ts';
import { writeYaml } from '../../patch/rewrite.ts';
import type { Ask } from '../ask.ts';
import { misused, type CommandResult } from '../failure.ts';
import { answer } from './answer.ts';
import type { NewDocument } from './documents.ts';
import { listName } from './lists.ts';

/** A plan with those who are notified of alerts that nobody acknowledges; empty: nobody is. */
export interface WithSecondLine extends SourcePlan {
  readonly secondLine: readonly string[];
}

/** The name of their list. */
const LIST = 'second-line';

/**
 * True if incidents of a route escalate. Those that wait in quiet hours do not: they would wake the second line before
 * the first one has heard of them.
 */
const escalates = (
  route: SourcePlan['starter']['routes'][number],
  { quiet }: Pick<SourcePlan, 'quiet'>,
): boolean =>
  isOutage(route) &&
  own(route['actions'], 'ack') !== undefined &&
  (quiet === null || route['priority'] === 'high');

/** Asked only where the provider sends alerts that somebody acknowledges. */
export async function askSecondLine(
  given: readonly string[] | undefined,
  ask: Ask | null,
  plan: SourcePlan,
  what: string,
  read: (text: string) => Result<readonly string[], string>,
): Promise<CommandResult<readonly string[]>> {
  const { provider, starter, quiet, numbers, addresses } = plan;
  const first = addresses?.all ?? numbers;
  const readOthers = (text: string): Result<readonly string[], string> => {
    if (text.trim() === '') return ok([]);
    const all = read(text);
    return all.ok && all.value.every((one) => first.includes(one))
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
    message: `Who is notified if nobody has acknowledged ${quiet === null ? 'an' : 'an urgent'} alert after 15 minutes? (a ${what}; Enter: nobody)`,
    initial: '',
    read: readOthers,
  });
}

/** The plan with routes that escalate, and the document of their list. */
export async function withSecondLine<Some extends WithSecondLine>(
  plan: Some,
  set: ConfigSet,
  ask: Ask | null,
): Promise<CommandResult<{ readonly plan: Some; readonly list: readonly NewDocument[] }>> {
  const { secondLine, numbers, addresses } = plan;
  if (secondLine.length === 0) return ok({ plan, list: [] });
  const others =
    addresses === undefined
      ? { numbers: secondLine }
      : { numbers, addresses: { ...addresses, all: secondLine } };
  const name = await listName(LIST, { ...plan, ...others, quiet: null }, set, ask);
  if (!name.ok) return name;
  const step = [{ after: '15m', to: name.value }];
  const routes = plan.starter.routes.map((route) =>
    escalates(route, plan) ? { ...route, escalate: step } : route,
  );
  const value = receiversOf(others);
  const text = `# Who is notified if nobody acknowledges an alert of ${plan.source} within 15 minutes.\n${writeYaml(value)}`;
  return ok({
    plan: { ...plan, starter: { ...plan.starter, routes } },
    list: [{ kind: 'recipients', name: name.value, value, text }],
  });
}
