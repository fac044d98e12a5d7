import { ok, err, type Result } from '../../src/lib/result.ts';
import type { Ask } from '../ask.ts';
import { misused, type CommandResult } from '../failure.ts';
import { unrankedOutages, waitingRoutes } from '../../shared/new-source/story.ts';
import { listsOf, type QuietHours, type ProviderStarterOutline } from '../../shared/new-source/plan.ts';
import { answer } from './answers.ts';
import type { ProviderStarter } from './starters.ts';
import { quietSchema } from '../../src/config/documents/alerting-schema.ts';

/** Asked only where a starter can; nobody's customers are notified unasked. */
export async function askCustomers(
  given: true | undefined,
  ask: Ask | null,
  { provider, starter }: ProviderStarter,
): Promise<CommandResult<boolean>> {
  const { customers = {} } = starter;
  const isPossible = Object.keys(customers).length > 0;
  if (given === true && !isPossible)
    return misused(`--customers: the starter of ${provider.id} notifies no customers`);
  if (given === true || !isPossible || ask === null) return ok(given === true);
  return ask.confirm(`Notify customers, too? It ${sentence(Object.values(customers))}`);
}

const sentence = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1) ?? ''}`;

/** Asked only where the provider sends alerts: others send nothing at night that a person did not do. */
export async function askQuiet(
  given: string | undefined,
  ask: Ask | null,
  begin: ProviderStarter,
): Promise<CommandResult<QuietHours | null>> {
  const lists = listsOf(begin);
  if (given !== undefined && lists.length === 0)
    return misused(
      `--quiet: quiet hours belong to recipients lists, and the starter of ${begin.provider.id} has none`,
    );
  return answer(given, isAlerting(begin.starter) && lists.length > 0 ? ask : null, {
    message: `Quiet hours, such as 22:00-07:00 (empty: none).${listed(begin.starter)}`,
    initial: '',
    read: readQuiet,
  });
}

/** The messages that wait in quiet hours, in the words of the question. */
function listed(starter: ProviderStarter['starter']): string {
  const outages = unrankedOutages(starter);
  const waiting = waitingRoutes(starter).filter((name) => !outages.includes(name));
  return waiting.length === 0 ? '' : ` These routes wait: ${waiting.join(', ')}`;
}

/** True if outages pass quiet hours although their sender does not rank them. Who cannot be asked is woken. */
export async function askOutages(
  outagesWait: true | undefined,
  ask: Ask | null,
  { provider, starter }: ProviderStarter,
  quiet: QuietHours | null,
): Promise<CommandResult<boolean>> {
  const outages = unrankedOutages(starter);
  if (quiet === null || outages.length === 0) return ok(false);
  if (outagesWait === true) return ok(false);
  if (ask === null) return ok(true);
  const wait = await ask.confirm(
    `${provider.name} does not say how severe an outage is. Let all of them (${outages.join(', ')}) wait until ${quiet.to}, too?`,
  );
  return wait.ok ? ok(!wait.value) : wait;
}

const isAlerting = ({ routes }: ProviderStarterOutline['starter']): boolean =>
  routes.some((route) => route['incident'] !== undefined);

/** Reads `22:00-07:00`. Null if the text is empty. */
export function readQuiet(text: string): Result<QuietHours | null, string> {
  if (text.trim() === '') return ok(null);
  const [, from, to] = /^\s*(\d{1,2}:\d\d)\s*(?:-|–|to)\s*(\d{1,2}:\d\d)\s*$/.exec(text) ?? [];
  if (from === undefined || to === undefined) return err('must be quiet hours such as 22:00-07:00');
  const hours = { from: from.padStart(5, '0'), to: to.padStart(5, '0') };
  const issue = quietSchema.safeParse(hours).error?.issues[0];
  return issue === undefined
    ? ok(hours)
    : err(`cannot be quiet hours: \`${issue.path.join('.')}\` ${issue.message}`);
}
