import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { base64url, everyByte, inHex } from './canary-bytes.ts';
import { ALLOWED } from './canary-allowed.ts';
import { LEAST_NOTICES, playFailures, type CanaryReport } from './canary-run.ts';
import { describeFinding, search, type Trace } from './canary-search.ts';
import { onCanaryStage } from './canary-stage.ts';
import { fileTraces, logTraces, rowTraces } from './canary-store.ts';
import { CANARIES, PAIRED_KEY, phoneNumber, PHONE_NUMBERS, SECRETS } from './canary-values.ts';
import { SENDER_IDS } from './canary-senders.ts';

/** The results of the run, and all that it left behind. */
let report: CanaryReport;
let traces: readonly Trace[];

const found = (among: readonly Trace[]): readonly string[] => [
  ...new Set(search(among, CANARIES, ALLOWED).map(describeFinding)),
];
const textsOf = (kind: string): readonly string[] =>
  traces.filter(({ place }) => place.startsWith(kind)).map(({ text }) => text);

beforeAll(async () => {
  const run = await onCanaryStage(inject('bundles'), playFailures, (played, stage, emptyDir) => ({
    report: played,
    traces: [
      ...logTraces(stage.storeDir),
      ...stage.answers(),
      ...stage.notices.traces(),
      ...played.tail,
      ...rowTraces(stage.storeDir, emptyDir),
      ...fileTraces(stage.storeDir),
    ],
  }));
  ({ report, traces } = run);
}, 60_000);

describe('after a run full of failures, with a canary for every secret', () => {
  it('no canary is in a log, an answer, a notice, a row or a file', () => {
    expect(found(traces)).toEqual([]);
  });

  it('each source took its own webhook and refused all others', () => {
    expect(report.accepted).toEqual(SENDER_IDS);
    expect(report.refusedWebhooks).toBeGreaterThan(20 * SENDER_IDS.length);
  });

  it('the gateway failed in every way but one, for which there is no way here', () => {
    expect([...report.outcomes].toSorted()).toEqual([
      'busy',
      'forbidden',
      'redirected',
      'refused',
      'rejected',
      'sent',
      'server_error',
      'unauthorized',
      'uncertain',
    ]);
  });

  it('wrong logins were refused, and so were documents with values of secrets in them', () => {
    expect(report.logins).not.toContain(200);
    expect(report.publishes.length).toBeGreaterThan(300);
    expect(report.publishes.filter(({ name, status }) => status < 400 && name !== 'GATEWAY_EMAIL')).toEqual(
      [],
    );
  });

  it.each([
    'event.accepted',
    'event.rejected',
    'message.sent',
    'message.retrying',
    'message.dead',
    'account.paused',
    'circuit.opened',
    'owner.notice',
    'owner.notice.refused',
    'admin.refused',
    'pairing.captured',
    'handshake.answered',
    'config.published',
  ])('the log has %s, so it is the log', (stage) => {
    expect(textsOf('log').join('')).toContain(`"stage":"${stage}"`);
  });

  it('the owner was notified, over a channel that failed', () => {
    expect(textsOf('notice').length).toBeGreaterThanOrEqual(LEAST_NOTICES);
  });

  it('a key that was handed over was shown, so it was kept', () => {
    expect(report.pairedKeyWasShown).toBe(true);
  });

  it('every route of the admin API was asked', () => {
    const asked = traces.flatMap(({ place }) => /^answer (\w+ \/.*)$/.exec(place)?.[1] ?? []);
    const missing = adminRoutes().filter((route) => !asked.some((one) => route.test(one)));
    expect(missing.map(String)).toEqual([]);
  });
});

