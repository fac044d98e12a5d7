import { evictDurableObject } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import alertsText from '../../docs/prometheus-alerts.yaml?raw';
import dashboardText from '../../docs/grafana-dashboard.json?raw';
import page from '../../docs/observability.md?raw';
import { loadConfig, registry } from '../../src/config/load.ts';
import { DAY, HOUR, MINUTE, iso } from '../../src/lib/time.ts';
import { STAGES } from '../../src/lib/log.ts';
import { families } from '../../src/metrics/prometheus.ts';
import { readSeries, type SeriesRequest } from '../../src/metrics/collect.ts';
import { eventually } from '../eventually.ts';
import { admin, isSent, message, postJson, publish, script } from '../integration/relay.ts';
import { eventOf } from '../outbox/bare-outbox.ts';
import { draft } from '../outbox/support.ts';
import { parseExposition, type Metric } from './exposition.ts';
import { collectedOf } from './support.ts';

describe('a series', () => {
  /** The time of what is counted here: a whole hour of yesterday. */
  const then = Math.floor((Date.now() - DAY) / HOUR) * HOUR;

  const sums = async (change: Partial<SeriesRequest>) => {
    const now = Date.now();
    const hour = { source: undefined, account: undefined, from: then, to: then + HOUR, step: HOUR };
    const asked = { metric: 'events', ...hour, ...change } as const;
    return (await readSeries(env, await loadConfig(env, now), asked, now)).points.map(({ value }) => value);
  };

  beforeAll(async () => {
    await publish({ accounts: { default: {}, sales: {} } });
    const [outbox, sales] = [env.OUTBOX.getByName('default'), env.OUTBOX.getByName('sales')];
    for (const minute of [0, 7])
      await outbox.accept({ event: eventOf(then + minute * MINUTE, { source: 'shop' }), messages: [] });
    await sales.accept({ event: eventOf(then + 12 * MINUTE, { source: 'form' }), messages: [draft()] });
    const rejection = { source: 'shop', status: 401, code: 'mismatch', detail: 'x' } as const;
    for (const minute of [1, 2, 59])
      await registry(env).recordRejection({ at: iso(then + minute * MINUTE), ...rejection });
  });

  it('is summed up over all accounts, in steps of any length, and narrowed down by account and source', async () => {
    expect(await sums({})).toEqual([3]);
    expect(await sums({ step: 10 * MINUTE })).toEqual([2, 1, 0, 0, 0, 0]);
    expect(await sums({ step: DAY, from: then, to: then + 1 })).toEqual([3]);
    expect(await sums({ account: 'sales' })).toEqual([1]);
    expect(await sums({ source: 'shop' })).toEqual([2]);
    expect(await sums({ source: 'shop', account: 'sales' })).toEqual([0]);
    expect(await sums({ metric: 'rejected', step: 30 * MINUTE })).toEqual([2, 1]);
    expect(await sums({ metric: 'rejected', source: 'form' })).toEqual([0]);
  });

  it('is the same after a restart', async () => {
    for (const name of ['default', 'sales']) await evictDurableObject(env.OUTBOX.getByName(name));
    await evictDurableObject(registry(env));
    expect(await sums({ step: 10 * MINUTE })).toEqual([2, 1, 0, 0, 0, 0]);
    expect(await sums({ metric: 'rejected' })).toEqual([3]);
  });

  interface Answer {
    readonly step_seconds: number;
    readonly points: readonly { readonly at: string }[];
    readonly complete_from: string;
    readonly errors?: readonly { readonly path: string; readonly message: string }[];
  }
  const ask = (query: string) => admin<Answer>('GET', `/stats/series?${query}`);

  it('has steps of five minutes up to a day, of an hour beyond, and says that it is complete for a week', async () => {
    const [day, week] = [(await ask('metric=events')).body, (await ask('metric=sent&from=7d')).body];
    expect([day.step_seconds, week.step_seconds]).toEqual([300, 3_600]);
    expect(day.points.length).toBeGreaterThanOrEqual(288);
    expect(week.points.length).toBeGreaterThanOrEqual(168);
    const { body } = await ask('metric=events&from=30d&step=1d');
    const age = Date.now() - Date.parse(body.complete_from);
    expect(age).toBeGreaterThanOrEqual(6 * DAY);
    expect(age).toBeLessThanOrEqual(7 * DAY);
  });

  it('is refused by the name of the parameter that is wrong', async () => {
    for (const [query, path, text] of [
      ['', 'metric', 'must be one of'],
      ['metric=calls', 'metric', 'must be one of events, messages'],
      ['metric=sent&step=7m', 'step', 'a multiple of 5m'],
      ['metric=sent&step=1m', 'step', 'must be between 5m and 1d'],
      ['metric=sent&step=5m&from=8d', 'step', 'more than 2016 points'],
      ['metric=sent&from=1h&to=2h', 'from', 'before `to`'],
      ['metric=sent&account=nobody', 'account', 'there is no account `nobody`'],
      ['metric=rejected&account=sales', 'account', 'must be left out'],
    ] as const) {
      const { status, body } = await ask(query);
      const error = { path, message: expect.stringContaining(text) as unknown };
      expect([status, body.errors?.[0]], query).toMatchObject([422, error]);
    }
  });
});

/** The metrics of ours that a query asks for, each with the labels that it selects by. */
function asked(query: string): readonly { name: string; matchers: readonly string[][] }[] {
  return [...query.matchAll(/\b(hookbell_[a-z_]+)(?:\{([^}]*)\})?/g)].map(([, name = '', matchers = '']) => ({
    name,
    matchers: [...matchers.matchAll(/(\w+)(=~|!=|=)"([^"]*)"/g)].map(([, ...parts]) => parts),
  }));
}

