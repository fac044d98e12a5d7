import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { MAX_FIELDS } from '../../src/ingest/parse/form.ts';
import { MAX_XML_NODES } from '../../src/ingest/parse/xml.ts';
import { SMALL_BODY_BYTES } from '../../src/ingest/request/receive.ts';
import { MAX_MESSAGES_PER_ROUTE } from '../../src/ingest/routing/allowance.ts';
import type { MessageView } from '../../src/answers/api-message.ts';
import type { Page } from '../../src/outbox/read/read.ts';
import { lookUntil } from '../eventually.ts';
import { PATIENCE_MS } from './real-time.ts';
import { HEAP_MIB, startRelay, type Relay } from './relay.ts';
import { HOOK_SECRET } from './webhook.ts';

/**
 * The sizes of a body: of a sender that anybody may be, and of one that proves itself, and how many come at once: far
 * more than fit into the memory of an isolate together.
 */
const SIZES = [
  { size: SMALL_BODY_BYTES, prefix: '', atOnce: 24 },
  { size: 4 * SMALL_BODY_BYTES, prefix: 'proven-', atOnce: 3 },
] as const;

/** Nothing listens there: the account is paused anyway. */
const GATEWAY = 'http://127.0.0.1:9/api';

/** A body of the largest legal size of its kind, and the source it goes to. */
interface LargeInput {
  readonly name: string;
  readonly source: 'many' | 'one';
  readonly contentType: string;
  /** Of a number of its own, by which the event is known. */
  readonly body: (n: number, size: number) => string;
}

const BOUNDARY = 'b';

/** As many of `item` as fit into a body between these two. */
function filled(size: number, before: string, item: string, after: string, most = Infinity): string {
  const bytes = new TextEncoder().encode(item).byteLength;
  const count = Math.floor((size - before.length - after.length) / bytes);
  return before + item.repeat(Math.min(most, count)) + after;
}

/** A message of these has N characters, of two bytes each in memory. */
const LONGEST_TEMPLATE = 4_096;

const json = 'application/json';
const multipart = `multipart/form-data; boundary=${BOUNDARY}`;
const part = (name: string, value: string): string =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

type Row = readonly [name: string, contentType: string, body: LargeInput['body']];

const ROWS: readonly Row[] = [
  ['half a million numbers', json, (n, size) => filled(size, `{"n":${n},"a":[0`, ',0', ']}')],
  ['small objects', json, (n, size) => filled(size, `{"n":${n},"a":[0`, ',{"k":1}', ']}')],
  ['escapes', json, (n, size) => filled(size, `{"n":${n},"a":"`, String.raw`\u0001`, '"}')],
  ['letters of three bytes', json, (n, size) => filled(size, `{"n":${n},"a":"`, '漢', '"}')],
  [
    'lists in lists',
    json,
    (n, size) => filled(size, `{"n":${n},"a":[0`, `,${'['.repeat(90)}${']'.repeat(90)}`, ']}'),
  ],
  [
    'XML',
    'application/xml',
    (n, size) => filled(size, `<r><n>${n}</n>`, `<a>${'x'.repeat(40)}</a>`, '</r>', MAX_XML_NODES - 10),
  ],
  [
    'a form',
    'application/x-www-form-urlencoded',
    (n, size) => filled(size, `n=${n}`, `&a=${'x'.repeat(200)}`, '', MAX_FIELDS - 1),
  ],
  [
    'a form in parts',
    multipart,
    (n, size) =>
      filled(size, part('n', String(n)), part('a', 'x'.repeat(200)), `--${BOUNDARY}--`, MAX_FIELDS - 1),
  ],
];
const LARGE_INPUTS: readonly LargeInput[] = [
  ...ROWS.map(([name, contentType, body]) => ({ name, source: 'one', contentType, body }) as const),
  {
    name: 'the elements of as many messages as an event may make',
    source: 'many',
    contentType: json,
    body: (n, size) =>
      filled(size, `{"n":${n},"a":[{}`, `,{"text":"${'x'.repeat(900)}"}`, ']}', MAX_MESSAGES_PER_ROUTE - 1),
  },
];

