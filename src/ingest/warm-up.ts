import type { LoadedConfig, Source } from '../config/config.ts';
import { parsePublished } from '../config/load.ts';
import { lazyConfig } from '../config/lazy-config.ts';
import type { Acceptance } from '../outbox/state/acceptance.ts';
import { parseFacts, withFacts, type FactsFile } from '../config/facts.ts';
import { generic } from '../provider/catalog/generic.ts';
import { acceptance } from './accept/accept.ts';
import { identify } from './request/identify.ts';
import { verify } from './request/verify.ts';
import type { RawRequest } from './request/event.ts';
import { parseBody } from './parse/parse.ts';
import { routeEvent, silencing } from './routing/match.ts';

const FALKLANDS = ['500', '00', '[2-7]\\d{4}', [5], 0, 0, 0, 0, 0, 0, 0, [['[2-47]\\d{4}'], ['[56]\\d{4}']]];

/**
 * The numbering plan of one country, and the provider of sources that name none. The others are read with the first
 * webhook.
 */
const FACTS = JSON.stringify({
  plans: {
    version: 4,
    country_calling_codes: { 500: ['FK'] },
    countries: { FK: JSON.stringify(FALKLANDS) },
    nonGeographic: {},
  },
  providers: { [generic.id]: JSON.stringify(generic) },
  makers: {},
} satisfies FactsFile);
/** One number as people write it at home, and from abroad: two ways to parse it. */
const [HOME, PHONE] = ['51234', '50051234'];

const BODY = JSON.stringify({
  id: 'order_1',
  state: 'paid',
  amount: 1_999,
  currency: 'EUR',
  customer: { name: 'Ada', phone: HOME, mobile: `+${PHONE}` },
  items: [{ name: 'tea' }, { name: 'cups' }],
});

const NOW = 0;
const SECRET = 'of the sample';

/** A typical deployment: a token, a condition, a template with filters, a list, an incident. */
const PUBLISHED = JSON.stringify({
  activation: 0,
  version: 0,
  set: {
    sources: {
      sample: {
        verify: {
          scheme: 'any',
          of: [
            { scheme: 'hmac', header: 'X-Signature', encoding: 'hex', algorithm: 'sha256' },
            { scheme: 'token', in: 'header', name: 'X-Token' },
          ],
        },
        secrets: ['SAMPLE'],
        country: 'FK',
        locale: 'en',
        timezone: 'Europe/Berlin',
        dedupe: { key: '{{ payload.id }}-{{ payload.state }}', window: '3d' },
        routes: [
          {
            name: 'paid',
            when: 'payload.state == "paid" and payload.amount > 0',
            to: ['{{ payload.customer.phone }}', '{{ payload.customer.mobile }}'],
            template: 'paid',
          },
          {
            name: 'alerts',
            each: 'payload.items',
            to: 'owners',
            incident: { key: '{{ item.name }}', resolved: 'item.status == "resolved"' },
            template: 'paid',
          },
        ],
      },
    },
    templates: {
      paid: {
        kind: 'text',
        message:
          'Thanks {{ payload.customer.name | default: "you" }}! {{ payload.amount | money: payload.currency }} on {{ event.received_at | datetime: "long" }} for {% for item in payload.items %}{{ item.name | upcase }}{% unless forloop.last %}, {% endunless %}{% endfor %}.',
      },
    },
    recipients: { owners: { numbers: [PHONE] } },
    accounts: { default: { rate: { per_minute: 30, burst: 5 } } },
    silences: {},
  },
});

/**
 * Takes a sample webhook through verify, parse, match and render, once, when the isolate starts. Most of a cold
 * isolate's first webhook is code that runs for the first time, and the free plan gives a request 10 ms of CPU; the
 * start does not count towards a request. Only compiled code stays. Returns what would be accepted. At that time the
 * platform allows hashes and signatures, but no streams, timers or random numbers.
 */
export async function warmUp(): Promise<Acceptance> {
  const facts = parseFacts(FACTS);
  const { config, source } = withFacts(facts, sampleConfig);
  const verified = await verify(sampleRequest(source), NOW);
  if (!verified.ok) throw new Error(`the sample was rejected: ${verified.error.reason}`);
  return withFacts(facts, () => {
    const { event, dedupeFailure } = identify(verified.value, (count) => new Uint8Array(count));
    const results = routeEvent(event, silencing(config, NOW));
    return acceptance(event, results, {
      config,
      dedupeFailure,
      bodyBytes: BODY.length,
    });
  });
}

function sampleConfig(): { readonly config: LoadedConfig; readonly source: Source } {
  const published = parsePublished(PUBLISHED);
  const config = lazyConfig(published.set, published.version, published);
  const source = config.sources.get('sample');
  if (source === undefined) throw new Error('the sample has no source');
  return { config, source };
}

/** A request with a false signature and the right token: both are checked. */
function sampleRequest(source: Source): RawRequest {
  const headers = new Headers({
    'content-type': 'application/json',
    'x-signature': '00'.repeat(32),
    'x-token': SECRET,
  });
  const body = new TextEncoder().encode(BODY);
  return {
    source,
    method: 'POST',
    url: new URL('https://relay.invalid/hooks/sample'),
    registeredUrl: source.url,
    headers,
    body,
    parsed: () => parseBody(headers.get('content-type'), body, source.provider.body),
    pathToken: undefined,
    secrets: [{ name: 'SAMPLE', value: SECRET }],
    receivedAt: NOW,
  };
}
