import { getCountries, isSupportedCountry } from 'libphonenumber-js/max';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { documentsOf } from '../../cli/init/changes.ts';
import { readStarter } from '../../cli/init/starters.ts';
import { formHtml } from '../../shared/new-source/form-html.ts';
import {
  formStarter,
  readFields,
  readPage,
  takesUsual,
  USUAL_FIELDS,
} from '../../shared/new-source/form-source.ts';
import {
  hasTexts,
  languageOf,
  likelyLocale,
  isPlace,
  likelyZone,
  readZone,
  zonesOf,
} from '../../shared/new-source/likely.ts';
import { unrankedOutages, withOutagesAtOnce, leftOut, storyOf } from '../../shared/new-source/story.ts';
import { isOpenTo, listsOf, valuesOf, addressOfSource, setUpSteps } from '../../shared/new-source/plan.ts';
import { COUNTRIES } from '../../shared/phone/countries.ts';
import { compileConfig } from '../../src/config/compile/compile.ts';
import { EMPTY_SET } from '../../src/config/documents/schema.ts';
import { isOpen } from '../../src/config/compiled/source-limit.ts';
import { languageOf as languageOfLocale, withExamples } from '../../src/config/documents/starter-texts.ts';
import { routeEvent } from '../../src/ingest/routing/match.ts';
import { providers } from '../platform/providers.ts';
import { verifySchema } from '../../src/signature/scheme.ts';
import { isCountry } from '../../src/phone/read.ts';

const IDS = [...providers.keys()];
const starterOf = (id: string, locale = 'en-GB') => withExamples(readStarter(id, languageOfLocale(locale)));
type SourceStarter = ReturnType<typeof starterOf>;

/** What is asked for to make the documents of a source. */
const planOf = (id: string, starter: SourceStarter, locale = 'en-GB') => {
  const provider = providers.get(id);
  if (provider === undefined) throw new Error(`no provider ${id}`);
  const address = 'https://relay.example/hooks/shop';
  const place = { country: 'DE', locale, timezone: 'Europe/Berlin', quiet: null };
  return { provider, starter, source: 'shop', address, numbers: ['4915112345678'], ...place };
};

it('the routes that a source begins with notify somebody, and no number of a payload, unless it asked for the message', () => {
  for (const id of IDS.filter((one) => starterOf(one).routes.length > 0)) {
    const { routes } = storyOf(starterOf(id), false);
    expect(routes.length, id).toBeGreaterThan(0);
    const toNumbers = routes.filter(({ to }) => JSON.stringify(to ?? '').includes('{{'));
    expect(toNumbers.filter(({ transactional }) => transactional !== true)).toEqual([]);
    // Only a code to log in is asked for. All other starters have lists, and notify nobody else.
    expect(toNumbers.map(({ name }) => name)).toEqual(id === 'supabase-auth-hooks' ? ['one-time-code'] : []);
  }
  const stripe = [false, true].map((isToCustomers) => storyOf(starterOf('stripe'), isToCustomers).routes);
  expect(stripe[0]?.map(({ name }) => name)).toEqual(['test', 'paid', 'failed', 'refunded', 'disputed']);
  expect(stripe[1]?.map(({ name }) => name)).toContain('thank-the-customer');
  // What no route before it took makes the message of the last one.
  const generic = documentsOf(planOf('generic', storyOf(starterOf('generic'), false)), EMPTY_SET);
  const [sources, recipients] = [valuesOf(generic, 'sources'), valuesOf(generic, 'recipients')];
  const source = compileConfig({ ...EMPTY_SET, sources, recipients }, 1).config.sources.get('shop');
  if (source === undefined) throw new Error('the source has errors');
  const event = { source, id: 'evt_1', receivedAt: 0, dedupeKey: null, signed: null, headers: {}, query: {} };
  for (const [type, route] of [
    ['contact', 'form-received'],
    ['order.shipped', 'anything'],
    ['backup.failed', 'anything'],
  ] as const) {
    const results = routeEvent({ ...event, type, payload: { type, order: 1042, phone: '+491713920001' } });
    expect(results.flatMap(({ messages, route: by }) => messages.map(() => by))).toEqual([route]);
  }
});

