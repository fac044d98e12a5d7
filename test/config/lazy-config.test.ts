import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile/compile.ts';
import { lazyConfig, withRemoved } from '../../src/config/load.ts';
import { alertingKeys, type ConfigSet } from '../../src/config/documents/schema.ts';
import { subjectOf, isSuppressed } from '../../src/config/compiled/config.ts';
import { DAY, HOUR } from '../../src/lib/time.ts';
import { providers } from '../platform/providers.ts';
import { compileText } from '../../src/template/text.ts';
import { open, PROMISED, routeWith, setOf } from './support.ts';

// What a template was parsed into has functions; its text is compared.
expect.addEqualityTesters([
  (one, other) => (typeof one === 'function' && typeof other === 'function') || undefined,
]);

/** The documents of a set, each of which notes that it is looked into, and its outline that only that is. */
function noting(set: ConfigSet) {
  const looked = new Set<string>();
  const noted = (kind: string, name: string, document: unknown): unknown => {
    const get = (target: object, key: string | symbol): unknown => {
      const isOutline = kind === 'sources' && (key === 'account' || key === 'heartbeat');
      if (!isOutline) looked.add(`${kind}.${name}`);
      return Reflect.get(target, key);
    };
    return new Proxy(Object(document), { get });
  };
  const kinds: Partial<Record<keyof ConfigSet, Record<string, unknown>>> = {};
  for (const kind of ['accounts', 'recipients', 'silences', 'sources', 'templates'] as const)
    kinds[kind] = Object.fromEntries(
      Object.entries(set[kind]).map(([name, document]) => [name, noted(kind, name, document)]),
    );
  return { set: setOf(kinds), looked: () => [...looked].toSorted() };
}

const TEXT = { kind: 'text', message: 'Hello {{ payload.name }}' };
const send = undefined;
const fifty = (make: (n: number) => readonly [string, object]) =>
  Object.fromEntries(Array.from({ length: 50 }, (_, n) => make(n)));
const routesOf = (n: number) => [
  routeWith({ name: 'a', template: `paid-${n}`, send, to: [`owners-${n}`] }),
  routeWith({ name: 'b', template: 'for-all', send }),
];

const SHOPS = setOf({
  sources: fifty((n) => [`shop-${n}`, open({ heartbeat: '1h', routes: routesOf(n) })]),
  templates: { ...fifty((n) => [`paid-${n}`, TEXT]), 'for-all': TEXT, unused: TEXT },
  recipients: fifty((n) => [`owners-${n}`, { numbers: ['4915112345678'] }]),
  accounts: { default: {}, sales: { rate: false } },
});

const ACCOUNTS = ['accounts.default', 'accounts.sales'];

it('a set of fifty sources has none of them looked at in an outbox, which needs accounts and who must not be silent', () => {
  const { set, looked } = noting(SHOPS);
  const config = lazyConfig(set, 1);
  expect(config.accounts.get('sales')?.rate).toBeNull();
  expect(config.outlines.size).toBe(50);
  expect(config.outlines.get('shop-7')).toEqual({ id: 'shop-7', account: 'default', heartbeatMs: HOUR });
  expect(config.sources.has('shop-7')).toBe(true);
  expect(looked()).toEqual(ACCOUNTS);
});

it('a set of fifty sources has one source looked at for the first webhook, with what its routes name, and a template parsed once for all', () => {
  const { set, looked } = noting(SHOPS);
  expect(lazyConfig(set, 1).sources.get('shop-7')?.routes).toHaveLength(2);
  const parts = ['recipients.owners-7', 'sources.shop-7', 'templates.for-all', 'templates.paid-7'];
  expect(looked()).toEqual([...ACCOUNTS, ...parts]);
  const { sources } = lazyConfig(SHOPS, 1);
  const [one, other] = ['shop-7', 'shop-8'].map((id) => sources.get(id)?.routes[1]);
  expect(one?.send).toBeDefined();
  expect(one?.send).toBe(other?.send);
  expect(sources.get('shop-7')).toBe(sources.get('shop-7'));
});

const withRoute = (change: object) => open({ routes: [routeWith({ name: 'good' }), routeWith(change)] });

it('a source that is made ready when it is asked for is what it would be if the whole set were, and none for a name that no source has', () => {
  const whole = compileConfig(PROMISED, 3).config;
  const lazy = lazyConfig(PROMISED, 3);
  for (const [id, source] of whole.sources) expect(lazy.sources.get(id)).toEqual(source);
  expect(lazy.accounts).toEqual(whole.accounts);
  const outlines = [...whole.outlines].map(
    ([id, { account, heartbeatMs }]) => [id, { id, account, heartbeatMs }] as const,
  );
  expect([...lazy.outlines]).toEqual(outlines);
  for (const id of ['nothing', 'constructor', '__proto__'])
    expect([lazy.sources.has(id), lazy.sources.get(id)]).toEqual([false, undefined]);
});

