import type { DocumentSet } from '../../api/types.ts';
import { routesOf } from '../templates/texts-of-set.ts';
import type { Receivers } from './receivers.ts';

/** Hours in which receivers get no notifications of normal priority. */
export interface EditedQuietHours {
  readonly from: string;
  readonly to: string;
  readonly timezone?: string;
  readonly [key: string]: unknown;
}

/** A recipients document. Keys that no page shows (`throttle`, the rest of `quiet`) stay as they are. */
export interface EditedRecipients extends Receivers {
  readonly quiet?: EditedQuietHours;
  readonly [key: string]: unknown;
}

/** The document with other receivers and quiet hours. Without people or numbers it has no key for them. */
export function changed(
  before: EditedRecipients,
  { numbers, people }: Required<Receivers>,
  quiet: EditedRecipients['quiet'] | null,
): EditedRecipients {
  const { numbers: _, people: __, quiet: ___, ...rest } = before;
  const hasPeople = Object.keys(people).length > 0;
  return {
    ...rest,
    ...((numbers.length > 0 || !hasPeople) && { numbers }),
    ...(hasPeople && { people }),
    ...(quiet !== null && quiet !== undefined && { quiet }),
  };
}

/** The routes that send to a list or to one of its people, at once or when they escalate, as `source/route`. */
export const usedBy = (
  list: string,
  sources: Readonly<Record<string, unknown>>,
): readonly { readonly source: string; readonly route: string }[] =>
  Object.entries(sources).flatMap(([source, document]) =>
    routesOf(document).flatMap(({ name, to, escalate }) =>
      [to, [escalate].flat().map((step): unknown => Reflect.get(Object(step), 'to'))]
        .flat(2)
        .some((one) => one === list || (typeof one === 'string' && one.startsWith(`${list}/`)))
        ? [{ source, route: String(name) }]
        : [],
    ),
  );

/** The lists of a set that is in force, by name. */
export const listsIn = ({
  recipients,
}: DocumentSet): readonly (readonly [name: string, list: EditedRecipients])[] =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the relay has checked it
  Object.entries(recipients as Readonly<Record<string, EditedRecipients>>);
