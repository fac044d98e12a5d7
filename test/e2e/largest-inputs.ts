import { MAX_FIELDS } from '../../src/ingest/parse/form.ts';
import { MAX_XML_NODES } from '../../src/ingest/parse/xml-limits.ts';
import { MAX_BODY_BYTES } from '../../src/ingest/request/receive.ts';
import { MAX_MESSAGES_PER_ROUTE } from '../../src/ingest/routing/allowance.ts';

/** A body of the largest legal size of its kind, and the source it goes to. */
export interface LargeInput {
  readonly name: string;
  readonly source: 'many' | 'one';
  readonly contentType: string;
  /** Of a number of its own, by which the event is known. */
  readonly body: (n: number) => string;
}

const BOUNDARY = 'b';

/** As many of `item` as fit into a body between these two. */
function filled(before: string, item: string, after: string, most = Infinity): string {
  const bytes = new TextEncoder().encode(item).byteLength;
  const count = Math.floor((MAX_BODY_BYTES - before.length - after.length) / bytes);
  return before + item.repeat(Math.min(most, count)) + after;
}

/** A message of these has N characters, of two bytes each in memory. */
const LONGEST_TEMPLATE = 4_096;

const json = 'application/json';
const multipart = `multipart/form-data; boundary=${BOUNDARY}`;
const part = (name: string, value: string): string =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

export const LARGE_INPUTS: readonly LargeInput[] = [
  {
    name: 'half a million numbers',
    source: 'one',
    contentType: json,
    body: (n) => filled(`{"n":${n},"a":[0`, ',0', ']}'),
  },
  {
    name: 'small objects',
    source: 'one',
    contentType: json,
    body: (n) => filled(`{"n":${n},"a":[0`, ',{"k":1}', ']}'),
  },
  {
    name: 'escapes',
    source: 'one',
    contentType: json,
    body: (n) => filled(`{"n":${n},"a":"`, String.raw`\u0001`, '"}'),
  },
  {
    name: 'letters of three bytes',
    source: 'one',
    contentType: json,
    body: (n) => filled(`{"n":${n},"a":"`, '漢', '"}'),
  },
  {
    name: 'lists in lists',
    source: 'one',
    contentType: json,
    body: (n) => filled(`{"n":${n},"a":[0`, `,${'['.repeat(90)}${']'.repeat(90)}`, ']}'),
  },
  {
    name: 'the elements of as many messages as an event may make',
    source: 'many',
    contentType: json,
    body: (n) =>
      filled(`{"n":${n},"a":[{}`, `,{"text":"${'x'.repeat(900)}"}`, ']}', MAX_MESSAGES_PER_ROUTE - 1),
  },
  {
    name: 'XML',
    source: 'one',
    contentType: 'application/xml',
    body: (n) => filled(`<r><n>${n}</n>`, `<a>${'x'.repeat(40)}</a>`, '</r>', MAX_XML_NODES - 10),
  },
  {
    name: 'a form',
    source: 'one',
    contentType: 'application/x-www-form-urlencoded',
    body: (n) => filled(`n=${n}`, `&a=${'x'.repeat(200)}`, '', MAX_FIELDS - 1),
  },
  {
    name: 'a form in parts',
    source: 'one',
    contentType: multipart,
    body: (n) => filled(part('n', String(n)), part('a', 'x'.repeat(200)), `--${BOUNDARY}--`),
  },
];

const open = {
  verify: { scheme: 'none' },
  limit: false,
  dedupe: { key: '{{ payload.n | default: payload.r.n }}' },
};
const to = '4915112345678';

/** The published documents: messages as long and as many as there may be. */
export const LARGE_CONFIG = {
  sources: {
    one: {
      ...open,
      routes: [
        {
          name: 'all',
          to,
          max_length: 65_536,
          send: { kind: 'text', message: '{{ payload | json | truncate: 60000 }}' },
        },
      ],
    },
    many: {
      ...open,
      routes: [
        {
          name: 'each',
          to,
          each: 'payload.a',
          max_length: 65_536,
          send: { kind: 'text', message: `${'漢'.repeat(LONGEST_TEMPLATE)}{{ index }}` },
        },
      ],
    },
  },
  templates: {},
  recipients: {},
  accounts: { default: { rate: false, per_recipient: false } },
};
