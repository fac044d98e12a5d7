import { exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import alertsText from '../../docs/prometheus-alerts.yaml?raw';
import dashboardText from '../../docs/grafana-dashboard.json?raw';
import page from '../../docs/observability.md?raw';
import { STAGES } from '../../src/lib/log-stages.ts';
import { isSent, message, postJson, publish, script } from '../integration/relay.ts';
import { families } from '../../src/metrics/families.ts';
import { eventually } from '../eventually.ts';
import { parseExposition, type Metric } from './exposition.ts';
import { collectedOf } from './support.ts';

/** The rows of a table between two marks: the texts of its cells. */
function table(mark: string): readonly (readonly string[])[] {
  const [, text = ''] = page.split(new RegExp(`<!-- ${mark}: (?:begin|end) -->`));
  return text
    .trim()
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** The words in code marks of a cell. */
const words = (cell = ''): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);

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
  const { messages } = await (await postJson('shop', { phone: `+${phone}` })).json<{ messages: string[] }>();
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

const dashboardSchema = z.object({
  id: z.null(),
  uid: z.string(),
  title: z.string(),
  schemaVersion: z.number().min(39),
  templating: z.object({
    list: z.array(
      z.looseObject({
        name: z.string(),
        type: z.enum(['datasource', 'query']),
        definition: z.string().optional(),
      }),
    ),
  }),
  panels: z.array(
    z.looseObject({
      id: z.number(),
      type: z.enum(['row', 'timeseries', 'stat']),
      title: z.string().min(1),
      gridPos: z.object({ h: z.number(), w: z.number(), x: z.number(), y: z.number() }),
      targets: z.array(z.looseObject({ refId: z.string(), expr: z.string() })).optional(),
    }),
  ),
});

describe('the dashboard', () => {
  const dashboard = dashboardSchema.parse(JSON.parse(dashboardText));

  it('asks only for metrics and labels that there are', () => {
    const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(queries.length).toBeGreaterThan(15);
    for (const query of queries) checkQuery(query);
    for (const { definition } of dashboard.templating.list) checkQuery(definition ?? '');
  });

  it('has its rows, and a data source that whoever imports it chooses', () => {
    const rows = dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title);
    expect(rows).toEqual(['Receiving', 'Delivering', 'Failures', 'Queue']);
    expect(dashboard.templating.list[0]).toMatchObject({
      name: 'datasource',
      type: 'datasource',
      query: 'prometheus',
    });
    expect(
      dashboardText.match(/"uid": "(?!hookbell)[^"]*"/g)?.every((uid) => uid.includes('${datasource}')),
    ).toBe(true);
  });

  it('has panels that do not lie upon each other', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    for (const {
      gridPos: { x, w },
    } of dashboard.panels)
      expect(x + w).toBeLessThanOrEqual(24);
  });
});

const text = z.string().min(1);
const alertsSchema = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: text,
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Hookbell[A-Za-z]+$/),
          expr: text,
          for: z
            .string()
            .regex(/^\d+[smh]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['critical', 'warning', 'info']) }),
          annotations: z.strictObject({ summary: text, description: text }),
        }),
      ),
    }),
  ),
});

describe('the alerts', () => {
  const { groups } = alertsSchema.parse(parse(alertsText));
  const rules = groups.flatMap((group) => group.rules);

  it('ask only for metrics and labels that there are', () => {
    for (const { expr } of rules) checkQuery(expr);
  });

  it('say in their texts only what their expressions leave them', () => {
    for (const { expr, annotations } of rules) {
      const used = [
        ...Object.values(annotations)
          .join(' ')
          .matchAll(/\$labels\.(\w+)/g),
      ].map(([, label = '']) => label);
      const [{ name } = { name: '' }] = asked(expr);
      const left =
        grouped(expr).length > 0 ? grouped(expr) : Object.keys(metrics.get(name)?.lines[0]?.labels ?? {});
      for (const label of used) expect(left).toContain(label);
    }
  });

  it('are of every kind of trouble, each once', () => {
    const names = rules.map(({ alert }) => alert.replace('Hookbell', ''));
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(
      expect.arrayContaining([
        'ScrapeDown',
        'QueueOld',
        'DeadLetters',
        'AccountPaused',
        'CircuitOpen',
        'SignaturesRejected',
        'SourceSilent',
      ]),
    );
  });
});

describe('the page', () => {
  it('lists every metric that there is, with its type and labels', () => {
    const listed = table('metrics').map(([name, type, labels]) => [
      words(name)[0],
      type,
      words(labels).toSorted(),
    ]);
    expect(listed).toEqual(
      families(collectedOf(), 0, {}).map(({ name, type }) => [
        name,
        type,
        Object.keys(metrics.get(name)?.lines[0]?.labels ?? {})
          .filter((label) => label !== 'le')
          .toSorted(),
      ]),
    );
  });

  it('lists every stage of the log, with its fields', () => {
    const listed = table('stages').map(([stage, fields]) => [words(stage)[0], words(fields)]);
    expect(listed).toEqual(Object.entries(STAGES).map(([stage, fields]) => [stage, [...fields]]));
    for (const [stage, , when] of table('stages')) expect(when, stage).not.toBe('');
  });
});
