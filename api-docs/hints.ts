import { TURN_FORM } from '../src/config/documents/rotation-schema.ts';
import { KIND_NAMES } from '../src/gateway/kinds.ts';
import { SIGNING } from './groups.ts';

/**
 * The form of a key's texts, as editors and the API's description show it besides the bounds (`bounds.ts`). The relay
 * checks more: that a time zone is known, for example.
 */
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
