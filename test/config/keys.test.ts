import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { DEFAULTS } from '../../openapi/descriptions.ts';
import { DOCUMENTS } from '../../openapi/groups.ts';
import { compileConfig } from '../../src/config/compile.ts';
import type { ConfigSet } from '../../src/config/schema.ts';
import { account, form, type Group, list, route, silence, source } from './key-sets.ts';
import { PART_GROUPS } from './part-keys.ts';
import { keysIn } from '../openapi/keys.ts';
import { routeWith, setOf } from './support.ts';

const rota = (keys: object): Partial<ConfigSet> => ({
  ...route({ to: 'team' }),
  recipients: { team: { people: { anna: '4915112345679', ben: '4915112345678' }, ...keys } },
});
const ROTATION = { order: ['anna', 'ben'], every: '1w', from: '2026-01-01T00:00', timezone: 'UTC' }; // fixed date: compiled, never compared with a clock
const SHIFT = { order: ['ben'], from: '22:00', to: '07:00' };
const OVERRIDE = { person: 'ben', from: '2026-01-01T00:00', to: '2026-01-02T00:00' }; // fixed date: compiled, never compared with a clock

const HOURS = { from: '22:00', to: '07:00' };
const HOURS_KEYS = {
  days: [undefined, ['sun']],
  from: ['22:00', '23:00'],
  to: ['07:00', '06:00'],
  timezone: [undefined, 'Europe/Berlin'],
} as const;
const httpOf = (path: string): object => ({
  kinds: { text: { path, json: { text: '{message}' } } },
  receiver: 'phone',
  answer: { sent: { field: 'id' } },
});
const HTTP = { gateway: 'http', base_url: 'https://sms.example', http: httpOf('/a') };
const HMAC = { scheme: 'hmac', header: 'X-Signature', algorithm: 'sha256', encoding: 'hex' };

