import type { LoadedConfig } from '../config/compiled/config.ts';
import { loadConfig } from '../config/load.ts';
import type { Result } from '../lib/result.ts';
import type { Acceptance } from '../outbox/state/acceptance.ts';
import { parseFacts, withFacts, type FactsFile } from '../config/compiled/facts.ts';
import type { Provider } from '../provider/provider.ts';
import { accept, acceptance } from './accept/accept.ts';
import { BodyMemory, receive } from './request/receive.ts';
import { checkedForm, identifyForm, ownOf } from './form/fields.ts';
import { judge } from './form/spam.ts';
import { verify } from './request/verify.ts';
import { parseBody } from './parse/parse.ts';
import { routeEvent, silencing } from './routing/match.ts';

const FALKLANDS = ['500', '00', '[2-7]\\d{4}', [5], 0, 0, 0, 0, 0, 0, 0, [['[2-47]\\d{4}'], ['[56]\\d{4}']]];

const NAMED = { id: 'generic', name: '', category: 'other' } as const;
const GENERIC = { ...NAMED, verify: null, event_type: ['body:type'], dedupe: [] } satisfies Provider;
const FORM = { ...GENERIC, id: 'form', verify: { scheme: 'none' }, form: true } satisfies Provider;

/** The numbering plan of one country, and two providers. The others are read with the first webhook. */
const FACTS = JSON.stringify({
  plans: {
    version: 4,
    country_calling_codes: { 500: ['FK'] },
    countries: { FK: JSON.stringify(FALKLANDS) },
    nonGeographic: {},
  },
  providers: { generic: JSON.stringify(GENERIC), form: JSON.stringify(FORM) },
  makers: {},
  partials: {},
} satisfies FactsFile);
/** One number as people write it at home, and from abroad: two ways to parse it. */
const [HOME, PHONE] = ['51234', '50051234'];

const ORDER = { id: 'order_1', state: 'paid', amount: 1_999, currency: 'EUR', name: 'Ada', phone: HOME };
const ITEMS = [{ name: 'tea' }, { name: 'cups' }];

const BODIES = {
  sample: JSON.stringify({ ...ORDER, mobile: `+${PHONE}`, items: ITEMS }),
  form: `name=Ada+B&email=a%40b.example&phone=${HOME}`,
} as const;

const NOW = 0;
const SECRET = 'of the sample';

const SIGNED = {
  scheme: 'hmac',
  header: 'X-Signature',
  signed: '{ts}.{raw_body}',
  list_separator: ',',
  keys: ['v1'],
  timestamp: { key: 't' },
};
const PLACE = { country: 'FK', locale: 'en', timezone: 'Europe/Berlin' };

/** A typical deployment: tokens, signatures, conditions, templates with filters, a list, an incident, a form. */
const PUBLISHED = JSON.stringify({
  activation: 0,
  version: 0,
  set: {
    sources: {
      sample: {
        ...PLACE,
        verify: { scheme: 'any', of: [SIGNED, { scheme: 'token', in: 'header', name: 'X-Token' }] },
        secrets: ['SAMPLE'],
        dedupe: { key: '{{ payload.id }}-{{ payload.state }}', window: '3d' },
        routes: [
          {
            name: 'paid',
            when: 'payload.state == "paid" and payload.amount > 0',
            to: ['{{ payload.phone }}', '{{ payload.mobile }}'],
            template: 'paid',
          },
          {
            name: 'alerts',
            each: 'payload.items | reject: "name", "paid" | where: "name"',
            to: 'owners',
            incident: { key: '{{ item.name }}', resolved: 'item.state == "paid"', repeat: '1h' },
            group: { by: ['{{ item.id | default: item.name }}'], wait: '30s' },
            actions: { ack: {}, silence: { silence: '4h' } },
            template: 'alerts',
            digest: 'alerts',
          },
        ],
      },
      form: {
        ...PLACE,
        provider: 'form',
        countries: ['FK'],
        fields: { name: { max: 9, required: true }, email: { kind: 'email' }, phone: { kind: 'phone' } },
        spam: { honeypot: 'state', links: 2 },
        routes: [
          {
            name: 'visitor',
            to: '{{ payload.phone }}',
            to_visitor: true,
            send: { kind: 'text', message: '{{ payload.name | plain }}' },
          },
          { name: 'owners', to: 'owners', template: 'paid' },
        ],
      },
    },
    templates: {
      paid: {
        kind: 'text',
        message:
          '{{ payload.name | default: "you" | plain | mono | truncate_chars: 9 }} {% if payload.amount %}{{ payload.amount | money: payload.currency }}{% endif %} {{ event.received_at | datetime: "long" }} {% for item in payload.items %}{{ item.name | upcase }}{% unless forloop.last %}, {% endunless %}{% endfor %}',
      },
      alerts: {
        kind: 'text',
        message:
          '{% assign item = new.last | default: last -%} {% if count > 0 and item.size != 1 %}{{ count | minus: 1 }}{% elsif item contains "x" %}{% else %}{{ item.name | plain }}{% endif %}{%- for x in new limit: 5 %}{{ x.id }}{% endfor %}',
      },
    },
    recipients: { owners: { numbers: [PHONE] } },
    accounts: { default: { rate: { per_minute: 30, burst: 5 } } },
    silences: {},
    providers: {},
  },
});