const source = {
  limit: false,
  dedupe: { key: '{{ payload.n | default: payload.r.n }}' },
};
const to = '4915112345678';

/** The published documents: messages as long and as many as there may be. */
const route = (name: string, each: object, message: string): object => ({
  ...source,
  routes: [{ name, to, max_length: 65_536, ...each, send: { kind: 'text', message } }],
});
const one = route('all', {}, '{{ payload | json | truncate: 60000 }}');
const many = route('each', { each: 'payload.a' }, `${'漢'.repeat(LONGEST_TEMPLATE)}{{ index }}`);
const open = { verify: { scheme: 'none' } };
const proven = { verify: { scheme: 'token', in: 'header', name: 'authorization' }, secrets: ['HOOK_SECRET'] };
const LARGE_CONFIG = {
  sources: {
    one: { ...one, ...open },
    many: { ...many, ...open },
    'proven-one': { ...one, ...proven },
    'proven-many': { ...many, ...proven },
  },
  templates: {},
  recipients: {},
  accounts: { default: { rate: false, per_recipient: false } },
};

/** Posts until it is not asked to come again; the last answer's status, and whether it was a duplicate's: `202 false`. */
async function deliver(relay: Relay, source: string, contentType: string, body: string): Promise<string> {
  const request = {
    method: 'POST',
    headers: { 'content-type': contentType, authorization: HOOK_SECRET },
    body,
  };
  const tried = async (): Promise<string> => {
    // A body that is refused unread is dropped for some seconds only; on a slow machine its sender may not be done.
    const response = await fetch(`${relay.url}/hooks/${source}`, request).catch(() => null);
    if (response === null) return '503 broken off';
    if (response.status === 503) expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    if (response.status !== 202) return `${response.status} ${await response.text()}`;
    const { duplicate } = await response.json<{ duplicate: boolean }>();
    return `202 ${String(duplicate)}`;
  };
  return lookUntil(tried, (answer) => !answer.startsWith('503 '), { withinMs: PATIENCE_MS, eachMs: 20 });
}

it(`the largest bodies, many at once, are taken once each, and listed, under a heap of ${HEAP_MIB} MB`, async () => {
  const storeDir = mkdtempSync(join(tmpdir(), 'hookbell-large-'));
  const relay = await startRelay(inject('bundles'), GATEWAY, storeDir, true);
  onTestFinished(async () => {
    await relay.kill();
    rmSync(storeDir, { recursive: true });
  });
  await relay.publish(LARGE_CONFIG);
  await relay.admin('POST', '/accounts/default/pause');
  let posted = 0;
  for (const { size, prefix, atOnce } of SIZES)
    for (const { name, source, contentType, body } of LARGE_INPUTS) {
      const bodies = Array.from({ length: atOnce }, () => body((posted += 1), size));
      const answers = await Promise.all(
        bodies.map((one) => deliver(relay, `${prefix}${source}`, contentType, one)),
      );
      expect(answers, `${prefix}${name}`).toEqual(bodies.map(() => '202 false'));
      // The process lives.
      expect(await fetch(`${relay.url}/health`)).toMatchObject({ status: 200 });
    }
  expect((await relay.events()).length).toBe(posted);
  // A list of messages is shown by its pages, an event with as many as one answer carries.
  const messages = await relay.admin('GET', '/messages?limit=200&source=many');
  const { items } = await messages.json<Page<MessageView>>();
  expect(items.length).toBeGreaterThan(100);
  const event = await relay.admin('GET', `/events/${items[0]?.event ?? ''}`);
  const shown = await event.json<{ messages: readonly MessageView[]; messages_left_out?: number }>();
  expect(shown.messages.length + (shown.messages_left_out ?? 0)).toBe(MAX_MESSAGES_PER_ROUTE);
});
