import { scalarText } from '../../src/lib/own-json.ts';

/** A fact about an event: its place as a file writes it, and its value. */
interface Fact {
  readonly text: string;
  readonly name: string;
  readonly value: string;
  readonly depth: number;
}

/** Fields by which senders name an event, what it is about, and its kind; the first that is there is proposed. */
const IDS = ['event_id', 'eventId', 'webhook_id', 'webhookId', 'message_id', 'messageId', 'delivery_id'];
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
  const id = header(headers, ID_HEADER) ?? named(facts, IDS, () => true) ?? idBesideType(facts);
  const type =
    header(headers, TYPE_HEADER) ?? named(facts, TYPES, (value) => /^[A-Za-z][\w.:/-]{1,63}$/.test(value));
  const subject = named(facts, SUBJECTS, (value) => value.length <= 200 && /\p{L}/u.test(value));
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
  fits: (value: string) => boolean,
): string | null {
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1)
    for (const name of names) {
      const found = facts.find((one) => one.depth === depth && one.name === name && fits(one.value));
      if (found !== undefined) return found.text;
    }
  return null;
}

/** An `id` names the event only beside its type: alone it names a thing, whose next event would be taken for the same. */
function idBesideType(facts: readonly Fact[]): string | null {
  const found = facts.find(
    ({ name, text }) =>
      /^(?:id|uuid)$/.test(name) &&
      facts.some(
        (other) =>
          /^(?:event(?:_?type|_?name)?|type|topic|trigger(?:Event)?)$/i.test(other.name) &&
          other.text.slice(0, -other.name.length) === text.slice(0, -name.length),
      ),
  );
  return found?.text ?? null;
}

/** Every text and number of a payload; of a list its first element. */
function factsIn(payload: unknown, root: string): readonly Fact[] {
  const facts: Fact[] = [];
  const walk = (value: unknown, text: string, name: string, depth: number): void => {
    const scalar = scalarText(value);
    if (scalar !== null && scalar !== '') facts.push({ text, name, value: scalar, depth });
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH || facts.length > MAX_FACTS) return;
    for (const [key, inner] of Object.entries(value).slice(0, Array.isArray(value) ? 1 : undefined))
      if (!/["'\\.]/.test(key)) walk(inner, text + stepOf(key), key, depth + 1);
  };
  walk(payload, root, '', -1);
  return facts;
}

const stepOf = (key: string): string =>
  /^\d+$/.test(key) ? `[${key}]` : /^[A-Za-z_][\w-]*$/.test(key) ? `.${key}` : `["${key}"]`;