const grouped = (query: string): readonly string[] =>
  [...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/, */));

/** Labels that Prometheus adds to all that it scrapes. */
const ADDED = new Set(['instance', 'job']);

const words = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);

const rows = (mark: string) => {
  const [, text = ''] = page.split(new RegExp(`<!-- ${mark}: (?:begin|end) -->`));
  const lines = text.trim().split('\n').slice(2);
  return lines.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
};

describe('what is observed of a relay', () => {
  let metrics: ReadonlyMap<string, Metric>;

  /** Reads what `/metrics` really gives, after something of each kind has happened. */
  beforeAll(async () => {
    const phone = '4915112358001';
    const send = { kind: 'text', message: 'hello' };
    const routes = [{ name: 'all', to: '{{ payload.phone }}', send }];
    await publish({
      sources: {
        shop: { verify: { scheme: 'none' }, heartbeat: '1h', routes },
        signed: { verify: { scheme: 'basic' }, secrets: ['BASIC_SECRET'] },
      },
    });
    await script(phone, { failure: 'status', status: 503, headers: { 'retry-after': '0' } });
    const accepted = await postJson('shop', { phone: `+${phone}` });
    const { messages } = await accepted.json<{ messages: string[] }>();
    await message(messages[0] ?? '', isSent);
    await postJson('signed', {});
    const headers = { authorization: 'Bearer admin-token-of-the-tests' };
    await eventually(async () => {
      const response = await exports.default.fetch('https://relay.example/metrics', { headers });
      metrics = parseExposition(await response.text());
      // It is recorded after its answer is out.
      expect(metrics.has('hookbell_rejections_total')).toBe(true);
    });
  });

  function checkQuery(query: string): void {
    for (const { name, matchers } of asked(query)) {
      const metric = metrics.get(name.replace(/_(bucket|sum|count)$/, '')) ?? metrics.get(name);
      const lines = metric?.lines.filter((line) => line.name === name) ?? [];
      expect(lines, `${name} in ${query}`).not.toEqual([]);
      for (const [label = '', operator, value = ''] of matchers) {
        if (ADDED.has(label)) continue;
        const values = new Set(lines.map(({ labels }) => labels[label]));
        expect(values, `${label} of ${name}`).not.toContain(undefined);
        // A state or an outcome that there is; reasons come with what happens, and `$…` is the viewer's choice.
        if (value.startsWith('$') || label === 'reason') continue;
        for (const one of operator === '=~' ? value.split('|') : [value]) expect(values).toContain(one);
      }
      const labels = new Set(lines.flatMap((line) => Object.keys(line.labels)));
      for (const label of grouped(query))
        expect(ADDED.has(label) || labels.has(label), `${label} in ${query}`).toBe(true);
    }
  }

  it('the dashboard asks only for metrics and labels that there are', () => {
    const target = z.looseObject({ expr: z.string() });
    const panel = z.looseObject({ targets: z.array(target).default([]) });
    const variable = z.looseObject({ definition: z.string().default('') });
    const dashboard = z.object({
      panels: z.array(panel),
      templating: z.object({ list: z.array(variable) }),
    });
    const { panels, templating } = dashboard.parse(JSON.parse(dashboardText));
    const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expect(queries.length).toBeGreaterThan(15);
    for (const query of [...queries, ...templating.list.map(({ definition }) => definition)])
      checkQuery(query);
    // Whoever imports it chooses a data source.
    for (const uid of dashboardText.match(/"uid": "(?!hookbell)[^"]*"/g) ?? [])
      expect(uid).toContain('${datasource}');
  });

  it('alerts ask only for metrics and labels that there are, and say only what their expressions leave them', () => {
    const rule = z.strictObject({
      alert: z.string().regex(/^Hookbell[A-Za-z]+$/),
      expr: z.string(),
      for: z
        .string()
        .regex(/^\d+[smh]$/)
        .optional(),
      labels: z.strictObject({ severity: z.enum(['critical', 'warning', 'info']) }),
      annotations: z.strictObject({ summary: z.string().min(1), description: z.string().min(1) }),
    });
    const alerts = z.strictObject({
      groups: z.array(z.strictObject({ name: z.string(), rules: z.array(rule) })),
    });
    const rules = alerts.parse(parse(alertsText)).groups.flatMap((group) => group.rules);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { expr, annotations } of rules) {
      checkQuery(expr);
      const used = [
        ...Object.values(annotations)
          .join(' ')
          .matchAll(/\$labels\.(\w+)/g),
      ];
      const labels = Object.keys(metrics.get(asked(expr)[0]?.name ?? '')?.lines[0]?.labels ?? {});
      const left = grouped(expr).length > 0 ? grouped(expr) : labels;
      for (const [, label] of used) expect(left).toContain(label);
    }
  });

  const labelsOf = (name: string) => Object.keys(metrics.get(name)?.lines[0]?.labels ?? {});

  it('the page lists every metric with its type and labels, and every stage of the log with its fields', () => {
    const listed = rows('metrics').map(([name, type, labels]) => [
      words(name)[0],
      type,
      words(labels).toSorted(),
    ]);
    expect(listed).toEqual(
      families(collectedOf(), 0, {}).map(({ name, type }) => [
        name,
        type,
        labelsOf(name)
          .filter((label) => label !== 'le')
          .toSorted(),
      ]),
    );
    const stages = rows('stages').map(([stage, fields]) => [words(stage)[0], words(fields)]);
    expect(stages).toEqual(Object.entries(STAGES).map(([stage, fields]) => [stage, fields.split(' ')]));
  });
});
