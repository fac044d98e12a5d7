import { KIND_NAMES, LIST_LENGTH, MAX_PARAM_LENGTH, paramsOf } from '../src/gateway/kinds.ts';

/** Limits of a key's value that JSON Schema can express and the validating schema has in code. A test compares both. */
export interface Constraint {
  /** For the texts in it. */
  readonly text?: {
    readonly minLength?: number;
    readonly maxLength?: number;
    readonly pattern?: string;
    readonly format?: 'regex' | 'uri' | 'date-time';
  };
  /** For the list in it. */
  readonly list?: { readonly minItems?: number; readonly maxItems: number };
  /** For texts that are durations: the shortest and the longest. */
  readonly duration?: readonly [string, string];
  readonly examples?: readonly (string | number)[];
}

/** A number and a unit, as `src/lib/duration.ts` reads them. */
export const DURATION_PATTERN = '^\\d{1,15}(\\.\\d{1,6})?(ms|s|m|h|d)$';

const text = (maxLength: number): Constraint => ({ text: { minLength: 1, maxLength } });
const duration = (min: string, max: string, example: string): Constraint => ({
  duration: [min, max],
  examples: [example],
});
const list = (maxItems: number, minItems?: number): Pick<Constraint, 'list'> => ({
  list: minItems === undefined ? { maxItems } : { minItems, maxItems },
});

