import type * as z from 'zod/mini';
import { ok } from '../../src/lib/result.ts';
import type { Client } from '../client.ts';
import type { Cli } from '../command.ts';
import { failed, type CommandResult } from '../failure.ts';
import { fullTime } from '../show.ts';
import { safe } from '../text.ts';
import { versionList } from './shapes.ts';

type VersionsPage = z.output<typeof versionList>;

/** The keeper of a relay's set: git, a person who took it over from there, or nobody in particular. */
export interface SetKeeping {
  readonly managed: VersionsPage['managed'];
  readonly takenOver: VersionsPage['taken_over'];
}

export async function readKeeping(client: Client): Promise<CommandResult<SetKeeping>> {
  const answer = await client.get('/config/versions', versionList, { limit: 1 });
  return answer.ok ? ok(keepingOf(answer.value.data)) : answer;
}

export const keepingOf = ({ managed, taken_over }: VersionsPage): SetKeeping => ({
  managed,
  takenOver: taken_over,
});

/** The same in a sentence; null: there is nothing to say. */
export function keepingText({ managed, takenOver }: SetKeeping): string | null {
  if (managed !== null)
    return `the configuration has been managed in git since ${fullTime(managed.at)} (${safe(managed.by)}): only pushes with --managed change it`;
  return takenOver === null
    ? null
    : `${safe(takenOver.name)} took the configuration over from git at ${fullTime(takenOver.at)} (version ${takenOver.version})`;
}

/** Fails before anybody is asked, when the set is managed and a command without `--managed` would be refused. */
export function refuseManaged(
  { paste }: Pick<Cli, 'paste'>,
  keeping: SetKeeping,
  ...command: readonly string[]
): CommandResult {
  if (keeping.managed === null) return ok(undefined);
  return failed(`${keepingText(keeping) ?? ''}; nothing was changed`, {
    details: [
      `from the folder in git: ${paste(...command, '--managed')}`,
      `or take it over, with your name: ${paste('takeover', 'Ann')}`,
    ],
  });
}
