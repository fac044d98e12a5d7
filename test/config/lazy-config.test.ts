import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import { parsePublished } from '../../src/config/load.ts';
import { lazyConfig, withRemoved } from '../../src/config/lazy-config.ts';
import { alertingKeys, type ConfigSet } from '../../src/config/schema.ts';
import { open, PROMISED, routeWith, setOf } from './support.ts';

/** The documents of a set, each of which notes that it is looked into, and its outline that only that is. */
function noting(set: ConfigSet) {
  const looked = new Set<string>();
  const documents = (kind: keyof ConfigSet): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(set[kind]).map(([name, document]) => [
        name,
        new Proxy(Object(document), {
          get: (target: object, key): unknown => {
            const isOutline = kind === 'sources' && (key === 'account' || key === 'heartbeat');
            if (!isOutline) looked.add(`${kind}.${name}`);
            return Reflect.get(target, key);
          },
        }),
      ]),
    );
  const noted = {
    sources: documents('sources'),
    templates: documents('templates'),
    recipients: documents('recipients'),
    accounts: documents('accounts'),
    silences: documents('silences'),
  };
  return { set: noted, looked: () => [...looked].toSorted() };
}

const TEXT = { kind: 'text', message: 'Hello {{ payload.name }}' };

const SHOPS = setOf({
  sources: Object.fromEntries(
    Array.from({ length: 50 }, (_, n) => [
      `shop-${n}`,
      open({
        heartbeat: '1h',
        routes: [
          routeWith({ name: 'a', template: `paid-${n}`, send: undefined, to: [`owners-${n}`] }),
          routeWith({ name: 'b', template: 'for-all', send: undefined }),
        ],
      }),
    ]),
  ),
  templates: {
    ...Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`paid-${n}`, TEXT])),
    'for-all': TEXT,
    unused: TEXT,
  },
  recipients: Object.fromEntries(
    Array.from({ length: 50 }, (_, n) => [`owners-${n}`, { numbers: ['4915112345678'] }]),
  ),
  accounts: { default: {}, sales: { rate: false } },
  silences: {},
});

const ACCOUNTS = ['accounts.default', 'accounts.sales'];

describe('a set of fifty sources', () => {
  it('has none of them looked at in an outbox, which needs accounts and who must not be silent', () => {
    const { set, looked } = noting(SHOPS);
    const config = lazyConfig(set, 1);
    expect(config.accounts.get('sales')?.rate).toBeNull();
    expect(config.outlines.size).toBe(50);
    expect(config.outlines.get('shop-7')).toEqual({
      id: 'shop-7',
      account: 'default',
      heartbeatMs: 3_600_000,
    });
    expect(config.sources.has('shop-7')).toBe(true);
    expect(looked()).toEqual(ACCOUNTS);
  });

  it('has one source looked at for the first webhook, with what its routes name', () => {
    const { set, looked } = noting(SHOPS);
    const { sources } = lazyConfig(set, 1);
    expect(sources.get('shop-7')?.routes).toHaveLength(2);
    expect(looked()).toEqual([
      ...ACCOUNTS,
      'recipients.owners-7',
      'sources.shop-7',
      'templates.for-all',
      'templates.paid-7',
    ]);
  });

  it('has a template parsed once for all routes and sources that use it', () => {
    const { sources } = lazyConfig(SHOPS, 1);
    const [, one] = sources.get('shop-7')?.routes ?? [];
    const [, other] = sources.get('shop-8')?.routes ?? [];
    expect(one?.send).toBeDefined();
    expect(one?.send).toBe(other?.send);
    expect(sources.get('shop-7')).toBe(sources.get('shop-7'));
  });
});

describe('a source that is made ready when it is asked for', () => {
  it('is what it would be if the whole set were', () => {
    const whole = compileConfig(PROMISED, 3).config;
    const lazy = lazyConfig(PROMISED, 3);
    for (const [id, source] of whole.sources) expect(lazy.sources.get(id)).toEqual(source);
    expect(lazy.accounts).toEqual(whole.accounts);
    for (const [id, { account, heartbeatMs }] of whole.outlines)
      expect(lazy.outlines.get(id)).toEqual({ id, account, heartbeatMs });
    expect([...lazy.outlines.keys()]).toEqual([...whole.outlines.keys()]);
  });

  it.each(['nothing', 'constructor', '__proto__'])('is none for a name that no source has: %s', (id) => {
    const { sources } = lazyConfig(PROMISED, 1);
    expect(sources.has(id)).toBe(false);
    expect(sources.get(id)).toBeUndefined();
  });
});

/** A source with two routes, the first of them valid. */
const withRoute = (change: object) => open({ routes: [routeWith({ name: 'good' }), routeWith(change)] });