describe('the search itself', () => {
  let folder = '';
  let copyDir = '';
  const [{ value } = PAIRED_KEY, other = PAIRED_KEY] = SECRETS;
  // A number is made of digits only, and looked for as they are.
  const texts = CANARIES.filter((canary) => canary !== PHONE_NUMBERS);

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hookbell-planted-'));
    copyDir = mkdtempSync(join(tmpdir(), 'hookbell-planted-copy-'));
  });

  afterAll(() => {
    for (const one of [folder, copyDir]) rmSync(one, { recursive: true });
  });

  it.each([
    ['as it is', (text: string) => text],
    ['in capitals', (text: string) => text.toUpperCase()],
    ['percent-encoded', (text: string) => encodeURIComponent(text)],
    ['form-encoded', (text: string) => new URLSearchParams({ text }).toString()],
    ['as JSON in JSON', (text: string) => JSON.stringify(JSON.stringify({ text }))],
    ['in base64', (text: string) => btoa(text)],
    ['in base64, behind something', (text: string) => btoa(`user:${text}:more`)],
    ['in base64url', (text: string) => base64url(`x${text}`)],
    ['in hex', (text: string) => everyByte(text, inHex)],
    ['cut in the middle', (text: string) => text.slice(0, Math.floor(text.length / 2) + 4)],
  ])('finds every canary that is written %s', (_, write) => {
    const unseen = texts.filter(
      (canary) =>
        search([{ place: 'log', text: `before ${write(canary.value)} after` }], [canary], []).length !== 1,
    );
    expect(unseen.map(({ name }) => name)).toEqual([]);
  });

  it('finds the bytes of a key that a secret is the base64 of', () => {
    const { name = '', value: standard = '' } = SECRETS.find((one) => one.name === 'STANDARD_SECRET') ?? {};
    const key = atob(standard.slice('whsec_'.length));
    expect(found([{ place: 'log', text: key }])).toEqual([`${name} (its first half) in log`]);
  });

  it.each(['+49', '0049', '0', '(+49) '])('finds a number that begins with %s', (prefix) => {
    expect(found([{ place: 'log', text: `to ${prefix}${phoneNumber(7).slice(2)}` }])).toHaveLength(1);
  });

  it('finds a line in the log', () => {
    writeFileSync(join(folder, 'workerd.log'), `{"stage":"request.failed","error":"${value}"}\n`);
    expect(found(logTraces(folder))).toHaveLength(1);
  });

  it('finds an answer', () => {
    expect(found([...traces, { place: 'answer GET /health', text: `200 OK\nx-key: ${value}` }])).toHaveLength(
      1,
    );
  });

  it('finds a row in a journal, whatever its type, and what is left of one that was deleted', () => {
    mkdirSync(join(folder, 'objects'));
    const database = new DatabaseSync(join(folder, 'objects', 'planted.sqlite'));
    const bytes = new TextEncoder().encode(other.value);
    try {
      database.exec('PRAGMA journal_mode = WAL; CREATE TABLE kept (text TEXT, bytes BLOB)');
      database.prepare('INSERT INTO kept VALUES (?, ?)').run(`{"response":"${btoa(value)}"}`, bytes);
      expect(found(rowTraces(join(folder, 'objects'), copyDir)).join()).toMatch(/kept\.text.*kept\.bytes/);
      database.exec('DELETE FROM kept');
      expect(found(fileTraces(join(folder, 'objects'))).join()).toContain(`${other.name} (`);
    } finally {
      database.close();
    }
  });

  it('lets nothing pass where something else is allowed', () => {
    const places = traces.map(({ place }) => place);
    const planted = [...new Set(places)].map((place) => ({ place, text: value }));
    expect(search(planted, CANARIES, ALLOWED)).toHaveLength(planted.length);
  });
});

const descriptionSchema = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

/** As patterns of what is asked, from the API's own description. */
function adminRoutes(): readonly RegExp[] {
  const file = join(dirname(dirname(import.meta.dirname)), 'assets/admin/openapi.json');
  const { paths } = descriptionSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return Object.entries(paths).flatMap(([path, methods]) =>
    ['get', 'put', 'post', 'delete']
      .filter((method) => Object.hasOwn(methods, method))
      .map(
        (method) =>
          new RegExp(`^${method.toUpperCase()} (/admin/api/v1)?${path.replaceAll(/\{\w+\}/g, '[^/]+')}(,|$)`),
      ),
  );
}
