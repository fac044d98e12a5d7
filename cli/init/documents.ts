import type { DocumentId } from '../folder/kinds.ts';
import { sameDocument } from '../../shared/yaml-patch/same.ts';
import { writeYaml } from '../../shared/yaml-patch/rewrite.ts';
import { planned, type Existing, type SourcePlan } from '../../shared/new-source/plan.ts';
import type { LeftRoute } from '../../shared/new-source/story.ts';

/** A document to be written. */
export interface NewDocument extends DocumentId {
  readonly value: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** The documents of a new source, with the texts of their files. */
export const documentsOf = (plan: SourcePlan, existing: Existing): readonly NewDocument[] =>
  planned(plan, existing)
    .filter(({ kind }) => kind !== 'recipients' || plan.lists === undefined)
    .map(({ kind, name, value, comment, left = [] }) => ({
      kind,
      name,
      value,
      text: comment + writeYaml(value) + left.map(commented).join(''),
    }));

/** A route at the end of a source's file: without the `# ` of its lines it is one of the routes. */
const commented = ({ route, does }: LeftRoute): string =>
  `\n  # ${String(route['name'])}: ${does}. Remove "# " to enable it:\n${writeYaml([route])
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '  #\n' : `  # ${line}\n`))
    .join('')}`;

/** A list with these numbers, and quiet hours if it has none; null when it has them, or is not a list. */
export function extendedList(
  document: unknown,
  { numbers, people, quiet }: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | null {
  const value: Readonly<Record<string, unknown>> =
    typeof document === 'object' && document !== null ? { ...document } : {};
  const isQuieter = quiet !== undefined && value['quiet'] === undefined;
  const more = isQuieter ? { quiet } : {};
  if (people !== undefined) {
    const all = withPeople(value['people'], people);
    return all === null && !isQuieter ? null : { ...value, ...(all !== null && { people: all }), ...more };
  }
  const known = value['numbers'];
  if (!Array.isArray(known)) return null;
  const missing = Array.isArray(numbers) ? numbers.filter((number) => !known.includes(number)) : [];
  if (missing.length === 0 && !isQuieter) return null;
  return {
    ...value,
    numbers: [...known.map(String), ...missing.map(String)],
    ...more,
  };
}

/** The people of a list with those who are not in it yet, under free names; null: all are. */
function withPeople(known: unknown, more: unknown): Readonly<Record<string, unknown>> | null {
  const people = asPeople(known);
  const all = { ...people };
  for (const person of Object.values(asPeople(more))) {
    if (Object.values(all).some((one) => sameDocument(one, person))) continue;
    let at = 1;
    while (Object.hasOwn(all, `person-${at}`)) at += 1;
    all[`person-${at}`] = person;
  }
  return Object.keys(all).length === Object.keys(people).length ? null : all;
}

const asPeople = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
