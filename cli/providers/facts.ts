import { scalarText } from '../../src/lib/json.ts';

/** A fact about an event: its place as a file writes it, and its value. */
interface Fact {
  readonly text: string;
  readonly name: string;
  readonly value: string;
  readonly depth: number;
  /** In a list further down: a part of the event, such as a line of an order. */
  readonly isPart: boolean;
}

/** Fields by which senders name an event, what it is about, and its kind; the first that is there is proposed. */
const IDS = ['event_id', 'eventId', 'message_id', 'messageId', 'delivery_id'];
const TYPES = [
  'event_type',
  'eventType',
  'event_name',
  'eventName',
  'triggerEvent',
  'trigger',
  'topic',
  'event',
  'type',
  'action',
  'status',
  'state',
];
const SUBJECTS = [
  'title',
  'subject',
  'name',
  'summary',
  'headline',
  'message',
  'description',
  'text',
  'reference',
  'number',
  'email',
];

const ID_HEADER =
  /(?:event|webhook|message|delivery|notification|idempotency)-?(?:id|uuid|key)$|-delivery$|^webhook-id$/i;
const TYPE_HEADER = /(?:event|topic|webhook)(?:-(?:type|name|topic|key))?$/i;

const MAX_FACTS = 500;
const MAX_DEPTH = 5;

/** Proposes where an event's id, type and subject are: by the names that senders give them. */
export function eventOf(
  headers: readonly (readonly [string, string])[],
  payload: unknown,
): Readonly<Record<string, unknown>> | null {
  const isList = Array.isArray(payload);
  const facts = factsIn(isList ? payload[0] : payload, isList ? 'payload[0]' : 'payload');
  const own = facts.filter(({ isPart }) => !isPart);
  const typeFact = named(own, TYPES, (value) => /^[A-Za-z][\w.:/-]{1,63}$/.test(value));
  const typeHeader = header(headers, TYPE_HEADER);
  const type = typeHeader ?? typeFact?.text ?? null;
  const id = header(headers, ID_HEADER) ?? idBeside(typeHeader === null ? typeFact : null, own);
  const subject =
    named(facts, SUBJECTS, (value) => value.length <= 200 && /\p{L}/u.test(value))?.text ?? null;
  const ofItem = isList && id?.startsWith('payload[0]') === true ? id.replace('payload[0]', 'item') : null;
  const event = {
    ...(id !== null && ofItem === null && { id: `{{ ${id} }}` }),
    ...(type !== null && { type: `{{ ${type} }}` }),
    ...(subject !== null && { subject: `{{ ${subject} }}` }),
    ...(isList && { items: { at: 'payload', ...(ofItem !== null && { id: `{{ ${ofItem} }}` }) } }),
  };
  return Object.keys(event).length === 0 ? null : event;
}

const header = (headers: readonly (readonly [string, string])[], pattern: RegExp): string | null => {
  const [name, value = ''] = headers.find(([one]) => pattern.test(one)) ?? [];
  return name === undefined || value === '' || value.length > 128 ? null : `headers.${name.toLowerCase()}`;
};

/** The fact with the first of these names, and of those the least deep. */
function named(
  facts: readonly Fact[],
  names: readonly string[],
  fits: (value: string) => boolean = () => true,
): Fact | null {
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1)
    for (const name of names) {
      const found = facts.find((one) => one.depth === depth && one.name === name && fits(one.value));
      if (found !== undefined) return found;
    }
  return null;
}

/** An id names the event only beside its type: elsewhere it names a thing, whose next event would be taken for the same. */
function idBeside(type: Fact | null, facts: readonly Fact[]): string | null {
  const beside = facts.filter((one) => type !== null && parentOf(one) === parentOf(type));
  const isOfEvent = /^(?:event(?:_?type|_?name)?|type|topic|trigger(?:Event)?)$/i.test(type?.name ?? '');
  const found =
    named([...facts.filter(({ depth }) => depth === 0), ...beside], IDS) ??
    (isOfEvent ? named(beside, ['id', 'uuid']) : null);
  return found?.text ?? null;
}

const parentOf = ({ text, name }: Fact): string => text.slice(0, -stepOf(name).length);

/** Every text and number of a payload; of a list its first element. */
function factsIn(payload: unknown, root: string): readonly Fact[] {
  const facts: Fact[] = [];
  const walk = (value: unknown, text: string, name: string, depth: number): void => {
    const scalar = scalarText(value);
    const isPart = text.slice(root.length).includes('[0]');
    if (scalar !== null && scalar !== '') facts.push({ text, name, value: scalar, depth, isPart });
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH || facts.length > MAX_FACTS) return;
    for (const [key, inner] of Object.entries(value).slice(0, Array.isArray(value) ? 1 : undefined))
      if (!/["'\\.]/.test(key)) walk(inner, text + stepOf(key), key, depth + 1);
  };
  walk(payload, root, '', -1);
  return facts;
}

const stepOf = (key: string): string =>
  /^\d+$/.test(key) ? `[${key}]` : /^[A-Za-z_][\w-]*$/.test(key) ? `.${key}` : `["${key}"]`;
