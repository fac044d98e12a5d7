import type { FieldCode } from '../src/lib/problem.ts';

interface Explained {
  /** What is wrong, in Markdown. */
  readonly what: string;
  /** What to do, in Markdown. */
  readonly fix: string;
  /** The names of its values. */
  readonly params?: readonly string[];
}

/** The codes of errors and warnings in documents and requests: `errors[].code`. One that is missing does not compile. */
export const FIELD_ERRORS: Readonly<Record<FieldCode, Explained>> = {
  required: { what: 'a key or a value is missing', fix: 'add it; the message has an example' },
  'wrong-type': {
    what: 'the value is of another type, such as a number where text belongs',
    fix: 'write it as the message says; YAML reads `yes` and `0151` as text only in quotes',
  },
  malformed: { what: 'the value does not have its form', fix: 'write it as the example in the message' },
  'not-one-of': {
    what: 'the value is none of those that are allowed',
    fix: 'choose one',
    params: ['allowed'],
  },
  'unknown-key': {
    what: 'there is no such key here',
    fix: 'correct its name, or remove it',
    params: ['key'],
  },
  'unknown-name': {
    what: 'nothing has this name: a list, template, account, person, sample …',
    fix: 'correct it (`near` is the closest one), or add what it names',
    params: ['what', 'name', 'near'],
  },
  'out-of-range': {
    what: 'the value is below its minimum or above its maximum',
    fix: 'choose one between them',
    params: ['min', 'max'],
  },
  'too-long': { what: 'a text, a list or a file is too long', fix: 'shorten it', params: ['max'] },
  'too-short': { what: 'a text or a list is too short', fix: 'add to it', params: ['min'] },
  conflict: { what: 'keys do not fit together, or one needs another', fix: 'keep one, or add the other' },
  misplaced: { what: 'the key is for another kind of document, route or gateway', fix: 'remove it' },
  'no-effect': { what: 'the key changes nothing here', fix: 'remove it, or change what makes it useless' },
  duplicate: { what: 'something is there twice', fix: 'rename or remove one' },
  reserved: { what: 'the name is used by hookbell', fix: 'choose another one' },
  template: {
    what: 'a template or a condition cannot be read, or fails',
    fix: 'correct it at the line that is named',
  },
  number: {
    what: 'the text is no phone number, or may be none',
    fix: 'write it with its country code: `+49 …`',
  },
  receiver: {
    what: 'the account cannot reach this receiver, or there is none',
    fix: 'name one that it can reach',
  },
  secret: {
    what: 'a secret is missing, misnamed or used in a wrong place',
    fix: 'set it, or name the right one',
  },
  unsafe: { what: 'strangers could misuse this', fix: 'limit it as the message says' },
  unsupported: { what: 'the gateway or the product cannot do this', fix: 'choose another kind or gateway' },
  unreachable: { what: 'a phone or the gateway cannot open the address', fix: 'give a public one' },
  absent: { what: 'the event has no such value', fix: 'correct the path, or give a default' },
  constant: { what: 'the value is the same for all events', fix: 'use one that differs' },
  'many-receivers': { what: 'many people get this', fix: 'check that it is meant' },
  'opted-out': {
    what: 'the receiver has opted out',
    fix: 'remove the suppression if they want messages again',
  },
  'time-zone': { what: 'a time has no zone', fix: 'name one, such as `Europe/Berlin`' },
  hides: {
    what: 'a document of your own has the name of one that hookbell has',
    fix: 'nothing, if it is meant',
  },
  'override-ends': {
    what: 'the change ends an override by hand',
    fix: 'nothing, if it is meant',
    params: ['person', 'until'],
  },
  'still-sends': {
    what: 'a removed account still has messages to send',
    fix: 'wait, or cancel them',
    params: ['waiting'],
  },
  'not-copied': { what: 'the set is in force, but not yet where webhooks read it', fix: 'wait ten minutes' },
  sample: { what: 'a sample does not fit the facts of its file', fix: 'change one of the two' },
  more: { what: 'there are more of these', fix: 'mend the first ones', params: ['left'] },
};
