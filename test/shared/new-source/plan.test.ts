import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { isOpenTo, planned } from '../../../shared/new-source/plan.ts';
import { renderFixture } from '../../../cli/fixtures/render.ts';
import { requestOf } from '../../../cli/fixtures/webhooks.ts';
import { readStarter } from '../../../cli/init/starters.ts';
import { compileConfig } from '../../../src/config/compile.ts';
import { EMPTY_SET } from '../../../src/config/schema.ts';
import { sampleOf } from '../../../src/config/starter.ts';
import { languageOf, withExamples } from '../../../src/config/starter-texts.ts';
import type { Provider } from '../../../src/provider/provider.ts';
import { isOpen } from '../../../src/config/source-limit.ts';
import { providers } from '../../../src/provider/catalog/catalog.ts';
import { verifySchema } from '../../../src/signature/scheme.ts';

describe.each([...providers.values()])('a source of $id', ({ id, verify }) => {
  it('is as open before it is checked as the relay says it is', () => {
    const written = withExamples(readStarter(id)).source?.['verify'];
    const parsed = written === undefined ? verify : verifySchema.parse(written);
    expect(isOpenTo(written ?? verify)).toBe(parsed !== null && isOpen(parsed));
  });
});

const actionsShape = z.object({ actions: z.record(z.string(), z.unknown()) });
const sourceShape = z.looseObject({ routes: z.array(z.record(z.string(), z.unknown())) });
const templateShape = z.looseObject({ message: z.string() });

/** The plan of a new source. */
const plannedOf = (provider: Provider, locale: string) => {
  const starter = withExamples(readStarter(provider.id, languageOf(locale)));
  const documents = planned(
    {
      provider,
      starter,
      source: provider.id,
      address: `https://relay.example/hooks/${provider.id}`,
      numbers: ['4915112345678'],
      country: 'DE',
      locale,
      timezone: 'Europe/Berlin',
      quiet: null,
    },
    EMPTY_SET,
  );
  return { starter, documents };
};

const isOfIncidents = ({ id }: Provider): boolean =>
  readStarter(id).routes.some(({ incident }) => incident !== undefined);

const OF_INCIDENTS = [...providers.values()].filter(isOfIncidents);

describe('a source of alerts', () => {
  it.each(
    OF_INCIDENTS.flatMap((provider) =>
      ['en-GB', 'de-DE'].map((locale) => [provider.id, locale, provider] as const),
    ),
  )('of %s in %s has links as soon as they are added as its file says', async (id, locale, provider) => {
    const { starter, documents } = plannedOf(provider, locale);
    const comment = documents.find(({ kind }) => kind === 'sources')?.comment ?? '';
    const [, added = ''] = /^# (actions: .+)$/m.exec(comment) ?? [];
    const { actions } = actionsShape.parse(parse(added));
    const links = Object.keys(actions).map((name) => `{{ actions.${name}.url }}`);
    for (const link of links) expect(comment).toContain(link);
    const of = (kind: string) =>
      Object.fromEntries(
        documents.filter((one) => one.kind === kind).map(({ name, value }) => [name, value]),
      );
    const { routes, ...source } = sourceShape.parse(of('sources')[id]);
    const linked = routes.map((route) => ('incident' in route ? { ...route, actions } : route));
    const templates = Object.fromEntries(
      Object.entries(of('templates')).map(([name, value]) => {
        const { message, ...rest } = templateShape.parse(value);
        const isLinked = linked.some((route) => 'actions' in route && route['template'] === name);
        return [name, { ...rest, message: isLinked ? `${message}\n${links.join('\n')}` : message }];
      }),
    );
    const set = {
      ...EMPTY_SET,
      recipients: of('recipients'),
      templates,
      sources: { [id]: { ...source, routes: linked } },
    };
    const { config, errors } = compileConfig(set, 1);
    expect(errors).toEqual([]);
    const compiled = config.sources.get(id);
    if (compiled === undefined) throw new Error('it was not compiled');
    const texts: string[] = [];
    for (const sample of starter.samples) {
      const rendered = await renderFixture(compiled, requestOf(id, sampleOf(sample)));
      if (!rendered.ok) throw new Error(rendered.error);
      texts.push(...rendered.value.messages.flatMap(({ params }) => params['message'] ?? []));
    }
    for (const name of Object.keys(actions))
      expect(texts.filter((text) => text.includes(`https://…/a/${name}`))).not.toEqual([]);
  });

  it('is the only one whose file speaks of links', () => {
    expect(OF_INCIDENTS.length).toBeGreaterThan(20);
    for (const provider of providers.values()) {
      const comments = plannedOf(provider, 'en-GB')
        .documents.map(({ comment }) => comment)
        .join('');
      expect([provider.id, comments.includes('actions: { ack')]).toEqual([
        provider.id,
        isOfIncidents(provider),
      ]);
    }
  });
});

describe('a source that writes to customers', () => {
  it('is the only one whose file speaks of opting out', () => {
    let count = 0;
    for (const provider of providers.values()) {
      const { documents } = plannedOf(provider, 'en-GB');
      const of = (kind: string) => documents.filter((one) => one.kind === kind);
      const comments = of('sources').map(({ comment }) => comment);
      const written = JSON.stringify(of('sources').map(({ value }) => value));
      const isToCustomers = /"to":"[^"]*\{\{/.test(written);
      const isForm = provider.id === 'html-form';
      expect([provider.id, comments.join('').includes('actions: { stop: {} }')]).toEqual([
        provider.id,
        isToCustomers && !isForm,
      ]);
      count += Number(isToCustomers);
    }
    expect(count).toBeGreaterThan(5);
  });
});

describe('whoever knows the address', () => {
  it.each([
    [{ scheme: 'none' }, true],
    [{ scheme: 'token', in: 'path' }, true],
    [{ scheme: 'token', in: 'query', name: 'key' }, true],
    [{ scheme: 'token', in: 'header', name: 'X-Token' }, false],
    [
      {
        scheme: 'any',
        of: [
          { scheme: 'hmac', header: 'X-S' },
          { scheme: 'token', in: 'path' },
        ],
      },
      true,
    ],
    [null, false],
    ['none', false],
  ])('may post to %j: %s', (verify, open) => {
    expect(isOpenTo(verify)).toBe(open);
  });
});
