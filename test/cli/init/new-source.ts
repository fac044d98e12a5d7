import { expect } from 'vitest';
import type { Ask } from '../../../cli/ask.ts';
import type { CommandResult } from '../../../cli/failure.ts';
import { makePlan, type GivenOptions, type MachineSettings } from '../../../cli/init/ask.ts';
import { documentsOf, extendedList, type NewDocument } from '../../../cli/init/changes.ts';
import { askGateway } from '../../../cli/init/gateway.ts';
import { withOwnLists, withSecondLine } from '../../../cli/init/lists.ts';
import { findProvider } from '../../../cli/init/starters.ts';
import { earlierAnswers } from '../../../shared/new-source/likely.ts';
import type { SourcePlan } from '../../../shared/new-source/plan.ts';
import { compileConfig } from '../../../src/config/compile/compile.ts';
import { EMPTY_SET, type ConfigSet } from '../../../src/config/documents/schema.ts';
import type { RandomBytes } from '../../../src/lib/id.ts';
import { ok } from '../../../src/lib/result.ts';

export const BERLIN = { country: 'DE', locale: 'de-DE', timezone: 'Europe/Berlin' };
export const MACHINE: MachineSettings = { relay: 'https://relay.example', lang: undefined, timezone: 'UTC' };

export type Given = GivenOptions & { readonly provider: string };

interface Circumstances {
  readonly set?: ConfigSet;
  readonly ask?: Ask | null;
  readonly machine?: MachineSettings;
  readonly bytes?: RandomBytes;
}

export function valueOf<T>(done: CommandResult<T>): T {
  if (!done.ok) throw new Error(done.error.message);
  return done.value;
}

export const valueOrWhy = <T>(done: CommandResult<T>): T | string =>
  done.ok ? done.value : done.error.message;

/** A person who gives the likely answer to each question, but for these. */
export const person = (own: Partial<Ask> = {}): Ask => ({
  confirm: async () => ok(true),
  text: async ({ initial = '' }) => ok(initial),
  search: async (_, [first]) => ok(first?.value ?? ''),
  ...own,
});

/** A plan for a source in Germany, as a person's answers make it. */
export const newSource = (provider: string, source: string, numbers: readonly string[]): SourcePlan => ({
  ...valueOf(findProvider(provider)),
  ...BERLIN,
  source,
  address: `https://relay.example/hooks/${source}`,
  numbers,
  quiet: null,
});

/** The plan that `init` makes of options and answers. */
export async function planOf(
  given: Given,
  { set = EMPTY_SET, ask = null, machine = MACHINE, bytes }: Circumstances = {},
): ReturnType<typeof makePlan> {
  const destination = await askGateway(given, null, set);
  if (!destination.ok) return destination;
  return makePlan(given, ask, machine, earlierAnswers(set), destination.value, bytes);
}

/** The plan and the set after `init` for a source in Germany, where nobody widens a list. The set has no errors. */
export async function afterInit(given: Given, set: ConfigSet = EMPTY_SET, more: Circumstances = {}) {
  const made = valueOf(await planOf({ ...BERLIN, ...given }, { set, ...more }));
  const { plan: whole, list } = valueOf(await withSecondLine(made, set, null));
  const plan = valueOf(await withOwnLists(whole, set, null));
  const next = withDocuments(plan, set, list);
  const { errors, warnings } = compileConfig(next, 0);
  const wrong = [...errors, ...warnings.filter(({ path }) => path.includes('escalate'))];
  expect(wrong, JSON.stringify(given)).toEqual([]);
  return { plan, set: next };
}

/** The set with the documents of a plan, as `init` writes them; a list that is there is extended. */
export function withDocuments(
  plan: SourcePlan,
  set: ConfigSet,
  more: readonly NewDocument[] = [],
): ConfigSet {
  const next = structuredClone<Record<string, Record<string, unknown>>>({ ...set });
  for (const { kind, name, value } of [...documentsOf(plan, set), ...more]) {
    const known = next[kind]?.[name];
    const extended =
      kind === 'recipients' && known !== undefined ? (extendedList(known, value) ?? known) : value;
    next[kind] = { ...next[kind], [name]: extended };
  }
  return { ...set, ...next };
}
