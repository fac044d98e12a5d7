import type { RecipientsDocument } from '../documents/recipients-schema.ts';
import { rotationOf, type Override, type Rotation } from './rotation.ts';

/** An override that a person made by a command: it is beside the set, as a silence is. */
export interface OverrideByHand {
  readonly id: string;
  readonly list: string;
  readonly person: string;
  readonly since: string;
  readonly until: string;
  readonly by: string;
  readonly created_at: string;
  /** The time when a person ended it early, or a publish did. */
  readonly ended_at?: string;
  /** True if it was ended by a publish, since the list does not have the person any more. */
  readonly is_gone?: boolean;
}

/** An override by hand as a published set has it. */
export interface ListedOverride extends Override {
  readonly list: string;
}

/** One that was ended early lasted until then, so that whoever has the turn takes over from it. */
export const listedOverride = ({
  list,
  person,
  since,
  until,
  ended_at = until,
}: OverrideByHand): ListedOverride => ({
  list,
  person,
  from: Date.parse(since),
  to: Date.parse(ended_at),
});

/** The turns of a list, with the overrides by hand, in the order in which they were made. Null if its people take no turns. */
export function turnsOfList(
  list: string,
  { people = {}, rotation }: Pick<RecipientsDocument, 'people' | 'rotation'>,
  overrides: readonly ListedOverride[],
): Rotation | null {
  if (rotation === undefined) return null;
  const own = overrides.filter((one) => one.list === list && Object.hasOwn(people, one.person));
  return rotationOf(rotation, own);
}
