import { readDocumentNumber } from '../../../src/template/filters/dialled.ts';

/** A recipients document, as far as it says who its receivers are. */
export interface Receivers {
  readonly numbers?: readonly string[];
  readonly people?: Readonly<Record<string, Person>>;
}

type Person = string | { readonly phone?: string; readonly address?: Readonly<Record<string, string>> };

/**
 * The receivers with the gateway's digits (null: only an address), and their addresses at gateways other than by number, such
 * as `telegram: 12345`.
 */
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

/**
 * The names of numbers. A viewer's mask does not have one, since it could be anybody's. Neither does a number with two.
 */
export function namesIn(lists: readonly Receivers[]): ReadonlyMap<string, string> {
  const names = new Map<string, string | null>();
  for (const { name, phone } of lists.flatMap(receiversOf))
    if (name !== null && phone !== null && /^\d+$/.test(phone))
      names.set(phone, names.has(phone) && names.get(phone) !== name ? null : name);
  return new Map([...names].flatMap(([phone, name]) => (name === null ? [] : [[phone, name] as const])));
}

/** A name, and what begins like a number. */
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