/** By the names of `openapi/groups.ts`. A key of a form stands in `source` there. */
const GROUPS: Readonly<Record<string, readonly Group[]>> = {
  source: [
    {
      set: source,
      keys: {
        provider: [undefined, 'grafana'],
        url: [undefined, 'https://hooks.example/hooks/shop'],
        account: ['default', 'sales'],
        country: [undefined, 'DE'],
        locale: ['en', 'de-DE'],
        timezone: ['UTC', 'Europe/Berlin'],
        dedupe: [undefined, { window: '1d' }],
        subject: ['{{ payload.a }}', '{{ payload.b }}'],
        store: ['full', 'metadata'],
        heartbeat: [undefined, '1d'],
        limit: [undefined, false],
        routes: [[], [routeWith({})]],
      },
    },
    {
      set: (keys) => source({ verify: { scheme: 'basic' }, secrets: ['SHOP_SECRET'], ...keys }),
      keys: {
        verify: [{ scheme: 'basic' }, { ...HMAC, signed: '{raw_body}' }],
        secrets: [['ONE'], ['OTHER']],
      },
    },
    {
      set: (keys) => source({ routes: [routeWith({ to: '{{ payload.phone }}' })], ...keys }),
      keys: { countries: [undefined, ['DE']], premium: [undefined, true] },
    },
    {
      set: (keys) => ({
        sources: { shop: { provider: 'meta-whatsapp', secrets: ['SHOP_SECRET'], ...keys } },
      }),
      keys: { handshake: [{ secret: 'ONE' }, { secret: 'OTHER' }] },
    },
    {
      set: form,
      keys: {
        origins: ['any', ['https://shop.example']],
        redirect: [undefined, { ok: 'https://shop.example/ok' }],
        fields: [{ name: {} }, { name: {}, email: {} }],
        other_fields: ['keep', 'drop'],
        spam: [undefined, { honeypot: 'website' }],
      },
    },
  ],
  'source.handshake': [
    {
      set: (handshake) => ({ sources: { shop: { provider: 'meta-whatsapp', secrets: ['S'], handshake } } }),
      keys: { secret: ['ONE', 'OTHER'] },
    },
  ],
  'source.dedupe': [
    {
      set: (dedupe) => ({
        sources: { shop: { verify: { ...HMAC, signed: '{raw_body}' }, secrets: ['SHOP_SECRET'], dedupe } },
      }),
      keys: { key: [undefined, '{{ payload.id }}'], window: ['1d', '2d'], body: ['1d', false] },
    },
  ],
  'source.limit': [
    {
      set: (limit) => source({ limit: { per_minute: 60, ...limit } }),
      keys: {
        per_minute: [60, 61],
        burst: [1, 2],
        mib_per_hour: [1, 2],
        messages_per_minute: [1, 2],
      },
    },
  ],
  'source.spam': [
    {
      set: (spam) => form({ spam }),
      keys: {
        honeypot: ['website', 'nickname'],
        links: [1, 2],
        min_seconds: [1, 2],
        turnstile: ['ONE', 'OTHER'],
        per_address: [{ per_hour: 1 }, { per_hour: 2 }],
      },
    },
  ],
  'source.spam.per_address': [
    { set: (keys) => form({ spam: { per_address: keys } }), keys: { per_hour: [1, 2] } },
  ],
  'source.redirect': [
    {
      set: (redirect) => form({ redirect }),
      keys: { ok: [undefined, 'https://a.example/'], failed: [undefined, 'https://a.example/'] },
    },
  ],
  'source.fields': [
    {
      set: (name) => form({ fields: { name } }),
      keys: { kind: ['text', 'name'], label: ['a', 'b'], max: [1, 2], required: [false, true] },
    },
  ],
  route: [
    {
      set: route,
      keys: {
        name: ['one', 'other'],
        when: [undefined, 'payload.a'],
        to: ['4915112345678', '4915112345679'],
        send: [
          { kind: 'text', message: 'a' },
          { kind: 'text', message: 'b' },
        ],
        each: [undefined, 'payload.items'],
        once: [undefined, '{{ payload.id }}'],
        stop: [false, true],
        delay: ['1s', '2s'],
        expires: ['1m', '2m'],
        on_uncertain: ['retry', 'hold'],
        priority: ['normal', 'high'],
        max_length: [1, 2],
        overflow: ['truncate', 'split'],
        incident: [undefined, { key: '{{ payload.id }}' }],
        group: [undefined, {}],
        throttle: [undefined, { max: 1, per: '1m' }],
        digest: [undefined, 'other'],
        quiet: [undefined, HOURS],
        actions: [undefined, { yes: { label: 'Yes' } }],
        transactional: [false, true],
      },
    },
    {
      set: (keys) => route({ incident: { key: '{{ payload.id }}' }, ...keys }),
      keys: {
        escalate: [undefined, [{ after: '10m', to: '4915112345679' }]],
        acknowledged_for: ['24h', '2h'],
      },
    },
    { set: (keys) => route({ send: undefined, ...keys }), keys: { template: ['other', 'another'] } },
  ],
  'route.escalate': [
    {
      set: (step) =>
        route({
          incident: { key: '{{ payload.id }}' },
          escalate: [{ after: '10m', to: '4915112345679', ...step }],
        }),
      keys: { after: ['10m', '20m'], to: ['4915112345679', '4915112345670'] },
    },
  ],
  'route.actions': [
    {
      set: (keys) => route({ actions: { yes: { label: 'Yes', ...keys } } }),
      keys: { label: ['Yes', 'No'], expires: [undefined, '2d'] },
    },
    {
      set: (keys) => route({ incident: { key: 'disk' }, actions: { silence_it: { ...keys } } }),
      keys: { silence: ['1h', '07:00'] },
    },
  ],
  'route.incident': [
    {
      set: (incident) => route({ incident: { key: '{{ payload.id }}', ...incident } }),
      keys: {
        key: ['{{ payload.a }}', '{{ payload.b }}'],
        resolved: [undefined, 'payload.ok'],
        repeat: [undefined, '4h'],
        expires: ['1d', '2d'],
        inhibited_by: [undefined, '{{ payload.host }}'],
        flapping: [undefined, { changes: 4, per: '30m' }],
      },
    },
  ],
  'route.incident.flapping': [
    {
      set: (keys) =>
        route({ incident: { key: '{{ payload.id }}', flapping: { changes: 4, per: '1h', ...keys } } }),
      keys: { changes: [4, 5], per: ['1h', '2h'] },
    },
  ],
  'route.group': [
    {
      set: (group) => route({ group }),
      keys: {
        by: [undefined, ['{{ payload.host }}']],
        wait: ['1s', '2s'],
        interval: ['6m', '7m'],
        max: [1, 2],
      },
    },
  ],
  throttle: [
    {
      set: (throttle) => route({ throttle: { max: 1, per: '1m', ...throttle } }),
      keys: { max: [1, 2], per: ['1m', '2m'] },
    },
  ],
  quiet: [
    {
      set: (quiet) => route({ quiet: { ...HOURS, ...quiet } }),
      keys: { ...HOURS_KEYS, do: ['hold', 'digest'], resolved: ['hold', 'send'] },
    },
  ],
  recipients: [
    {
      set: list,
      keys: {
        numbers: [['4915112345678'], ['4915112345679']],
        people: [undefined, { anna: '4915112345679' }],
        quiet: [undefined, HOURS],
        throttle: [undefined, { max: 1, per: '1m' }],
      },
    },
    { set: rota, keys: { rotation: [undefined, ROTATION] } },
  ],
  'recipients.rotation': [
    {
      set: (rotation) => rota({ rotation: { ...ROTATION, ...rotation } }),
      keys: {
        order: [['anna'], ['anna', 'ben']],
        every: ['1d', '1w'],
        from: ['2026-01-01T00:00', '2026-01-02T00:00'], // fixed date: compiled, never compared with a clock
        timezone: ['UTC', 'Europe/Berlin'],
        shifts: [undefined, [SHIFT]],
        overrides: [undefined, [OVERRIDE]],
      },
    },
  ],
  'recipients.rotation.shifts': [
    {
      set: (shift) => rota({ rotation: { ...ROTATION, shifts: [{ ...SHIFT, ...shift }] } }),
      keys: {
        order: [['anna'], ['ben']],
        days: HOURS_KEYS.days,
        from: HOURS_KEYS.from,
        to: HOURS_KEYS.to,
      },
    },
  ],
  'recipients.rotation.overrides': [
    {
      set: (override) => rota({ rotation: { ...ROTATION, overrides: [{ ...OVERRIDE, ...override }] } }),
      keys: {
        person: ['anna', 'ben'],
        from: ['2026-01-01T00:00', '2026-01-01T01:00'], // fixed date: compiled, never compared with a clock
        to: ['2026-01-02T00:00', '2026-01-02T01:00'], // fixed date: compiled, never compared with a clock
      },
    },
  ],
  'recipients.people': [
    {
      set: (anna) => list({ people: { anna } }),
      keys: { phone: ['4915112345670', '4915112345671'] },
    },
    {
      set: (anna) => ({
        ...route({ to: 'team' }),
        ...account({ gateway: 'ntfy' }),
        recipients: { team: { people: { anna } } },
      }),
      keys: { address: [{ ntfy: 'anna' }, { ntfy: 'ben' }] },
    },
  ],
  account: [
    { set: account, keys: { gateway: ['ntfy', 'telegram'] } },
    {
      set: (keys) => account({ gateway: 'waha', base_url: 'https://waha.example', ...keys }),
      keys: {
        base_url: ['https://a.example', 'https://b.example'],
        options: [undefined, { session: 'other' }],
      },
    },
    {
      set: (keys) => account({ gateway: 'http', base_url: 'https://sms.example', ...keys }),
      keys: { http: [httpOf('/a'), httpOf('/b')] },
    },
    {
      set: account,
      keys: {
        rate: [undefined, false],
        per_recipient: [undefined, false],
        timeout: ['1s', '2s'],
        retry: [[], ['1s']],
        permanent_errors: [[], ['gone']],
        circuit: [undefined, { failures: 1 }],
        retention: ['1d', '2d'],
        digest_above: [undefined, 5],
        new_contacts: [undefined, { per_day: 30 }],
        notify: [undefined, { url: 'https://a.example/' }],
        canary: [undefined, { to: '4915112345678' }],
        escape: [undefined, { via: { kind: 'ntfy', secret: 'ONE' } }],
      },
    },
  ],
  'account.rate': [
    {
      set: (rate) => account({ rate: { per_minute: 9, ...rate } }),
      keys: { per_minute: [9, 8], burst: [1, 2] },
    },
  ],
  'account.per_recipient': [{ set: (per) => account({ per_recipient: per }), keys: { per_hour: [1, 2] } }],
  'account.new_contacts': [
    { set: (contacts) => account({ new_contacts: contacts }), keys: { per_day: [1, 2] } },
  ],
  'account.circuit': [
    { set: (circuit) => account({ circuit }), keys: { failures: [1, 2], probe: ['1s', '2s'] } },
  ],
  'account.notify': [
    {
      set: (notify) => account({ notify: { url: 'https://a.example/{secret}', secret: 'ONE', ...notify } }),
      keys: {
        url: ['https://a.example/{secret}', 'https://b.example/{secret}'],
        secret: ['ONE', 'OTHER'],
        format: ['json', 'slack'],
      },
    },
  ],
  'account.canary': [
    {
      set: (canary) => account({ canary: { to: '4915112345678', ...canary } }),
      keys: {
        to: ['4915112345678', '4915112345679'],
        every: [undefined, '2d'],
        answer_within: [undefined, '1h'],
        at: [undefined, '09:00'],
        timezone: [undefined, 'Europe/Berlin'],
        language: [undefined, 'de'],
      },
    },
  ],
  'account.escape': [
    {
      set: (escape) => account({ escape: { via: { kind: 'ntfy', secret: 'ONE' }, ...escape } }),
      keys: {
        after: [undefined, '5m'],
        via: [
          { kind: 'ntfy', secret: 'ONE' },
          { kind: 'slack', secret: 'ONE' },
        ],
      },
    },
  ],
  'account.escape.via': [
    {
      set: (via) => account({ escape: { via: { kind: 'ntfy', secret: 'ONE', ...via } } }),
      keys: { kind: ['ntfy', 'slack'], secret: ['ONE', 'OTHER'] },
    },
    {
      set: (via) => ({
        accounts: { default: { escape: { via: { account: 'sales', ...via } } }, sales: {}, shop: {} },
      }),
      keys: { account: ['sales', 'shop'], to: [undefined, '4915112345678'] },
    },
  ],
  silence: [
    {
      set: silence,
      keys: {
        when: ['payload.a', 'payload.b'],
        from: [undefined, '2026-01-01T00:00:00Z'], // fixed date: compiled, never compared with a clock
        until: [undefined, '2026-01-01T00:00:00Z'], // fixed date: compiled, never compared with a clock
        every: [undefined, HOURS],
      },
    },
  ],
  'silence.every': [{ set: (every) => silence({ every: { ...HOURS, ...every } }), keys: HOURS_KEYS }],
  ...PART_GROUPS,
};