/** Bindings that need no platform: the published set, a secret, and an outbox that stores nothing. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a sample uses nothing else of them
const BINDINGS = {
  CONFIG: { get: async () => PUBLISHED },
  OUTBOX: { getByName: () => ({ accept: async () => ({}) }) },
  SAMPLE: SECRET,
} as unknown as Env;

/**
 * Takes a sample webhook and a sample form through all steps from the configuration to the outbox, once, when the
 * isolate starts. Most of a cold isolate's first webhook is code that runs for the first time, and the free plan gives a
 * request 10 ms of CPU; the start does not count towards a request. Only compiled code stays. Returns what would be
 * accepted. At that time the platform allows hashes and signatures, but no streams, timers or random numbers.
 */
export const warmUp = (): Promise<readonly Acceptance[]> =>
  withFacts(parseFacts(FACTS), async () => {
    const config = await loadConfig(BINDINGS, NOW);
    return [
      await takeSample('sample', SAMPLE_HEADERS, config),
      await takeSample('form', FORM_HEADERS, config),
    ];
  });

/** A false signature and the right token: both are checked. */
const SAMPLE_HEADERS = new Headers({
  'content-type': 'application/json',
  'x-signature': `t=${NOW},v1=${'00'.repeat(32)}`,
  'x-token': SECRET,
});
const FORM_HEADERS = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });

async function takeSample(sourceId: keyof typeof BODIES, headers: Headers, config: LoadedConfig) {
  const request = new Request('https://relay.invalid/', { method: 'POST', headers });
  const receiving = { config, env: BINDINGS, memory: new BodyMemory(NOW), now: NOW };
  const received = valueOf(await receive(request, { sourceId, pathToken: undefined }, receiving));
  const { source } = received;
  // The body of a request is a stream, so this one comes afterwards.
  const body = new TextEncoder().encode(BODIES[sourceId]);
  const parsed = () => parseBody(headers.get('content-type'), body, source.provider.body);
  const verified = valueOf(await verify({ ...received, body, parsed }, NOW));
  const checked = valueOf(checkedForm(verified));
  const { payload } = checked.facts;
  if (source.form !== null)
    await judge(
      { source, rules: source.form, own: ownOf(source.form, {}), payload, receivedAt: NOW },
      { env: BINDINGS, turnstileSecret: undefined, fetch },
    );
  const { event, dedupeFailure } = identifyForm(checked, (count) => new Uint8Array(count));
  const results = routeEvent(event, silencing(config, NOW));
  const taken = acceptance(event, results, { config, dedupeFailure, bodyBytes: body.length });
  valueOf(await accept(BINDINGS, config, source.account, taken));
  return taken;
}

function valueOf<Value>(result: Result<Value, unknown>): Value {
  if (result.ok) return result.value;
  throw new Error(`a sample was refused: ${JSON.stringify(result.error)}`);
}
