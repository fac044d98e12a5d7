import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { translator } from '../../console/lib/said.ts';
import { COUNTED_DE, PLACES_DE, SAID_DE } from '../../console/texts/said-de.ts';
import { DOCTOR_DE } from '../../console/texts/said-de/doctor.ts';
import { OUTSIDE_CHECKS } from '../../shared/doctor/outside.ts';
import { ownClockCheck } from '../../shared/doctor/own-clock.ts';
import { partsOf } from '../../shared/doctor/remedy.ts';
import { accountChecks } from '../../src/admin/doctor/accounts.ts';
import type { Check } from '../../src/admin/doctor/check.ts';
import type { ShownCheck } from '../../src/admin/doctor/api-check.ts';
import { configCheck } from '../../src/admin/doctor/copy.ts';
import { clockCheck, probeGateway, unasked } from '../../src/admin/doctor/gateway.ts';
import { outageCheck } from '../../src/admin/doctor/outage.ts';
import { rejectionChecks } from '../../src/admin/doctor/rejections.ts';
import { classifyFetchError } from '../../src/gateway/fetch-error.ts';
import { classifyAnswer } from '../../src/gateway/outcome.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAIRS = [...SAID_DE, ...DOCTOR_DE];
const translate = translator({ pairs: PAIRS, counted: COUNTED_DE, places: PLACES_DE });
const NOW = Date.UTC(2026, 10, 26);
const at = (ms: number): string => new Date(ms).toISOString();

/** The texts of the relay, with SQL's and JavaScript's quotes as they are read. */
const sources = ['src', 'shared']
  .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: ROOT }))
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  .join('\n')
  .replaceAll('\\`', '`')
  .replaceAll("''", "'");

const commands = (text: string) =>
  partsOf(text.replaceAll('{}', 'name')).flatMap((part) => ('command' in part ? part.command : []));