describe('a source that this deploy does not understand', () => {
  const cases = {
    itself: [open({ colour: 'red' }), 'sources.bad.colour unknown key `colour`'],
    'a template of it': [
      withRoute({ name: 'x', template: 'broken', send: undefined }),
      'templates.broken.message',
    ],
    'a template that is not one': [
      withRoute({ name: 'x', template: 'strange', send: undefined }),
      'templates.strange.kind',
    ],
    'a list of receivers of it': [withRoute({ name: 'x', to: ['people'] }), 'recipients.people.numbers'],
    'its account': [open({ account: 'gone' }), 'sources.bad.account there is no account `gone`'],
    'its provider': [{ provider: 'gone' }, 'sources.bad.provider there is no provider `gone`'],
  } as const;

  it.each(Object.entries(cases))(
    'because of %s is refused, each time, and no other is',
    (_, [bad, reason]) => {
      const { sources, outlines } = lazyConfig(
        setOf({
          sources: { bad, good: open() },
          templates: { broken: { kind: 'text', message: '{{ payload.' }, strange: { kind: 'fax' } },
          recipients: { people: { numbers: 'all' } },
        }),
        5,
      );
      for (let times = 0; times < 2; times += 1)
        expect(() => sources.get('bad')).toThrow(
          `version 5 of the configuration is not valid for the deployed code: ${reason}`,
        );
      expect(sources.get('good')).toMatchObject({ id: 'good' });
      expect(outlines.has('good')).toBe(true);
    },
  );

  it('is left out of the lists when even its account cannot be read', () => {
    const { outlines } = lazyConfig(
      setOf({ sources: { bad: { heartbeat: 5 }, none: null, good: open() } }),
      1,
    );
    expect([...outlines.keys()]).toEqual(['good']);
  });
});

describe('an account that this deploy does not understand', () => {
  it('stops the whole set: at the wrong pace nothing may go', () => {
    expect(() => lazyConfig(setOf({ accounts: { sales: { rate: 'fast' } } }), 2)).toThrow(
      'version 2 of the configuration is not valid for the deployed code: accounts.sales.rate must be',
    );
  });
});

const silenceIds = (silences: Record<string, object>, byHand: Record<string, object> = {}) =>
  lazyConfig(setOf({ silences }), 1, { silences: byHand }).silences.map(({ id }) => id);

describe('silences', () => {
  const WHEN = 'event.source == "shop"';

  it('are those of documents and those by hand', () => {
    expect(silenceIds({ night: { when: WHEN } }, { sil_1: { when: WHEN } })).toEqual(['night', 'sil_1']);
  });

  it('that this deploy does not understand are left out, and nothing else fails', () => {
    const newer = { when: WHEN, moon: 'full' };
    const wrong = { when: 'event.source ==' };
    expect(silenceIds({ newer, wrong, night: { when: WHEN } }, { sil_1: newer })).toEqual(['night']);
  });

  it('are none in a set that was published before there were any', () => {
    const old = {
      activation: 3,
      version: 2,
      set: { sources: {}, templates: {}, recipients: {}, accounts: {} },
    };
    const { set, version, silences } = parsePublished(JSON.stringify(old));
    expect(lazyConfig(set, version, { silences }).silences).toEqual([]);
  });
});

const alertingOf = (route: object, team: object = {}) =>
  lazyConfig(
    setOf({
      sources: { shop: open({ routes: [routeWith(route)] }) },
      recipients: { team: { numbers: ['4915112345678'], ...team } },
    }),
    1,
  ).alerting;

describe('what decides when notifications are due', () => {
  it.each(Object.keys(alertingKeys))('changes with `%s` of a route', (key) => {
    expect(alertingOf({ [key]: { one: 1 } })).not.toBe(alertingOf({ [key]: { other: 1 } }));
  });

  it.each(['quiet', 'throttle'])('changes with `%s` of a list', (key) => {
    expect(alertingOf({}, { [key]: { one: 1 } })).not.toBe(alertingOf({}, { [key]: { other: 1 } }));
  });

  it('stays with anything else, whatever words a message has', () => {
    const [quiet, hello] = ['{"incident": "quiet"}', 'hello'].map((message) =>
      alertingOf({ send: { kind: 'text', message } }),
    );
    expect(quiet).toBe(hello);
  });
});

const DAY = 86_400_000;

describe('accounts with those that were removed', () => {
  const before = compileConfig(setOf({ accounts: { sales: { rate: false } } }), 1).config.accounts;

  it('have these by their last documents, and the others as they are', () => {
    const accounts = withRemoved(before, {
      gone: { rate: { per_minute: 7, burst: 2 }, retention: '2d' },
    });
    expect([...accounts.keys()].toSorted()).toEqual(['default', 'gone', 'sales']);
    expect(accounts.get('gone')).toMatchObject({
      rate: { perMinute: 7, burst: 2 },
      retentionMs: 2 * DAY,
      isRemoved: true,
    });
    for (const name of ['default', 'sales']) expect(accounts.get(name)).toEqual(before.get(name));
  });

  it('do without a last document that this deploy does not understand', () => {
    const accounts = withRemoved(before, { gone: { rate: 'fast' } });
    expect([...accounts.keys()].toSorted()).toEqual(['default', 'sales']);
  });
});
