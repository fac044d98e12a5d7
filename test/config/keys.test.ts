import { expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { DEFAULTS } from '../../api-docs/descriptions.ts';
import { DOCUMENTS } from '../../api-docs/groups.ts';
import { compileConfig } from '../../src/config/compile/compile.ts';
import { asObject } from '../conformance/senders/json.ts';
import { keysIn } from '../api-docs/keys.ts';
import table from './keys.yaml?raw';
import { open, routeWith, setOf } from './support.ts';

// What a template was parsed into has functions; its text is compared.
expect.addEqualityTesters([
  (one, other) => (typeof one === 'function' && typeof other === 'function') || undefined,
]);

const groupSchema = z.object({
  at: z.string(),
  with: z.record(z.string(), z.unknown()).default({}),
  /** Two values of each; null leaves it out. */
  keys: z.record(z.string(), z.array(z.unknown()).length(2)),
});
type Group = z.output<typeof groupSchema>;

const GROUPS = Object.entries(z.record(z.string(), z.array(groupSchema)).parse(parse(table)));

/** Each key, by its group's name and its own. */
const KEYS = GROUPS.flatMap(([name, groups]) =>
  groups.flatMap((group) =>
    Object.entries(group.keys).map(([key, values]) => [`${name}.${key}`, { group, key, values }] as const),
  ),
);

const BASE = setOf({
  sources: { shop: open({ routes: [routeWith({})] }) },
  templates: { other: { kind: 'text', message: 'other' }, another: { kind: 'text', message: 'another' } },
  recipients: { team: { numbers: ['4915112345678'] } },
  accounts: { sales: {}, shop: {} },
});

/** The same with a part put in: null takes away what it stands for. */
function merge(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const merged = new Map(typeof target === 'object' && target !== null ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch))
    if (value === null) merged.delete(key);
    else merged.set(key, merge(merged.get(key), value));
  return Array.isArray(target) ? [...merged.values()] : Object.fromEntries(merged);
}

const put = (set: unknown, at: string, value: unknown): unknown =>
  merge(
    set,
    at.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value),
  );

/** The compiled form of a set with these values at their places. Outlines and marks only repeat a part of it. */
function compiled(...parts: readonly (readonly [at: string, value: unknown])[]) {
  const set = parts.reduce<unknown>((sum, [at, value]) => put(sum, at, value), BASE);
  const { config, errors } = compileConfig(setOf({ ...asObject(set) }), 1);
  expect(errors, JSON.stringify(parts)).toEqual([]);
  const sources = [...config.sources].map(([id, source]) => [id, { ...source, routesMark: null }] as const);
  return { ...config, outlines: null, sources: new Map(sources) };
}

const withKey = (group: Group, key: string, value: unknown) =>
  compiled(...Object.entries(group.with), [group.at, { [key]: value }]);

/** A reason is for people, and `to_visitor` is required where it may stand (`config/compile/visitor.ts`). */
const NOT_COMPILED = ['silence.reason', 'route.to_visitor'];

/** Kept as they are parsed: the options of a scheme, a message’s parameters, a gateway by hand, and facts of a sender. */
const KEPT = /^(?:verify|template|fallback|http|answer|answers|body|handshakes|echo|condition|provider)\./;

const ALL_DEFAULTS = Object.entries(DEFAULTS).flatMap(([group, keys]) =>
  Object.entries(keys).map(([key, text]): [string, string] => [`${group}.${key}`, text]),
);

const FORM = { provider: 'html-form', verify: null };
const BY_HAND = {
  gateway: 'http',
  base_url: 'https://sms.example',
  http: { kinds: { text: { path: '/', json: '' } }, receiver: 'phone', answer: { sent: { field: 'id' } } },
};
const fieldOf = (field: object) => ({ ...FORM, fields: { field } });
const BURST = { rate: { per_minute: 30, burst: 5 } };

/** Defaults that are more than one value: their words, and values at a place that lack the key and have it. */
const IN_WORDS: Readonly<
  Record<string, readonly [text: string, at: string, ...(readonly [object, object])[]]>
> = {
  'source.dedupe': ["the provider's, 3 days", 'sources.shop', [{}, { dedupe: { window: '3d' } }]],
  'source.fields.max': [
    '2,000; 80 for `name`, 254 for `email`, 40 for `phone`, 255 for `file`',
    'sources.shop',
    [fieldOf({ kind: 'text' }), fieldOf({ kind: 'text', max: 2_000 })],
    [fieldOf({ kind: 'name' }), fieldOf({ kind: 'name', max: 80 })],
    [fieldOf({ kind: 'email' }), fieldOf({ kind: 'email', max: 254 })],
    [fieldOf({ kind: 'phone' }), fieldOf({ kind: 'phone', max: 40 })],
    [fieldOf({ kind: 'file' }), fieldOf({ kind: 'file', max: 255 })],
  ],
  'route.actions.expires': [
    '`7d`, or `30d` for `stop`',
    'sources.shop.routes.0.actions',
    [{ yes: { label: 'Yes' } }, { yes: { label: 'Yes', expires: '7d' } }],
    [{ stop: {} }, { stop: { expires: '30d' } }],
  ],
  'account.rate': [
    "the gateway's; `{ per_minute: 30, burst: 5 }` for `v2` and `http`",
    'accounts.sales',
    [{}, BURST],
    [BY_HAND, { ...BY_HAND, ...BURST }],
    [{ gateway: 'ntfy' }, { gateway: 'ntfy', rate: { per_minute: 12, burst: 30 } }],
  ],
  'account.rate.burst': [
    '`5`, or `per_minute` if that is less',
    'accounts.default.rate',
    [{ per_minute: 9 }, { per_minute: 9, burst: 5 }],
    [{ per_minute: 3 }, { per_minute: 3, burst: 3 }],
  ],
};

it('a key of a document is in keys.yaml, with values that make a difference where it is compiled', () => {
  const declared = keysIn(DOCUMENTS).map(({ group, key }) => `${group}.${key}`);
  const tried = [...KEYS.map(([name]) => name), ...NOT_COMPILED];
  expect([...new Set(tried)].toSorted()).toEqual(
    [...new Set(declared.filter((name) => !KEPT.test(name)))].toSorted(),
  );
  for (const [name, { group, key, values }] of KEYS) {
    const [one, other] = values.map((value) => withKey(group, key, value));
    expect(one, name).not.toEqual(other);
  }
});

it('a key of a document is compiled as the documentation says if it is left out', () => {
  const compared = KEYS.flatMap(([name, { group, key }]) => {
    const text = ALL_DEFAULTS.find(([one]) => one === name)?.[1] ?? '';
    const [, code] = /^`([^`]+)`$/.exec(text) ?? [];
    if (code === undefined) return [];
    expect(withKey(group, key, parse(code)), name).toEqual(withKey(group, key, null));
    return [name];
  });
  for (const [name, [text, at, ...pairs]] of Object.entries(IN_WORDS)) {
    expect(ALL_DEFAULTS).toContainEqual([name, text]);
    for (const [without, written] of pairs)
      expect(compiled([at, written]), name).toEqual(compiled([at, without]));
  }
  const known = new Set([...compared, ...Object.keys(IN_WORDS)]);
  expect(ALL_DEFAULTS.filter(([name, text]) => /\d/.test(text) && !known.has(name))).toEqual([]);
});