it('the routes that a source begins with have the others beside them in the file, which are routes once they are no comments, with their lists', () => {
  const file = z.object({ routes: z.array(z.object({ name: z.string() })) });
  const namesIn = (text: string) => file.parse(parse(text)).routes.map(({ name }) => name);
  for (const id of IDS) {
    const starter = starterOf(id);
    const [all, out] = [starter.routes.map(({ name }) => String(name)), leftOut(starter, false)];
    expect(all).toEqual(expect.arrayContaining([...out]));
    const story = storyOf(starter, false);
    const lists = listsOf({ starter: { routes: story.routes } });
    const others = listsOf({ starter: { routes: story.left.map(({ route }) => route) } });
    expect(lists).toEqual(expect.arrayContaining([...others]));
    const files = documentsOf(planOf(id, story), EMPTY_SET);
    const text = files.find(({ kind }) => kind === 'sources')?.text ?? '';
    expect(namesIn(text), id).toEqual(all.filter((name) => !out.includes(name)));
    // As a person does who wants them.
    const whole = text.replaceAll(/^  # (?=[- ] |-)/gm, '  ');
    expect(namesIn(whole).toSorted(), id).toEqual(all.toSorted());
    const sources = { shop: parse(whole) as unknown };
    const [templates, recipients] = [valuesOf(files, 'templates'), valuesOf(files, 'recipients')];
    expect(compileConfig({ ...EMPTY_SET, sources, templates, recipients }, 1).errors, id).toEqual([]);
  }
});

const high = ({ routes }: Pick<SourceStarter, 'routes'>) =>
  routes.filter(({ priority }) => priority === 'high');

it('outages pass in quiet hours where their sender ranks them as severe, else unless somebody says that they wait', () => {
  const ranked = 'pagerduty opsgenie new-relic datadog pingdom google-pubsub zabbix grafana';
  for (const id of ranked.split(' ')) {
    const severe = high(starterOf(id)).filter(({ incident }) => incident !== undefined);
    expect([unrankedOutages(starterOf(id)), severe.length > 0], id).toEqual([[], true]);
  }
  for (const id of 'uptimerobot uptime-kuma better-stack aws-sns healthchecks'.split(' ')) {
    const outages = unrankedOutages(starterOf(id));
    expect(outages.length, id).toBeGreaterThan(0);
    const passing = high(withOutagesAtOnce(starterOf(id))).map(({ name }) => name);
    expect(passing).toEqual(expect.arrayContaining([...outages]));
  }
  expect(unrankedOutages(starterOf('github'))).toEqual([]);
});

const token = (place: string) => ({ scheme: 'token', in: place });

it('whoever knows the address may post to a source as the relay says', () => {
  for (const [id, { verify }] of providers) {
    const written = starterOf(id).source?.['verify'];
    const parsed = written === undefined ? verify : verifySchema.parse(written);
    expect(isOpenTo(written ?? verify), id).toBe(parsed !== null && isOpen(parsed));
  }
  const any = { scheme: 'any', of: [{ scheme: 'hmac', header: 'X-S' }, token('path')] };
  for (const open of [{ scheme: 'none' }, token('path'), token('query'), any])
    expect(isOpenTo(open)).toBe(true);
  for (const shut of [token('header'), null, 'none']) expect(isOpenTo(shut)).toBe(false);
});

it('what the messages of a new source ask: only routes of incidents ask who has it, and only routes to customers offer to hear no more, but of a form', () => {
  let toCustomers = 0;
  for (const id of IDS) {
    const { customers = {}, routes } = readStarter(id);
    for (const { name, incident, actions = {}, to_visitor: isOfForm = false } of routes) {
      const isToCustomers = Object.hasOwn(customers, String(name));
      const asks = JSON.stringify(actions);
      const has = [asks.includes('ack'), asks.includes('stop')];
      expect(has, `${id}/${String(name)}`).toEqual([
        incident !== undefined,
        isToCustomers && isOfForm !== true,
      ]);
      toCustomers += Number(isToCustomers);
    }
  }
  expect(toCustomers).toBeGreaterThan(40);
});

const likely = (country: string, lang?: string) => likelyLocale(country, lang, {});

const first = (locale: string) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'short' }).formatToParts(0)[0]?.type;

