import { describe, expect, it } from 'vitest';
import '../platform/facts.ts';
import { documentsOf, fixturesOf } from '../../cli/init/changes.ts';
import { secretsOf, valuesOf } from '../../shared/new-source/plan.ts';
import { readStarter } from '../../cli/init/starters.ts';
import { unknownVariables } from '../../cli/fixtures/variables.ts';
import { knownWebhooks } from '../../cli/fixtures/webhooks.ts';
import { readText } from '../../cli/folder/yaml.ts';
import { sourceChecks } from '../../src/admin/doctor/config.ts';
import { escapeChecks } from '../../src/admin/doctor/accounts.ts';
import { unmetResolutions } from '../../src/admin/preview/preview.ts';
import { previewWarnings } from '../../src/admin/preview/warnings.ts';
import { compileConfig } from '../../src/config/compile/compile.ts';
import { withExamples } from '../../src/config/documents/starter-texts.ts';
import { EMPTY_SET } from '../../src/config/documents/schema.ts';
import { identify } from '../../src/ingest/request/event.ts';
import { routeEvent } from '../../src/ingest/routing/match.ts';
import { secureRandomBytes } from '../../src/lib/id.ts';
import { providers } from '../platform/providers.ts';
import { needsSecret } from '../../src/signature/scheme.ts';
import { folderWith } from '../cli/offline.ts';
import { newSource } from '../cli/init/new-source.ts';

const planFor = (id: string) => ({
  ...newSource(id, 'mine', ['4915112345678']),
  starter: withExamples(readStarter(id)),
});

/** A source that has sent something. */
const HEARD = {
  account: 'default',
  events: null,
  duplicates: null,
  rejections: null,
  last_event_at: '1970-01-01',
};

/** What is so of a source that is rightly set up: nobody learns of an alert that waits, until there is a second way. */
const TRUE_FINDINGS: ReadonlySet<string> = new Set(['account:default:no-escape']);

/** What is so before a source's key is there, which its sender hands over once the address answers. */
const TRUE_WARNINGS: ReadonlySet<string> = new Set(['sources.mine.secrets']);

describe.each([...providers.keys()])('what init makes for %s', (id) => {
  const plan = planFor(id);
  const documents = documentsOf(plan, EMPTY_SET);
  const set = {
    sources: valuesOf(documents, 'sources'),
    templates: valuesOf(documents, 'templates'),
    recipients: valuesOf(documents, 'recipients'),
  };
  const { config, errors, warnings } = compileConfig({ ...EMPTY_SET, ...set }, 0);

  it('is right, and in YAML what it means; strangers do not choose whom it texts; its secrets are named', () => {
    expect(errors).toEqual([]);
    expect(warnings.filter(({ path }) => !TRUE_WARNINGS.has(path))).toEqual([]);
    for (const { text, value } of documents) {
      const read = readText(text, false);
      expect(read.ok && read.value.value).toEqual(JSON.parse(JSON.stringify(value)));
    }
    const verify = config.sources.get('mine')?.verify;
    expect(secretsOf(plan, EMPTY_SET).length > 0).toBe(verify !== undefined && needsSecret(verify));
  });

  it('names only variables that one of its samples has; previews and the doctor say nothing that is not so', async () => {
    const source = config.sources.get('mine');
    if (source === undefined) throw new Error('the source has errors');
    const { requests } = await knownWebhooks(folderWith({}), source, {});
    expect(unknownVariables(source, requests)).toEqual([]);
    const events = requests.map((request) => identify({ ...request, source }, secureRandomBytes).event);
    const results = events.map((event) => routeEvent(event));
    const by = { policy: config.accounts.get('default'), suppressions: '' };
    const doubts = events.flatMap((event, at) => previewWarnings(event, results[at] ?? [], by));
    expect([...doubts, ...unmetResolutions(results).flat()]).toEqual([]);
    const stats = { sources: { mine: HEARD }, accounts: { default: null } };
    const found = [...sourceChecks(config, stats, 0), ...escapeChecks(config)];
    expect(found.filter(({ id, status }) => status !== 'ok' && !TRUE_FINDINGS.has(id))).toEqual([]);
    for (const { status, detail } of found)
      if (status === 'ok') expect(detail).not.toMatch(/nobody|nothing:|fail/);
  });

  it('has a fixture for each route that makes messages, and the expected messages', async () => {
    const { samples, routes } = plan.starter;
    const files = await fixturesOf('folder', 'mine', samples, config.sources.get('mine'));
    const expected = files.filter(({ file }) => file.endsWith('.expected.json'));
    expect(files).toHaveLength(2 * expected.length);
    expect(expected.length).toBeLessThanOrEqual(routes.length);
    const all = expected.map(({ text }) => text).join('\n');
    // A press is not a webhook of the provider.
    const posted = routes.filter(({ when = '' }) => !String(when).includes('"action.'));
    for (const { name } of posted) expect(all).toContain(`"route": "${String(name)}"`);
    expect(all).not.toContain('"messages": []');
    expect(all).not.toContain('"failures"');
    expect(new Set(files.map(({ file }) => file)).size).toBe(files.length);
  });
});
