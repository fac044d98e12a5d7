import type { LoadedConfig } from '../config/config.ts';
import { parsePublished } from '../config/load.ts';
import { lazyConfig } from '../config/lazy-config.ts';
import type { Acceptance } from '../outbox/state/acceptance.ts';
import { withPlans } from '../template/filters/phone-library.ts';
import { acceptance } from './accept/accept.ts';
import { identify } from './request/identify.ts';
import { asVerified } from './request/verify.ts';
import { routeEvent, silencing } from './routing/match.ts';

/** The numbering plan of one country, and a number there; the others are read with the first webhook. */
const PLANS = JSON.stringify({
  version: 4,
  country_calling_codes: { 500: ['FK'] },
  countries: {
    FK: ['500', '00', '[2-7]\\d{4}', [5], 0, 0, 0, 0, 0, 0, 0, [['[2-47]\\d{4}'], ['[56]\\d{4}']]],
  },
  nonGeographic: {},
});
const PHONE = '50051234';

const PAYLOAD = {
  id: 'order_1',
  state: 'paid',
  amount: 1_999,
  currency: 'EUR',
  customer: { name: 'Ada', phone: `+${PHONE}` },
  items: [{ name: 'tea' }, { name: 'cups' }],
};

/** What most deployments have: a token, a condition, a template with filters, a list, an incident. */
const PUBLISHED = JSON.stringify({
  activation: 0,
  version: 0,
  set: {
    sources: {
      sample: {
        verify: { scheme: 'hmac', header: 'X-Signature', encoding: 'hex', algorithm: 'sha256' },
        secrets: ['SAMPLE'],
        country: 'FK',
        locale: 'en',
        timezone: 'Europe/Berlin',
        dedupe: { key: '{{ payload.id }}-{{ payload.state }}', window: '3d' },
        routes: [
          {
            name: 'paid',
            when: 'payload.state == "paid" and payload.amount > 0',
            to: '{{ payload.customer.phone }}',
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
 * Takes a sample webhook through parse, match and render, once, when the isolate starts. Code that runs for the first time takes most of a
 * cold isolate's first webhook, which the free plan gives 10 ms of CPU; what a start takes is not the request's. Nothing of it stays
 * but compiled code. Returns what would be accepted. The platform allows no asynchronous work and no random numbers then.
 */
export function warmUp(): Acceptance {
  return withPlans(PLANS, () => {
    const published = parsePublished(PUBLISHED);
    const config: LoadedConfig = lazyConfig(published.set, published.version, published);
    const source = config.sources.get('sample');
    if (source === undefined) throw new Error('the sample has no source');
    const verified = asVerified(
      {
        source,
        method: 'POST',
        url: new URL('https://relay.invalid/hooks/sample'),
        registeredUrl: source.url,
        headers: new Headers({ 'content-type': 'application/json' }),
        pathToken: undefined,
        secrets: [],
        receivedAt: 0,
      },
      JSON.parse(JSON.stringify(PAYLOAD)),
    );
    const { event, dedupeFailure } = identify(verified, (count) => new Uint8Array(count));
    const results = routeEvent(event, silencing(config, 0));
    return acceptance(event, results, { configVersion: config.version, dedupeFailure, bodyBytes: 0 });
  });
}