describe('What is there in German', () => {
  test.each(PAIRS)('%j is what the relay says', (english) => {
    const runs = english.split(/\{\}|[^\w\s’'`/-]/).toSorted((a, b) => b.length - a.length);
    expect(sources.includes(runs[0]?.trim() ?? ''), runs[0]).toBe(true);
  });

  test.each(PAIRS)(
    '%j has its parts in the same order, and commands that end where they should',
    (english, german) => {
      expect(german.match(/\{=?\}/g)?.length).toBe(english.match(/\{\}/g)?.length);
      expect(commands(german)).toEqual(commands(english));
    },
  );
});

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that are read
const status = {
  account: 'default',
  paused: null,
  dead: 2,
  uncertain: 1,
  queued: 3,
  retrying: 1,
  sending: 0,
  rate: { per_minute: 1, burst: 1 },
  receivers_at_cap: { receivers: 2, messages: 3, per_hour: 60, next_at: at(NOW), last_at: at(NOW) },
  storage: { state: 'full', bytes: 99, max_bytes: 100 },
  escape: { failures: 2, last: { at: at(NOW), detail: 'it answered 500' } },
  drain_seconds: 90_000,
  circuit: { state: 'closed', failures: 0 },
} as unknown as Parameters<typeof accountChecks>[0][number];

const failing = (more: object) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that are read
  ({
    ...status,
    circuit: {
      state: 'open',
      failures: 3,
      probe_at: at(NOW),
      last_error: {
        at: at(NOW),
        detail: 'the connection was lost; the gateway may have received the call',
      },
    },
    ...more,
  }) as unknown as typeof status;

async function probes(): Promise<readonly Check[]> {
  const account = { baseUrl: 'https://gateway.example/api', email: 'a', apiKey: 'b', appKey: '' };
  const answers: readonly (() => Response)[] = [
    ...[401, 403, 302, 429, 404, 500, 521, 524].map((status) => () => new Response(null, { status })),
    () => Response.json({ success: false, message: 'phone is missing' }, { status: 422 }),
    () => {
      throw new TypeError('Invalid URL: x');
    },
    () => {
      throw new Error('Network connection lost.');
    },
  ];
  const found: Check[] = [];
  for (const answer of answers)
    for (const lastSentAt of [null, NOW - 5_000])
      found.push(
        (
          await probeGateway('shop', account, {
            fetch: async () => answer(),
            now: () => NOW,
            lastSentAt,
          })
        ).check,
      );
  return found;
}

/** Checks as the doctor makes them. */
async function checks(): Promise<readonly ShownCheck[]> {
  const paused = (by: string) => ({ paused: { by, reason: 'holiday', since: at(NOW - 3_600_000) } });
  const refused = { by: 'gateway', reason: 'the gateway answered 401: it rejects the credentials' };
  const probed = await probes();
  return [
    ...accountChecks(
      [status, { ...status, ...paused('Ann') }],
      { default: { oldest_waiting_seconds: 4_000 } },
      NOW,
    ),
    ...accountChecks([], {}, NOW),
    ...[0, 3].flatMap((version) => [
      configCheck({ version, sources: 1, errors: [] }),
      configCheck({ version, sources: 2, errors: [{ path: 'sources/a', message: 'odd' }] }),
    ]),
    ...[-1, 1].map((way) => clockCheck({ theirs: NOW + way * 90_000, ours: NOW })),
    clockCheck({ theirs: NOW, ours: NOW }),
    ...[0, 90_000].map((apart) => ownClockCheck(at(NOW + apart), NOW)),
    ...[null, NOW - 60_000].map((last) => unasked('ntfy', 'ntfy', last, NOW)),
    ...probed,
    ...[null, ...probed].flatMap((one) =>
      [
        failing({}),
        failing({ waits_for: { for: 'retry', until: at(NOW) } }),
        failing({ queued: 0, retrying: 0, circuit: { state: 'closed', failures: 1 } }),
        failing({ paused: { ...refused, since: at(NOW) } }),
      ].flatMap((status) => outageCheck(status, one) ?? []),
    ),
    ...rejectionChecks([], NOW, {}),
    ...OUTSIDE_CHECKS.map(({ id, title, checks }) => ({ id, title, detail: checks, status: 'ok' as const })),
  ];
}

test('all that the doctor says is there in German, without a word of English left', async () => {
  const texts = (await checks()).flatMap(({ title, detail, remedy }) => [title, detail, remedy ?? title]);
  const english = texts.filter((text) => translate(text) === null);
  expect(english).toEqual(['.dev.vars', '.dev.vars']);
  // Quotes, commands, and names of files.
  const QUOTED = /„[^“]*“|npx [^.,]*|accounts\/[\w.]+/g;
  const left = texts
    .map((text) => (translate(text) ?? '').replaceAll(QUOTED, ''))
    .filter((text) => /\b(the|is|are|messages?|accounts?|has|been|with|since)\b/.test(text));
  expect(left).toEqual([]);
});

test('all that an answer of the gateway comes to is there in German, and its own words stay', () => {
  const bodies = [
    '',
    '[]',
    '{"success":true}',
    '{"success":1}',
    '{"success":true,"data":{"status_code":"x"}}',
  ];
  const refusal = '{"success":false,"message":"The number is not set"}';
  const answers = [
    ...[301, 401, 403, 404, 429, 500, 521, 522, 199].map((status) => ({ status, text: '' })),
    ...[...bodies, '{"success":true,"data":{"status_code":422}}', '{"success":false}', refusal].map(
      (text) => ({
        status: 200,
        text,
      }),
    ),
  ].map((answer) => classifyAnswer({ ...answer, headers: new Headers(), complete: true }, NOW).detail);
  const thrown = [
    'Invalid URL: x',
    'Fetch API cannot load: x',
    'Network connection lost.',
    'You have exceeded the number of active timeouts',
  ].map((message) => classifyFetchError(new Error(message)).detail);
  const late = classifyFetchError(new DOMException('', 'TimeoutError')).detail;
  for (const text of [...answers, ...thrown, late]) {
    expect(translate(text), text).not.toBeNull();
    expect(translate(`${text}; gave up after 5 attempts`), text).toBe(
      `${translate(text)}; nach 5 Versuchen aufgegeben`,
    );
  }
  expect(translate(answers.at(-1) ?? '')).toContain('„The number is not set“');
});
