import { documentsOf, extendedList, type NewDocument } from '../../../cli/init/documents.ts';
import { findProvider } from '../../../cli/init/starters.ts';
import type { SourcePlan } from '../../../shared/new-source/plan.ts';
import type { ConfigSet } from '../../../src/config/schema.ts';

/** A plan for a source in Germany, as a person's answers make it. */
export function newSource(provider: string, source: string, numbers: readonly string[]): SourcePlan {
  const begin = findProvider(provider);
  if (!begin.ok) throw new Error(begin.error.message);
  return {
    ...begin.value,
    source,
    address: `https://relay.example/hooks/${source}`,
    numbers,
    country: 'DE',
    locale: 'de-DE',
    timezone: 'Europe/Berlin',
    quiet: null,
  };
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