it('a source that is made ready when it is asked for is refused each time when this deploy does not understand it or what it names, and no other is', () => {
  for (const [bad, reason] of [
    [open({ colour: 'red' }), 'sources.bad.colour unknown key `colour`'],
    [withRoute({ name: 'x', template: 'broken', send }), 'templates.broken.message'],
    [withRoute({ name: 'x', template: 'strange', send }), 'templates.strange.kind'],
    [withRoute({ name: 'x', to: ['people'] }), 'recipients.people.numbers'],
    [open({ account: 'gone' }), 'sources.bad.account there is no account `gone`'],
    [{ provider: 'gone' }, 'sources.bad.provider there is no provider `gone`'],
  ] as const) {
    const set = setOf({
      sources: { bad, good: open() },
      templates: { broken: { kind: 'text', message: '{{ payload.' }, strange: { kind: 'fax' } },
      recipients: { people: { numbers: 'all' } },
    });
    const { sources, outlines } = lazyConfig(set, 5);
    const error = `version 5 of the configuration is not valid for the deployed code: ${reason}`;
    for (let times = 0; times < 2; times += 1) expect(() => sources.get('bad')).toThrow(error);
    expect(sources.get('good')).toMatchObject({ id: 'good' });
    expect(outlines.has('good')).toBe(true);
  }
  const set = setOf({ sources: { bad: { heartbeat: 5 }, none: null, good: open() } });
  expect([...lazyConfig(set, 1).outlines.keys()]).toEqual(['good']);
});

const before = compileConfig(setOf({ accounts: { sales: { rate: false } } }), 1).config.accounts;

it('accounts that this deploy does not understand stop the whole set, and removed ones are there by their last documents if these can be understood', () => {
  expect(() => lazyConfig(setOf({ accounts: { sales: { rate: 'fast' } } }), 2)).toThrow(
    'version 2 of the configuration is not valid for the deployed code: accounts.sales.rate must be',
  );
  const accounts = withRemoved(before, { gone: { rate: { per_minute: 7, burst: 2 }, retention: '2d' } });
  const rate = { perMinute: 7, burst: 2 };
  expect(accounts.get('gone')).toMatchObject({ rate, retentionMs: 2 * DAY, isRemoved: true });
  expect([...accounts.keys()].toSorted()).toEqual(['default', 'gone', 'sales']);
  for (const [name, policy] of before) expect(accounts.get(name)).toEqual(policy);
  expect(withRemoved(before, { gone: { rate: 'fast' } })).toEqual(before);
});

const idsOf = (silences: Record<string, object>, byHand: Record<string, object> = {}) =>
  lazyConfig(setOf({ silences }), 1, { silences: byHand }).silences.map(({ id }) => id);

const when = 'event.source == "shop"';

it('silences are those of documents and those by hand that this deploy understands', () => {
  expect(idsOf({ night: { when } }, { sil_1: { when } })).toEqual(['night', 'sil_1']);
  const newer = { when, moon: 'full' };
  const wrong = { when: 'event.source ==' };
  expect(idsOf({ newer, wrong, night: { when } }, { sil_1: newer })).toEqual(['night']);
});

const saying = (message: string) => alertingOf({ send: { kind: 'text', message } });

const alertingOf = (route: object, team: object = {}) =>
  lazyConfig(
    setOf({
      sources: { shop: open({ routes: [routeWith(route)] }) },
      recipients: { team: { numbers: ['4915112345678'], ...team } },
    }),
    1,
  ).alerting;

it('what decides when notifications are due changes with each such key of a route or a list, and with nothing else, whatever words a message has', () => {
  for (const key of Object.keys(alertingKeys))
    expect(alertingOf({ [key]: { one: 1 } }), key).not.toBe(alertingOf({ [key]: { other: 1 } }));
  for (const key of ['quiet', 'throttle'])
    expect(alertingOf({}, { [key]: { one: 1 } }), key).not.toBe(alertingOf({}, { [key]: { other: 1 } }));
  expect(saying('{"incident": "quiet"}')).toBe(saying('hello'));
});

it('the line by which lists show events of a source is its own, else its provider’s, else none', () => {
  const [stripe, airtable] = [providers.get('stripe'), providers.get('airtable')];
  const own = compileText('{{ payload.own }}');
  if (stripe === undefined || airtable === undefined || !own.ok) throw new Error('they are in the catalog');
  expect(subjectOf({ subject: own.value, provider: stripe })).toBe(own.value);
  expect(subjectOf({ subject: null, provider: stripe })?.source).toBe(stripe.subject);
  expect(subjectOf({ subject: null, provider: airtable })).toBeNull();
  for (const { id, subject = '' } of providers.values()) expect(compileText(subject).ok, id).toBe(true);
});

it('a receiver has opted out if they are in the text, whatever was asked of other texts before', () => {
  const receiver = fc.stringMatching(/^[0-9a-z-]{1,15}$/);
  fc.assert(
    fc.property(fc.array(receiver, { maxLength: 20 }), receiver, (out, other) => {
      const config = { suppressions: out.join('\n') };
      for (const one of out) expect(isSuppressed(config, one)).toBe(true);
      expect(isSuppressed(config, other)).toBe(out.includes(other));
    }),
  );
  expect(isSuppressed({ suppressions: '' }, '')).toBe(false);
});
