import type { core } from 'zod';
import { DEFAULTS, DESCRIPTIONS } from './descriptions.ts';
import { BODY_KEYS } from './routes.ts';
import { refTo } from '../src/schema/api-parts.ts';
import { TURN_FORM } from '../src/config/documents/rotation-schema.ts';
import { KIND_NAMES } from '../src/gateway/kinds.ts';
import { SIGNING } from './groups.ts';
import { isObject } from '../src/lib/json.ts';

/** The form of a key's texts, as editors and the description show it besides the bounds. The relay checks more. */
export interface Hint {
  readonly pattern?: string;
  readonly format?: 'regex' | 'uri' | 'date-time';
  readonly examples?: (string | number)[];
}

type Hints = Readonly<Record<string, Readonly<Record<string, Hint>>>>;

const such = (...examples: (string | number)[]): Hint => ({ examples });

const ADDRESS: Hint = { format: 'uri' };
const INSTANT: Hint = { format: 'date-time', ...such('2026-01-31T22:00:00+01:00') };
const LOCAL_TIME: Hint = { pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d$', ...such('2026-11-23T09:00') };
const COUNTRY: Hint = { pattern: '^[A-Z]{2}$', ...such('DE') };
const ZONE = such('Europe/Berlin');
const HOURS = { days: such('sun'), from: such('22:00'), to: such('07:00'), timezone: ZONE } as const;
const TOLERANCE = { tolerance: such('5m') } as const;

/** By group and key, as in `descriptions.ts`. */
export const HINTS: Hints = {
  source: {
    secrets: such('STRIPE_WEBHOOK_SECRET'),
    url: ADDRESS,
    country: COUNTRY,
    countries: COUNTRY,
    locale: such('de-DE'),
    timezone: ZONE,
    heartbeat: such('1d'),
    origins: such('https://shop.example'),
  },
  'source.redirect': { ok: ADDRESS, failed: ADDRESS },
  'source.dedupe': { window: such('3d'), body: such('24h') },
  route: { delay: such('10m'), expires: such('2h'), acknowledged_for: such('24h') },
  'route.escalate': { after: such('10m') },
  ...Object.fromEntries(KIND_NAMES.map((kind) => [`fallback.${kind}`, { after: such('10m') }])),
  'route.actions': { silence: such('4h', '07:00'), expires: such('7d') },
  'route.incident': { repeat: such('4h'), expires: such('1d') },
  'route.incident.flapping': { per: such('30m') },
  'route.group': { wait: such('30s'), interval: such('5m') },
  throttle: { per: such('10m') },
  quiet: HOURS,
  silence: { from: INSTANT, until: INSTANT },
  'silence.every': HOURS,
  NewOverride: { from: LOCAL_TIME, to: LOCAL_TIME },
  NewSilence: { from: INSTANT, until: INSTANT },
  Replay: { routes: such('paid') },
  BulkReplay: { routes: such('paid') },
  NumberSearch: { number: such('0151 234 567 89') },
  recipients: { numbers: such('4915112345678') },
  'recipients.rotation': {
    order: such('anna'),
    every: { pattern: TURN_FORM.source, ...such('1w') },
    from: LOCAL_TIME,
    timezone: ZONE,
  },
  'recipients.rotation.shifts': { order: such('anna'), days: HOURS.days, from: HOURS.from, to: HOURS.to },
  'recipients.rotation.overrides': { from: LOCAL_TIME, to: LOCAL_TIME },
  account: {
    timeout: such('15s'),
    retry: such('30s'),
    permanent_errors: { format: 'regex' },
    retention: such('30d'),
  },
  'account.circuit': { probe: such('30s') },
  'account.canary': { every: such('1d'), answer_within: such('2h') },
  'account.escape': { after: such('3m') },
  http: { secrets: such('TOKEN'), optional_secrets: such('TOKEN') },
  'answer.sent': { is: such('ok') },
  'answer.rule': { status: such(400), is: such('ok') },
  ...Object.fromEntries(SIGNING.map((scheme) => [`verify.${scheme}`, { url: ADDRESS }])),
  'verify.rsa': { url: ADDRESS, jwks: ADDRESS, ...TOLERANCE },
  'verify.jwt': { jwks: ADDRESS, ...TOLERANCE },
  'verify.oidc': { email: such('push@my-project.iam.gserviceaccount.com') },
  'verify.timestamp': TOLERANCE,
};

type Json = core.JSONSchema.JSONSchema;

/** The mark of an object's schema, a {@link Mark}; {@link enrich} removes it. */
export const MARK = 'x-group';

export interface Mark {
  readonly group: string;
  readonly durations: Readonly<Record<string, string>>;
}

type ProseByType = Readonly<Record<string, Readonly<Record<string, string>>>>;
const WORDS: ProseByType = { ...DESCRIPTIONS, ...BODY_KEYS };
const FALLBACKS: ProseByType = DEFAULTS;

/** Documents that these take as any object, since each is checked by its own schema afterwards. */
const BY_NAME = {
  sources: byName('Source'),
  templates: byName('Template'),
  recipients: byName('Recipients'),
  accounts: byName('Account'),
  silences: byName('Silence'),
};
const { accounts: _, silences: __, ...DRAFTS } = BY_NAME;
const SHOWN: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  NewConfigSet: BY_NAME,
  PreviewRequest: { draft: refTo('Source') },
  'PreviewRequest.drafts': DRAFTS,
};

function byName(component: string): Json {
  return { type: 'object', additionalProperties: refTo(component) };
}

/** Adds descriptions and limits to the keys of every marked object in a piece of the document. Changes it in place. */
export function enrich(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  for (const inner of Object.values(node)) enrich(inner);
  dropIdleNames(node);
  const mark = takeMark(node);
  if (mark === undefined) return;
  const properties: unknown = Reflect.get(node, 'properties');
  if (!isObject(properties)) return;
  for (const [key, property] of Object.entries(properties)) properties[key] = describe(property, mark, key);
}

/** In JSON all names are text, so `propertyNames` need not say so. */
function dropIdleNames(node: { propertyNames?: unknown }): void {
  if (JSON.stringify(node.propertyNames) === '{"type":"string"}') delete node.propertyNames;
}

function takeMark(node: { [MARK]?: Mark }): Mark | undefined {
  const { [MARK]: mark } = node;
  delete node[MARK];
  return mark;
}

function describe(property: unknown, { group, durations }: Mark, key: string): Json {
  const given: Json = isObject(property) ? property : {};
  const fallback = FALLBACKS[group]?.[key];
  const words = WORDS[group]?.[key] ?? given.description;
  return {
    ...withHint(SHOWN[group]?.[key] ?? given, HINTS[group]?.[key]),
    ...(words !== undefined && {
      description: words + (durations[key] ?? '') + (fallback === undefined ? '' : ` Default: ${fallback}.`),
    }),
  };
}

/** Adds a hint to the texts of a schema, but not inside of objects. */
function withHint(schema: Json, hint: Hint | undefined): Json {
  const { anyOf, type, items } = schema;
  if (anyOf !== undefined) return { ...schema, anyOf: anyOf.map((one) => withHint(one, hint)) };
  if (type === 'array' && isObject(items)) return { ...schema, items: withHint(items, hint) };
  return type === 'string' ? { ...schema, ...hint } : schema;
}
