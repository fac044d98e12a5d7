import { describe, expect, it } from 'vitest';
import { providers } from '../../src/provider/catalog.ts';
import { answerHandshake } from '../../src/provider/handshake.ts';
import { lookup } from '../../src/provider/lookup.ts';
import type { Provider, Sample } from '../../src/provider/provider.ts';

const CASES = [...providers.values()].flatMap((provider) =>
  provider.samples.map((sample) => [`${provider.id}: ${sample.name}`, provider, sample] as const),
);

const payloadOf = ({ content_type, body }: Sample): unknown =>
  content_type === 'application/json' ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));

const factsOf = (sample: Sample) => ({
  payload: payloadOf(sample),
  headers: new Headers(sample.headers),
  query: new URLSearchParams(),
});

const typesOf = (provider: Provider) =>
  provider.samples.map((sample) => lookup(provider.event_type, factsOf(sample)));

describe('samples', () => {
  it.each(CASES)('%s has an event type', (_, provider, sample) => {
    expect(lookup(provider.event_type, factsOf(sample))).not.toBeNull();
  });

  it.each(CASES)('%s has an event id exactly where its provider gives one', (_, provider, sample) => {
    expect(lookup(provider.dedupe, factsOf(sample)) !== null).toBe(provider.dedupe.length > 0);
  });

  it.each(CASES)('%s is an event, not a handshake', (_, provider, sample) => {
    if (provider.handshake === undefined) return;
    expect(answerHandshake(provider.handshake, { method: 'POST', ...factsOf(sample) })).toBeNull();
  });

  it.each(CASES)(
    '%s carries no signature, which would be stale, and no number that rings somewhere',
    (_, _provider, sample) => {
      expect(
        Object.keys(sample.headers).filter((name) => /signature|hmac|authorization/i.test(name)),
      ).toEqual([]);
      // Numbers that the German regulator keeps free for media: 0171 39200 01 to 99.
      const digits = sample.body.replaceAll(/%2B|[+\s]/g, '');
      for (const [number] of digits.matchAll(/(?<!\d)49\d{9,}/g)) expect(number).toMatch(/^4917139200\d\d$/);
    },
  );

  it.each([
    ['stripe', ['checkout.session.completed', 'invoice.payment_failed']],
    ['github', ['push', 'issues']],
    ['standard-webhooks', ['user.created']],
    ['shopify', ['orders/create']],
    ['typeform', ['form_response']],
    ['slack', ['app_mention']],
    ['alertmanager', ['firing']],
    ['grafana', ['firing']],
    ['generic', ['contact', 'order.shipped']],
  ])('of %s are of the types %j', (id, types) => {
    const provider = providers.get(id);
    expect(provider && typesOf(provider)).toEqual(types);
  });

  it('of Alertmanager show a group of three alerts', () => {
    const sample = providers.get('alertmanager')?.samples[0];
    expect(sample && payloadOf(sample)).toMatchObject({ version: '4', alerts: [{}, {}, {}] });
  });
});

describe('the Slack handshake', () => {
  it('is answered with the challenge, after verification', () => {
    const handshake = providers.get('slack')?.handshake;
    const payload = { token: 'x', challenge: '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmd', type: 'url_verification' };
    const facts = { method: 'POST', payload, headers: new Headers(), query: new URLSearchParams() };
    expect(handshake?.verify_first).toBe(true);
    expect(handshake && answerHandshake(handshake, facts)).toMatchObject({
      ok: true,
      value: { status: 200, body: '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmd' },
    });
  });
});
