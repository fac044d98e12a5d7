import { readDocumentNumber } from '../../../src/phone/dialled.ts';
import type { DocumentSet, Written } from '../../api/types.ts';
import { digitsOf } from '../../lib/format.ts';
import { own } from '../../texts/relay-texts.ts';
import { routesOf } from '../templates/texts-of-set.ts';

/** A recipients document, as far as it says who its receivers are. */
export interface Receivers {
  readonly numbers?: readonly string[];
  readonly people?: Readonly<Record<string, Person>>;
}

export type ListedRecipients = Receivers & { readonly name: string; readonly rotation?: unknown };

type Contact = { readonly phone?: string; readonly address?: Readonly<Record<string, string>> };
type Person = string | Contact;

const contactOf = (person: Person): Contact => (typeof person === 'string' ? { phone: person } : person);

/** The receivers with the gateway's digits (null: only an address), and addresses such as `telegram: 12345`. */
export const receiversOf = ({ numbers = [], people = {} }: Receivers) => [
  ...Object.entries(people).map(([name, person]) => {
    const { phone, address = {} } = contactOf(person);
    const addresses = Object.entries(address).map(([gateway, address]) => `${gateway}: ${address}`);
    return { name, phone: phone === undefined ? null : digitsOf(phone), addresses };
  }),
  ...numbers.map((written) => ({ name: null, phone: digitsOf(written), addresses: [] })),
];

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
    Object.entries(before).filter(([, person]) => contactOf(person).phone === undefined),
  );
  const wrong: string[] = [];
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    const [, name = '', written = ''] = LINE.exec(line) ?? [];
    const read = readDocumentNumber(written);
    if (!read.ok || people.has(name)) wrong.push(line);
    else if (name === '') numbers.add(read.value);
    else {
      const { address = {} } = contactOf(own(before, name) ?? '');
      people.set(name, Object.keys(address).length === 0 ? read.value : { phone: read.value, address });
    }
  }
  const count = numbers.size + people.size;
  return { numbers: [...numbers], people: Object.fromEntries(people), count, wrong };
}

/** The lines of a list. {@link readReceivers} reads the same receivers from them. */
export const linesOf = (document: Receivers): string =>
  receiversOf(document)
    .filter(({ phone }) => phone !== null)
    .map(({ name, phone }) => `${name === null ? '' : `${name} `}+${phone}`)
    .join('\n');

/** Hours in which receivers get no notifications of normal priority. */
export type EditedQuietHours = Written & {
  readonly from: string;
  readonly to: string;
  readonly timezone?: string;
};

/** A recipients document. Keys that no page shows (`throttle`, the rest of `quiet`) stay as they are. */
export type EditedRecipients = Written & Receivers & { readonly quiet?: EditedQuietHours };

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
    ...(quiet && { quiet }),
  };
}

/** The routes that send to a list or to one of its people, at once or when they escalate, as `source/route`. */
export const usedBy = (list: string, sources: Readonly<Record<string, unknown>>) =>
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