it('the likely language is the country’s with its formats, or English where starters have no texts in it', () => {
  const ofCountry = { DE: 'de-DE', US: 'en-US', GB: 'en-GB', '': 'en', FR: 'en-FR', JP: 'en-JP' };
  for (const [country, locale] of Object.entries(ofCountry)) expect(likely(country)).toBe(locale);
  const ofMachine = { 'de_AT.UTF-8': 'de-AT', de: 'de', 'fr_FR.UTF-8': 'en-FR', fr: 'en' };
  for (const [lang, locale] of Object.entries(ofMachine)) expect(likely('', lang)).toBe(locale);
  expect([likely('AT', 'en_US.UTF-8'), likely('ES', 'es_ES.UTF-8')]).toEqual(['de-AT', 'en-ES']);
  expect(likelyLocale('FR', undefined, {}, ['en', 'de', 'fr'])).toBe('fr-FR');
  const earlier = { country: 'FR', locale: 'fr-FR' };
  for (const country of ['FR', 'DE'])
    expect(likelyLocale(country, undefined, earlier)).toBe(`${country.toLowerCase()}-${country}`);
});

it('the likely language has texts in each country, and writes no month first where people write the day first', () => {
  for (const country of COUNTRIES) {
    const locale = likely(country);
    expect(hasTexts(locale, ['en', 'de']), country).toBe(true);
    const own = `${languageOf(country)}-${country}`;
    const isKnown = Intl.DateTimeFormat.supportedLocalesOf(own).length > 0;
    if (isKnown && first(own) === 'day') expect(first(locale), country).not.toBe('month');
  }
});

it('the likely language is of countries as the library of numbers knows them', () => {
  expect([...COUNTRIES].toSorted()).toEqual(getCountries().toSorted());
  for (const country of ['DE', 'XX', 'UK', 'de', '', 'DE '])
    expect(isCountry(country), country).toBe(isSupportedCountry(country));
});

it('the likely zone is that of the largest city of a country, or of this machine where it is one of the country', () => {
  const zones = ['Europe/Berlin', 'America/New_York', 'America/Sao_Paulo', 'Asia/Shanghai', 'Europe/Moscow'];
  expect(['DE', 'US', 'BR', 'CN', 'RU'].map((country) => zonesOf(country, 'UTC')[0])).toEqual(zones);
  expect(zonesOf('US', 'America/Los_Angeles').slice(0, 2)).toEqual(['America/Los_Angeles', 'America/Adak']);
  expect(zonesOf('DE', 'America/Los_Angeles')[0]).toBe('Europe/Berlin');
  expect(zonesOf('', 'UTC')).toEqual([]);
  for (const country of COUNTRIES) {
    const all = zonesOf(country, 'UTC');
    expect([all.length > 0, new Set(all).size], country).toEqual([true, all.length]);
    for (const zone of all) expect(readZone(zone)).toEqual({ ok: true, value: zone });
  }
});

const machines = ['UTC', 'Etc/UTC', 'GMT', 'Europe/Berlin', 'America/Los_Angeles'];