const PARAMETER = text(MAX_PARAM_LENGTH);
const EXPRESSION = text(2_048);
const NAME = text(128);
const PATH = text(256);
const ADDRESS: Constraint = { text: { minLength: 1, maxLength: 2_048, format: 'uri' } };
const INSTANT: Constraint = { text: { format: 'date-time' }, examples: ['2026-01-31T22:00:00+01:00'] };
const LOCAL_TIME: Constraint = {
  text: { pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d$' },
  examples: ['2026-11-23T09:00'],
};
const COUNTRY: Constraint = { text: { pattern: '^[A-Z]{2}$' }, examples: ['DE'] };
const FIELD = text(2_048);
const VALUES: Constraint = { ...list(100, 1), examples: ['ok'] };
const SECRET_ENDS: Constraint = { ...list(8), examples: ['TOKEN'] };
const ROUTES: Constraint = { ...text(64), ...list(200, 1), examples: ['paid'] };
const PEOPLE: Constraint = { ...text(64), ...list(100, 1), examples: ['anna'] };
const HOURS = {
  days: { ...list(7, 1), examples: ['sun'] },
  from: { examples: ['22:00'] },
  to: { examples: ['07:00'] },
  timezone: { examples: ['Europe/Berlin'] },
} as const;
const TOLERANCE = duration('1s', '4d', '5m');

const SIGNED_OPTIONS = {
  query: NAME,
  field: PATH,
  prefix: NAME,
  keys: { ...NAME, ...list(8, 1) },
  signed: text(1_024),
  body_hash_query: NAME,
  url: ADDRESS,
  items: PATH,
  strip_secret_prefixes: { ...NAME, ...list(4) },
} as const;
const { strip_secret_prefixes: _, ...WITHOUT_PREFIXES } = SIGNED_OPTIONS;

/** A message's parameters, which have the same limits in a template and in a message that is sent through the API. */
const ofKinds = (group: 'template' | 'fallback' | 'send'): Constraints =>
  Object.fromEntries(
    KIND_NAMES.map((kind) => [
      `${group}.${kind}`,
      Object.fromEntries(
        paramsOf(kind).map(([name, { holds }]) => [
          name,
          holds === 'list' ? { ...PARAMETER, ...list(LIST_LENGTH.max, LIST_LENGTH.min) } : PARAMETER,
        ]),
      ),
    ]),
  );

type Constraints = Readonly<Record<string, Readonly<Record<string, Constraint>>>>;

/** By group and key, as in `descriptions.ts`. */
export const CONSTRAINTS: Constraints = {
  source: {
    secrets: { ...list(8), examples: ['STRIPE_WEBHOOK_SECRET'] },
    url: ADDRESS,
    country: COUNTRY,
    countries: { ...COUNTRY, ...list(250, 1) },
    locale: { examples: ['de-DE'] },
    timezone: { examples: ['Europe/Berlin'] },
    subject: EXPRESSION,
    heartbeat: duration('10m', '90d', '1d'),
    origins: { ...list(50, 1), examples: ['https://shop.example'] },
    routes: list(200),
  },
  'source.redirect': { ok: ADDRESS, failed: ADDRESS },
  'source.fields': { label: text(80) },
  'source.dedupe': {
    key: EXPRESSION,
    window: duration('1s', '30d', '3d'),
    body: duration('1s', '30d', '24h'),
  },
  route: {
    when: EXPRESSION,
    to: { ...EXPRESSION, ...list(500, 1) },
    each: EXPRESSION,
    once: EXPRESSION,
    throttle: list(4, 1),
    delay: duration('0s', '30d', '10m'),
    expires: duration('1s', '30d', '2h'),
    escalate: list(5, 1),
    acknowledged_for: duration('1s', '90d', '24h'),
  },
  'route.escalate': { after: duration('1s', '30d', '10m'), to: { ...EXPRESSION, ...list(500, 1) } },
  ...Object.fromEntries(
    Object.entries(ofKinds('template')).map(([group, keys]) => [group, { ...keys, fallback: list(3, 1) }]),
  ),
  ...Object.fromEntries(
    Object.entries(ofKinds('fallback')).map(([group, keys]) => [
      group,
      { ...keys, after: duration('1s', '30d', '10m') },
    ]),
  ),
  ...ofKinds('send'),
  'route.actions': {
    label: text(256),
    silence: { examples: ['4h', '07:00'] },
    expires: duration('1m', '30d', '7d'),
  },
  'route.incident': {
    key: EXPRESSION,
    resolved: EXPRESSION,
    repeat: duration('1s', '90d', '4h'),
    expires: duration('1s', '90d', '1d'),
    inhibited_by: EXPRESSION,
  },
  'route.incident.flapping': { per: duration('1s', '7d', '30m') },
  'route.group': {
    by: { ...EXPRESSION, ...list(10, 1) },
    wait: duration('1s', '1d', '30s'),
    interval: duration('1s', '7d', '5m'),
  },
  throttle: { per: duration('1s', '7d', '10m') },
  quiet: HOURS,
  silence: { when: EXPRESSION, from: INSTANT, until: INSTANT, reason: text(1_024) },
  'silence.every': HOURS,
  newOverride: { person: text(64), from: LOCAL_TIME, to: LOCAL_TIME },
  newSilence: { when: EXPRESSION, from: INSTANT, until: INSTANT, reason: text(1_024) },
  newRelease: { version: text(64), since: text(64), changes: { ...text(200), ...list(50) } },
  replay: { routes: ROUTES },
  replayMany: { routes: ROUTES },
  takeover: { name: text(100) },
  newSuppression: { reason: text(1_024) },
  silenceCondition: { when: EXPRESSION },
  newDone: { card: text(200) },
  numberSearch: { number: { ...text(40), examples: ['0151 234 567 89'] } },
  recipients: { numbers: { ...list(10_000), examples: ['4915112345678'] }, throttle: list(4, 1) },
  'recipients.rotation': {
    order: PEOPLE,
    every: { text: { pattern: '^[1-9]\\d{0,2}[dw]$' }, examples: ['1w'] },
    from: LOCAL_TIME,
    timezone: { examples: ['Europe/Berlin'] },
    shifts: list(4),
    overrides: list(200),
  },
  'recipients.rotation.shifts': { order: PEOPLE, days: HOURS.days, from: HOURS.from, to: HOURS.to },
  'recipients.rotation.overrides': { person: text(64), from: LOCAL_TIME, to: LOCAL_TIME },
  account: {
    timeout: duration('100ms', '2m', '15s'),
    retry: { ...duration('100ms', '7d', '30s'), ...list(50) },
    permanent_errors: { text: { format: 'regex' }, ...list(50) },
    retention: duration('1h', '3650d', '30d'),
  },
  'account.circuit': { probe: duration('100ms', '1h', '30s') },
  'account.canary': { every: duration('1d', '30d', '1d'), answer_within: duration('1m', '23h', '2h') },
  'account.escape': { after: duration('10s', '1d', '3m') },
  http: { secrets: SECRET_ENDS, optional_secrets: SECRET_ENDS, basic: { ...FIELD, ...list(2, 2) } },
  'http.receiver': { what: FIELD },
  answer: { reason: { ...FIELD, ...list(10) }, retry_after: FIELD, rules: list(50) },
  'answer.sent': { field: FIELD, is: VALUES },
  'answer.rule': { status: { ...list(50, 1), examples: [400] }, field: FIELD, is: VALUES, say: FIELD },
  'verify.hmac': SIGNED_OPTIONS,
  'verify.hash': SIGNED_OPTIONS,
  'verify.ed25519': SIGNED_OPTIONS,
  'verify.ecdsa': WITHOUT_PREFIXES,
  'verify.rsa': { tolerance: TOLERANCE },
  'verify.jwt': {
    prefix: NAME,
    issuer: NAME,
    audience: text(2_048),
    body_hash_claim: NAME,
    tolerance: TOLERANCE,
  },
  'verify.oidc': {
    email: {
      text: { minLength: 3, maxLength: 320 },
      examples: ['push@my-project.iam.gserviceaccount.com'],
    },
    audience: text(2_048),
  },
  // Its longest name depends on the place.
  'verify.token': { name: { text: { minLength: 1 } }, prefix: NAME, items: PATH },
  'verify.any': { of: list(4, 2) },
  'verify.timestamp': { signature_param: NAME, body: PATH, tolerance: TOLERANCE },
};
