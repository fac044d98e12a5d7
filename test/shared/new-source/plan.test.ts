import { describe, expect, it } from 'vitest';
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
  )('of %s in %s asks who has it in what is open, and in nothing else', async (id, locale, provider) => {
    const { starter, documents } = plannedOf(provider, locale);
    const of = (kind: string) =>
      Object.fromEntries(
        documents.filter((one) => one.kind === kind).map(({ name, value }) => [name, value]),
      );
    const set = {
      ...EMPTY_SET,
      recipients: of('recipients'),
      templates: of('templates'),
      sources: of('sources'),
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
    const line = locale === 'de-DE' ? 'Ich kümmere mich darum: ' : 'I have it: ';
    const asking = texts.filter((text) => text.includes(`\n${line}https://…/a/ack`));
    expect(asking).not.toEqual([]);
    expect(asking.filter((text) => text.startsWith('✅'))).toEqual([]);
  });

  it('is the only one that asks who has it', () => {
    expect(OF_INCIDENTS.length).toBeGreaterThan(20);
    for (const { id } of providers.values())
      for (const { incident, actions } of readStarter(id).routes)
        expect([id, JSON.stringify(actions ?? {}).includes('ack')]).toEqual([id, incident !== undefined]);
  });
});

describe('a route to customers', () => {
  it('offers to hear no more, unless it answers a form', () => {
    let count = 0;
    for (const { id } of providers.values()) {
      const { customers = {}, routes } = readStarter(id);
      for (const { name, actions, to_visitor: isOfForm = false } of routes) {
        const isToCustomers = Object.hasOwn(customers, String(name));
        expect([id, name, actions !== undefined && JSON.stringify(actions).includes('stop')]).toEqual([
          id,
          name,
          isToCustomers && isOfForm !== true,
        ]);
        count += Number(isToCustomers);
      }
    }
    expect(count).toBeGreaterThan(40);
  });
});

/** Of starters that notify owners of something that one of them is to answer: the actions, and their buttons. */
const ANSWERED: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  'en-GB': { forms: { take: 'I’ll answer' }, bookings: { confirm: 'Confirm', decline: 'Decline' } },
  'de-DE': { forms: { take: 'Ich antworte' }, bookings: { confirm: 'Bestätigen', decline: 'Ablehnen' } },
};

const FORMS = [
  'formspree',
  'google-forms-apps-script',
  'html-form',
  'jotform',
  'netlify',
  'tally',
  'typeform',
  'webflow',
];
const BOOKINGS = ['acuity', 'calcom', 'calendly'];

describe.each(Object.keys(ANSWERED))('a starter of a form or of bookings in %s', (locale) => {
  it.each([...FORMS, ...BOOKINGS])('of %s asks its owners who answers, and says who did', (id) => {
    const buttons = ANSWERED[locale]?.[FORMS.includes(id) ? 'forms' : 'bookings'] ?? {};
    const { routes, customers = {} } = readStarter(id, languageOf(locale));
    const asking = routes.filter(
      ({ name, actions }) => actions !== undefined && !Object.hasOwn(customers, String(name)),
    );
    expect(asking.map(({ to, actions }) => [to, actions])).toEqual([
      ['team', Object.fromEntries(Object.entries(buttons).map(([name, label]) => [name, { label }]))],
    ]);
    const answers = routes.filter(({ when = '' }) => String(when).includes('"action.'));
    expect(answers.map(({ to, when }) => [to, when])).toEqual([
      [
        'team',
        Object.keys(buttons)
          .map((name) => `event.type == "action.${name}"`)
          .join(' or '),
      ],
    ]);
    const { documents } = plannedOf(providers.get(id) ?? raise(id), locale);
    for (const [name, label] of Object.entries(buttons))
      expect(JSON.stringify(documents)).toContain(`\\n${label}: {{ actions.${name}.url }}`);
  });
});

function raise(id: string): never {
  throw new Error(`no provider ${id}`);
}

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
