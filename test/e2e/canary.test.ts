import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { ROUTES } from './canary-admin.ts';
import { LEAST_NOTICES, playFailures, type CanaryReport } from './canary-run.ts';
import {
  ALLOWED,
  describeFinding,
  fileTraces,
  logTraces,
  rowTraces,
  search,
  type Trace,
} from './canary-search.ts';
import { SENDER_IDS } from './canary-senders.ts';
import { onCanaryStage } from './canary-stage.ts';
import {
  base64url,
  CANARIES,
  everyByte,
  inHex,
  PAIRED_KEY,
  phoneNumber,
  PHONE_NUMBERS,
  SECRETS,
} from './canary-values.ts';

/** The results of the run, and all that it left behind. */
let report: CanaryReport;
let traces: readonly Trace[];

const found = (among: readonly Trace[]): readonly string[] => [
  ...new Set(search(among, CANARIES, ALLOWED).map(describeFinding)),
];
const textsOf = (kind: string): readonly string[] =>
  traces.filter(({ place }) => place.startsWith(kind)).map(({ text }) => text);

const inLog = (text: string): readonly Trace[] => [{ place: 'log', text: `before ${text} after` }];

beforeAll(async () => {
  const run = await onCanaryStage(inject('bundles'), playFailures, (played, stage, emptyDir) => ({
    report: played,
    traces: [
      ...logTraces(stage.storeDir),
      ...stage.answers(),
      ...stage.notices.traces(),
      ...rowTraces(stage.storeDir, emptyDir),
      ...fileTraces(stage.storeDir),
    ],
  }));
  ({ report, traces } = run);
});

describe('after a run full of failures, with a canary for every secret', () => {
  it('no canary is in a log, an answer, a notice, a row or a file', () => {
    expect(found(traces)).toEqual([]);
  });

  it('each source took its own webhook and refused all others', () => {
    expect(report.accepted).toEqual(SENDER_IDS);
    expect(report.refusedWebhooks).toBeGreaterThan(20 * SENDER_IDS.length);
  });

  it('the gateway failed in every way but one, for which there is no way here', () => {
    expect([...report.outcomes].toSorted().join(' ')).toBe(
      'busy forbidden redirected refused rejected sent server_error unauthorized uncertain',
    );
  });

  it('wrong logins were refused, and so were documents with values of secrets in them', () => {
    expect(report.logins).not.toContain(200);
    expect(report.publishes.length).toBeGreaterThan(300);
    expect(report.publishes.filter(({ name, status }) => status < 400 && name !== 'GATEWAY_EMAIL')).toEqual(
      [],
    );
  });

  it('the log is the log, the owner was notified, and a key that was handed over was shown', () => {
    const log = textsOf('log').join('');
    const stages =
      'event.accepted event.rejected message.sent message.retrying message.dead account.paused circuit.opened owner.notice owner.notice.refused admin.refused pairing.captured handshake.answered config.published';
    expect(stages.split(' ').filter((stage) => !log.includes(`"stage":"${stage}"`))).toEqual([]);
    expect(textsOf('notice').length).toBeGreaterThanOrEqual(LEAST_NOTICES);
    expect(report.pairedKeyWasShown).toBe(true);
  });

  it('every route of the admin API was asked', () => {
    const asked = traces.flatMap(({ place }) => /^answer (\w+ \/.*)$/.exec(place)?.[1] ?? []);
    const patterns = ROUTES.map((route) => {
      const [method, path = ''] = route.split(' ');
      return new RegExp(`^${method} (/admin/api/v1)?${path.replaceAll(/\{\w+\}/g, '[^/]+')}(,|$)`);
    });
    expect(patterns.filter((route) => !asked.some((one) => route.test(one)))).toEqual([]);
  });
});

describe('the search itself', () => {
  const [{ value } = PAIRED_KEY, other = PAIRED_KEY] = SECRETS;

  it('finds every canary in whatever way it is written', () => {
    const ways: Readonly<Record<string, (text: string) => string>> = {
      'as it is': (text) => text,
      'in capitals': (text) => text.toUpperCase(),
      'percent-encoded': (text) => encodeURIComponent(text),
      'form-encoded': (text) => new URLSearchParams({ text }).toString(),
      'as JSON in JSON': (text) => JSON.stringify(JSON.stringify({ text })),
      'in base64': (text) => btoa(text),
      'in base64, behind something': (text) => btoa(`user:${text}:more`),
      'in base64url': (text) => base64url(`x${text}`),
      'in hex': (text) => everyByte(text, inHex),
      'cut in the middle': (text) => text.slice(0, Math.floor(text.length / 2) + 4),
    };
    // A number is made of digits only, and looked for as they are.
    const texts = CANARIES.filter((canary) => canary !== PHONE_NUMBERS);
    const unseen = Object.entries(ways).flatMap(([way, write]) =>
      texts
        .filter((canary) => search(inLog(write(canary.value)), [canary], []).length !== 1)
        .map(({ name }) => `${name} ${way}`),
    );
    expect(unseen).toEqual([]);
    for (const prefix of ['+49', '0049', '0', '(+49) '])
      expect(found(inLog(prefix + phoneNumber(7).slice(2))), prefix).toHaveLength(1);
    const { name = '', value: standard = '' } = SECRETS.find((one) => one.name === 'STANDARD_SECRET') ?? {};
    // The bytes of a key that a secret is the base64 of.
    expect(found(inLog(atob(standard.slice('whsec_'.length))))).toEqual([`${name} (its first half) in log`]);
  });

  it('finds a line in the log, a row in a journal, whatever its type, and what is left of a deleted one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hookbell-planted-'));
    const copyDir = mkdtempSync(join(tmpdir(), 'hookbell-planted-copy-'));
    onTestFinished(() => {
      for (const one of [folder, copyDir]) rmSync(one, { recursive: true });
    });
    writeFileSync(join(folder, 'workerd.log'), `{"stage":"request.failed","error":"${value}"}\n`);
    expect(found(logTraces(folder))).toHaveLength(1);
    const objects = join(folder, 'objects');
    mkdirSync(objects);
    const database = new DatabaseSync(join(objects, 'planted.sqlite'));
    try {
      database.exec('PRAGMA journal_mode = WAL; CREATE TABLE kept (text TEXT, bytes BLOB)');
      const bytes = new TextEncoder().encode(other.value);
      database.prepare('INSERT INTO kept VALUES (?, ?)').run(`{"response":"${btoa(value)}"}`, bytes);
      expect(found(rowTraces(objects, copyDir)).join()).toMatch(/kept\.text.*kept\.bytes/);
      database.exec('DELETE FROM kept');
      expect(found(fileTraces(objects)).join()).toContain(`${other.name} (`);
    } finally {
      database.close();
    }
  });

  it('lets nothing pass where something else is allowed', () => {
    const planted = [...new Set(traces.map(({ place }) => place))].map((place) => ({ place, text: value }));
    expect(search(planted, CANARIES, ALLOWED)).toHaveLength(planted.length);
  });
});