it('the likely zone of a country is a place, whatever the machine and earlier sources say', () => {
  const country = fc.constantFrom(...COUNTRIES);
  const timezone = fc.constantFrom('Europe/Berlin', 'America/New_York');
  const earlier = fc.record({ country, timezone }, { requiredKeys: [] });
  fc.assert(
    fc.property(country, fc.constantFrom(...machines), earlier, (here, own, before) => {
      const zone = likelyZone(here, own, before);
      expect(isPlace(zone)).toBe(true);
      const isOfCountry = zonesOf(here, own).includes(zone);
      expect(isOfCountry || (here === before.country && zone === before.timezone)).toBe(true);
    }),
  );
  const berlin = { country: 'DE', timezone: 'Europe/Berlin' };
  expect(likelyZone('DE', 'UTC', { country: 'DE', timezone: 'Europe/Lisbon' })).toBe('Europe/Lisbon');
  expect(likelyZone('US', 'UTC', berlin)).toBe('America/New_York');
  expect(likelyZone('US', 'UTC', { ...berlin, timezone: 'America/Chicago' })).toBe('America/Chicago');
  expect(likelyZone('', 'UTC', berlin)).toBe('Europe/Berlin');
});

it('the likely zone without a country is this machine’s, and none if that is UTC, where nobody is', () => {
  expect(likelyZone('', 'Asia/Tokyo', {})).toBe('Asia/Tokyo');
  expect(machines.slice(0, 3).map((own) => likelyZone('', own, {}))).toEqual(['', '', '']);
  const nowhere = ['UTC', 'utc', 'Etc/UTC', 'GMT', 'GMT+0', 'GMT0', 'Universal', 'Greenwich', 'Zulu'];
  expect([...nowhere, 'Europe/London'].filter(isPlace)).toEqual(['Europe/London']);
});

it('the likely zone is read as it is typed', () => {
  const zones = ['europe/berlin', ' America/new york ', ''].map(readZone);
  const values = ['Europe/Berlin', 'America/New_York', ''];
  expect(zones).toEqual(values.map((value) => ({ ok: true, value })));
  for (const text of ['Berlin', 'Europe/Nowhere', '25']) expect(readZone(text).ok).toBe(false);
});

it('a source is at its address, with the name of a secret that is part of it, and in the steps at the provider', () => {
  const base = 'https://a.example';
  const at = (verify: unknown, secret?: string) => addressOfSource(base, 'shop', verify, secret);
  const inPath = { scheme: 'token', in: 'path' };
  const plain = [at(undefined, 'TOKEN'), at({ scheme: 'token', in: 'header' }, 'TOKEN')];
  expect(plain).toEqual([`${base}/hooks/shop`, `${base}/hooks/shop`]);
  expect([at(inPath, 'TOKEN'), at(inPath)]).toEqual([
    `${base}/hooks/shop/<TOKEN>`,
    `${base}/hooks/shop/<secret>`,
  ]);
  const steps = 'URL `https://<your worker>/hooks/<source>`, secret `S`.';
  const url = `URL \`${base}/hooks/shop\``;
  expect(setUpSteps(steps, base, 'shop', ['S', 'SHOP_S'])).toBe(`${url}, secret \`SHOP_S\`.`);
  expect(setUpSteps(steps, base, 'shop', null)).toBe(`${url}, secret \`S\`.`);
});

const fieldsOf = (text: string) => {
  const fields = readFields(text);
  if (!fields.ok) throw new Error(fields.error);
  return fields.value;
};

const sends = (message: string) => ({ send: { kind: 'text', message } });

const owner = { name: 'owner', to: '491713920001', ...sends('{{ payload.name | plain }}') };
const visitor = { to: '{{ payload.phone }}', to_visitor: true, when: 'payload.phone != blank' };
const thanks = { name: 'thanks', ...visitor, ...sends('Thanks, {{ payload.name | plain }}') };
type FormStarter = Parameters<typeof formStarter>[0];
const made = (text: string, routes: FormStarter['routes'] = [owner, thanks]) =>
  formStarter<FormStarter>({ routes }, 'https://shop.example', fieldsOf(text));