/**
 * A reason is for people. `to_visitor` is required where it may stand (`compile-visitor.ts`), and there is one issuer:
 * they have no second value.
 */
const NOT_COMPILED = ['silence.reason', 'route.to_visitor', 'verify.oidc.issuer'];

/** Names the group of an object: `source.verify` and `route.send` have two of each. */
const isName = (name: string, key: string): boolean =>
  /^(?:verify|template|fallback)\./.test(name) && (key === 'scheme' || key === 'kind');

const inGroup = (group: Group) => Object.entries(group.keys).map(([key, values]) => ({ group, key, values }));

const ALL_DEFAULTS: readonly (readonly [string, string])[] = Object.entries(DEFAULTS).flatMap(
  ([group, keys]) => Object.entries(keys).map(([key, text]): [string, string] => [`${group}.${key}`, text]),
);

const defaultOf = (name: string): string => new Map(ALL_DEFAULTS).get(name) ?? '';

/** Defaults that are more than one value, with sets that lack the key and have it. */
const DEFAULTS_IN_WORDS: Readonly<
  Record<string, { text: string; sets: readonly (readonly [Partial<ConfigSet>, Partial<ConfigSet>])[] }>
> = {
  'source.dedupe': {
    text: "the provider's, 3 days",
    sets: [[source({}), source({ dedupe: { window: '3d' } })]],
  },
  'source.fields.max': {
    text: '2,000; 80 for `name`, 254 for `email`, 40 for `phone`, 255 for `file`',
    sets: Object.entries({ text: 2_000, name: 80, email: 254, phone: 40, file: 255 }).map(([kind, max]) => [
      form({ fields: { name: {}, field: { kind } } }),
      form({ fields: { name: {}, field: { kind, max } } }),
    ]),
  },
  'route.actions.expires': {
    text: '`7d`, or `30d` for `stop`',
    sets: [
      [
        route({ actions: { yes: { label: 'Yes' } } }),
        route({ actions: { yes: { label: 'Yes', expires: '7d' } } }),
      ],
      [route({ actions: { stop: {} } }), route({ actions: { stop: { expires: '30d' } } })],
    ],
  },
  'account.rate': {
    text: "the gateway's; `{ per_minute: 30, burst: 5 }` for `v2` and `http`",
    sets: [
      [account({}), account({ rate: { per_minute: 30, burst: 5 } })],
      [account(HTTP), account({ ...HTTP, rate: { per_minute: 30, burst: 5 } })],
      [account({ gateway: 'ntfy' }), account({ gateway: 'ntfy', rate: { per_minute: 12, burst: 30 } })],
    ],
  },
  'account.rate.burst': {
    text: '`5`, or `per_minute` if that is less',
    sets: [
      [account({ rate: { per_minute: 9 } }), account({ rate: { per_minute: 9, burst: 5 } })],
      [account({ rate: { per_minute: 3 } }), account({ rate: { per_minute: 3, burst: 3 } })],
    ],
  },
};

