import { readDocumentNumber } from '../../../src/phone/dialled.ts';
import type { DocumentSet } from '../../api/types.ts';
import { routesOf } from '../templates/texts-of-set.ts';

/** A recipients document, as far as it says who its receivers are. */
export interface Receivers {
  readonly numbers?: readonly string[];
  readonly people?: Readonly<Record<string, Person>>;
}

/** A list as the API lists it. */
export type ListedRecipients = Receivers & { readonly name: string; readonly rotation?: unknown };

type Person = string | { readonly phone?: string; readonly address?: Readonly<Record<string, string>> };

/** The receivers with the gateway's digits (null: only an address), and addresses such as `telegram: 12345`. */
export const receiversOf = ({ numbers = [], people = {} }: Receivers) => [
  ...Object.entries(people).map(([name, person]) => ({
    name,
    phone: digitsOf(phoneOf(person)),
    addresses: Object.entries(addressOf(person)).map(([gateway, address]) => `${gateway}: ${address}`),
  })),
  ...numbers.map((written) => ({ name: null, phone: digitsOf(written), addresses: [] })),
];

const phoneOf = (person: Person): string | undefined => (typeof person === 'string' ? person : person.phone);
const addressOf = (person: Person) => (typeof person === 'string' ? {} : (person.address ?? {}));

/** A viewer's mask is not a number, and stays as it is. */
function digitsOf(written: string | undefined): string | null {
  if (written === undefined) return null;
  const read = readDocumentNumber(written);
  return read.ok ? read.value : written;
}

/** The names of numbers. A viewer's mask has none, since it could be anybody's; nor has a number with two. */
export function namesIn(lists: readonly Receivers[]): ReadonlyMap<string, string> {
  const names = new Map<string, string | null>();
  for (const { name, phone } of lists.flatMap(receiversOf))
    if (name !== null && phone !== null && /^\d+$/.test(phone))
      names.set(phone, names.has(phone) && names.get(phone) !== name ? null : name);
  return new Map([...names].flatMap(([phone, name]) => (name === null ? [] : [[phone, name] as const])));
}

const LINE = /^([^+\d(]*?)[\s:,;=]*([+\d(].*)$/u;

/**
 * Reads a receiver from each line: a number as people write it (`+49 151 12345678`, `0049…`), or a name before it. People
 * of `before` keep their other addresses; those without a number have no line, and stay. `wrong`: lines that have no number
 * with its country code, or a name that another line has, as they were typed.
 */
export function readReceivers(text: string, before: Receivers['people'] = {}) {
  const numbers = new Set<string>();
  const people = new Map<string, Person>(
    Object.entries(before).filter(([, person]) => phoneOf(person) === undefined),
  );
  const wrong: string[] = [];
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    const [, name = '', written = ''] = LINE.exec(line) ?? [];
    const read = readDocumentNumber(written);
    if (!read.ok || people.has(name)) wrong.push(line);
    else if (name === '') numbers.add(read.value);
    else people.set(name, personWith(read.value, Object.hasOwn(before, name) ? before[name] : undefined));
  }
  return {
    numbers: [...numbers],
    people: Object.fromEntries(people),
    count: numbers.size + people.size,
    wrong,
  };
}

function personWith(phone: string, before: Person | undefined): Person {
  const address = before === undefined ? {} : addressOf(before);
  return Object.keys(address).length === 0 ? phone : { phone, address };
}

/** The lines of a list. {@link readReceivers} reads the same receivers from them. */
export const linesOf = (document: Receivers): string =>
  receiversOf(document)
    .filter(({ phone }) => phone !== null)
    .map(({ name, phone }) => `${name === null ? '' : `${name} `}+${phone}`)
    .join('\n');

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

export const listsIn = ({
  recipients,
}: DocumentSet): readonly (readonly [name: string, list: EditedRecipients])[] =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the relay has checked it
  Object.entries(recipients as Readonly<Record<string, EditedRecipients>>);