it('a form is on a page of the web', () => {
  for (const [text, value] of [
    ['https://shop.example', 'https://shop.example'],
    ['shop.example/contact?a=1', 'https://shop.example'],
    ['http://localhost:3000/', 'http://localhost:3000'],
    [' HTTPS://Shop.Example/x ', 'https://shop.example'],
  ] as const)
    expect(readPage(text)).toEqual({ ok: true, value });
  const scripts = ['javascript:alert(1)', 'file:///home/ada/form.html'];
  const hosts = ['http://shop.example', 'https://shop.example@other.example', '*.shop.example'];
  for (const text of ['', 'shop', 'my page', 'shop.', ...scripts, ...hosts])
    expect(readPage(text).ok, text).toBe(false);
});

it('a form has fields by their names, and needs those with a star', () => {
  expect(fieldsOf('name*, email, mobile, how-many')).toEqual({
    name: { required: true },
    email: { kind: 'email' },
    mobile: { kind: 'phone' },
    'how-many': {},
  });
  for (const text of ['', ' , ', 'a b', '1a', 'name**', 'website', 'website*', 'ä'])
    expect(readFields(text).ok, text).toBe(false);
  const fitting = [USUAL_FIELDS, 'name, date', 'name, date*', 'name, phone*'].map((text) =>
    takesUsual(fieldsOf(text)),
  );
  expect(fitting).toEqual([true, true, false, false]);
});

it('a form has a source that compiles, and thanks a visitor only where it asks for a name and a number', () => {
  const several = [USUAL_FIELDS, 'name*, date*, persons, phone', 'email*, question*', 'cv, file, name'];
  for (const text of several) {
    const { source, routes } = made(text);
    const contact = { provider: 'html-form', ...source, routes, country: 'DE' };
    expect(compileConfig({ ...EMPTY_SET, sources: { contact } }, 0).errors, text).toEqual([]);
  }
  const names = [USUAL_FIELDS, 'name, message', 'phone'].map((text) =>
    made(text).routes.map(({ name }) => name),
  );
  expect(names).toEqual([['owner', 'thanks'], ['owner'], ['owner']]);
});

it('a form shows its owner every field, and after them the links that are in the message', () => {
  expect(JSON.stringify(made('name, file').routes[0])).toContain('{{ payload.file.filename | plain }}');
  const link = 'I’ll answer: {{ actions.take.url }}';
  const taken = { name: 'taken', when: 'event.type == "action.take"', send: { message: 'taken' } };
  const { send } = sends(`{{ payload.name | plain }}\n${link}`);
  const persons = '{% if payload.persons != blank %}\npersons: {{ payload.persons | plain }}{% endif %}';
  const message = `{{ payload.name | plain }}${persons}\n${link}`;
  expect(made('name, persons', [{ send }, taken]).routes).toEqual([sends(message), taken]);
});

const ACTION = 'https://hooks.example.com/hooks/contact';
const spam = { honeypot: 'website' };
const source = { provider: 'html-form', locale: 'en-GB', fields: { name: { required: true } }, spam };
const htmlOf = (over: object = {}) => formHtml({ ...source, ...over }, ACTION) ?? { html: '', script: '' };

it('a form has HTML with a field that only spam fills in, in the language of the source, and sends files as browsers do', () => {
  const { html: labelled } = htmlOf({ fields: { persons: { label: 'How many "people"' } } });
  expect(labelled).toContain('How many &quot;people&quot; <small>(optional)</small>');
  expect(htmlOf().html).toMatch(/aria-hidden="true".*name="website" tabindex="-1" autocomplete="off"/);
  expect(htmlOf({ spam: undefined }).html).not.toContain('aria-hidden');
  expect(htmlOf({ locale: 'de-DE' }).html).toContain('<button>Senden</button>');
  expect(htmlOf({ locale: 'de-AT' }).script).toContain('Vielen Dank');
  const { html, script } = htmlOf({ fields: { cv: { kind: 'file' } } });
  expect([html.includes('enctype="multipart/form-data"'), script]).toEqual([true, '']);
  for (const other of [{ provider: 'stripe', fields: {} }, { provider: 'html-form' }, null])
    expect(formHtml(other, ACTION)).toBeNull();
});