/** The compiled form of a set. Outlines only repeat a part of it. */
function compiled(parts: Partial<ConfigSet>) {
  const { templates = {}, ...rest } = parts;
  const another = { kind: 'text', message: 'another' };
  const { config, errors } = compileConfig(setOf({ ...rest, templates: { ...templates, another } }), 1);
  return { config: { ...config, outlines: null }, errors };
}

describe('a key of a document', () => {
  it('is in the list of this test, with a value that is compiled', () => {
    const declared = keysIn(DOCUMENTS)
      .filter(({ group, key }) => !isName(group, key))
      .map(({ group, key }) => `${group}.${key}`);
    const tried = Object.entries(GROUPS).flatMap(([name, groups]) =>
      groups.flatMap(inGroup).map(({ key }) => `${name}.${key}`),
    );
    expect([...new Set([...tried, ...NOT_COMPILED])].toSorted()).toEqual([...new Set(declared)].toSorted());
  });

  const cases = Object.entries(GROUPS).flatMap(([name, groups]) =>
    groups.flatMap(inGroup).map((one) => ({ ...one, name: `${name}.${one.key}` })),
  );
  it.each(cases)('$name makes a difference where it is compiled', ({ group, key, values }) => {
    const [one, other] = values.map((value) =>
      compiled(group.set(value === undefined ? {} : { [key]: value })),
    );
    expect([one?.errors, other?.errors]).toEqual([[], []]);
    expect(one?.config).not.toEqual(other?.config);
  });

  // A declared gateway is kept as it is written. Its defaults apply when a message is sent.
  const withDefault = cases.flatMap((one) => {
    if (one.name.startsWith('http.')) return [];
    const [, code] = /^`([^`]+)`$/.exec(defaultOf(one.name)) ?? [];
    return code === undefined ? [] : [{ ...one, code }];
  });
  it.each(withDefault)('$name is compiled as $code if it is left out', ({ group, key, code }) => {
    const given: unknown = parse(code);
    const [without, written] = [compiled(group.set({})), compiled(group.set({ [key]: given }))];
    expect(written.errors).toEqual([]);
    expect(written.config).toEqual(without.config);
  });

  it('has no default with a number that is not compared here', () => {
    const compared = new Set([...withDefault.map(({ name }) => name), ...Object.keys(DEFAULTS_IN_WORDS)]);
    expect(ALL_DEFAULTS.filter(([name, text]) => /\d/.test(text) && !compared.has(name))).toEqual([]);
  });

  const inWords = Object.entries(DEFAULTS_IN_WORDS).map(([name, one]) => ({ name, ...one }));
  it.each(inWords)('$name is compiled as its default says in words', ({ name, text, sets }) => {
    expect(defaultOf(name)).toBe(text);
    for (const [without, written] of sets) {
      expect(compiled(written).errors).toEqual([]);
      expect(compiled(written).config).toEqual(compiled(without).config);
    }
  });
});
