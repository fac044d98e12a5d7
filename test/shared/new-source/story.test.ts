import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { documentsOf } from '../../../cli/init/documents.ts';
import { readStarter } from '../../../cli/init/starters.ts';
import { listsOf, namesAddress } from '../../../shared/new-source/plan.ts';
import { unrankedOutages, withOutagesAtOnce } from '../../../shared/new-source/outages.ts';
import { leftOut, storyOf } from '../../../shared/new-source/story.ts';
import { compileConfig } from '../../../src/config/compile.ts';
import { EMPTY_SET } from '../../../src/config/schema.ts';
import { withExamples } from '../../../src/config/starter-texts.ts';
import { providers } from '../../../src/provider/catalog/catalog.ts';

const ALL = [...providers.values()].map((provider) => [provider.id, provider] as const);

const starterOf = (id: string) => withExamples(readStarter(id));

const filesOf = (id: string, notifiesCustomers: boolean) => {
  const provider = providers.get(id);
  if (provider === undefined) throw new Error(id);
  const starter = storyOf(starterOf(id), notifiesCustomers);
  return documentsOf(
    {
      provider,
      starter,
      source: 'shop',
      address: 'https://relay.example/hooks/shop',
      numbers: ['491713920002'],
      country: 'DE',
      locale: 'en-GB',
      timezone: 'Europe/Berlin',
      quiet: null,
    },
    EMPTY_SET,
  );
};

const withRoutes = z.object({ routes: z.array(z.object({ name: z.string() })) });

const namesIn = (text: string): readonly string[] =>
  withRoutes.parse(parse(text)).routes.map(({ name }) => name);

/** Uncomments the routes, as a person does who wants them. */
const uncommented = (text: string): string => text.replaceAll(/^  # (?=[- ] |-)/gm, '  ');

describe('the routes that a source begins with', () => {
  it.each(ALL)('of %s notify somebody, and no number of a payload, unless it asked for the message', (id) => {
    const { routes } = storyOf(starterOf(id), false);
    expect(routes.length).toBeGreaterThan(0);
    const toNumbers = routes.filter(({ to }) => JSON.stringify(to ?? '').includes('{{'));
    expect(toNumbers.filter(({ transactional }) => transactional !== true)).toEqual([]);
    // Only a code to log in is asked for. All other starters have lists, and notify nobody else.
    expect(toNumbers.map(({ name }) => name)).toEqual(id === 'supabase-auth-hooks' ? ['one-time-code'] : []);
  });

  it.each(ALL)('of %s: what is left out is a route, and its lists are there', (id) => {
    const starter = starterOf(id);
    const names = starter.routes.map(({ name }) => String(name));
    for (const name of leftOut(starter, false)) expect(names).toContain(name);
    const { routes, left } = storyOf(starter, false);
    const lists = listsOf({ starter: { routes } });
    for (const list of listsOf({ starter: { routes: left.map(({ route }) => route) } }))
      expect(lists).toContain(list);
  });

  it.each(ALL)('of %s: the rest stands in the file, and is a route once it is no comment', (id, provider) => {
    const files = filesOf(id, false);
    const file = files.find(({ kind }) => kind === 'sources');
    const starter = starterOf(id);
    const out = leftOut(starter, false);
    const all = starter.routes.map(({ name }) => String(name));
    expect(namesIn(file?.text ?? '')).toEqual(all.filter((name) => !out.includes(name)));
    const whole = uncommented(file?.text ?? '');
    expect([...namesIn(whole)].sort()).toEqual([...all].sort());
    const of = (kind: string) =>
      Object.fromEntries(files.filter((one) => one.kind === kind).map(({ name, value }) => [name, value]));
    const shop: unknown = parse(whole);
    const set = { ...EMPTY_SET, sources: { shop }, templates: of('templates'), recipients: of('recipients') };
    expect(compileConfig(set, 1).errors).toEqual([]);
    expect(namesAddress({ provider, starter })).toBeTypeOf('boolean');
  });

  it('of Stripe are four for its owner', () => {
    expect(storyOf(starterOf('stripe'), false).routes.map(({ name }) => name)).toEqual([
      'paid',
      'failed',
      'refunded',
      'disputed',
    ]);
    expect(storyOf(starterOf('stripe'), true).routes.map(({ name }) => name)).toContain('thank-the-customer');
  });
});

describe('outages in quiet hours', () => {
  it.each(['pagerduty', 'opsgenie', 'new-relic', 'datadog', 'pingdom', 'google-pubsub', 'zabbix', 'grafana'])(
    'of %s are ranked by their sender: the severe ones pass',
    (id) => {
      const starter = starterOf(id);
      expect(unrankedOutages(starter)).toEqual([]);
      expect(
        starter.routes.some(({ incident, priority }) => incident !== undefined && priority === 'high'),
      ).toBe(true);
    },
  );

  it.each(['uptimerobot', 'uptime-kuma', 'better-stack', 'aws-sns', 'healthchecks'])(
    'of %s pass unless somebody says that they wait',
    (id) => {
      const starter = starterOf(id);
      const outages = unrankedOutages(starter);
      expect(outages.length).toBeGreaterThan(0);
      const { routes } = withOutagesAtOnce(starter);
      expect(routes.filter(({ priority }) => priority === 'high').map(({ name }) => name)).toEqual(
        expect.arrayContaining([...outages]),
      );
    },
  );

  it('are none where builds break', () => expect(unrankedOutages(starterOf('github'))).toEqual([]));
});
