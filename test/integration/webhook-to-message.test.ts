import Stripe from 'stripe';
import { beforeAll, describe, expect, it } from 'vitest';
import { callsTo, event, isSent, message, post, postJson, publish } from './relay.ts';

const SECRET = 'whsec_test_secret';
const stripe = new Stripe('sk_test_not_used', { httpClient: Stripe.createFetchHttpClient() });

async function postStripe(payload: object): Promise<Response> {
  const body = JSON.stringify(payload);
  const signature = await stripe.webhooks.generateTestHeaderStringAsync({ payload: body, secret: SECRET });
  return post('shop', body, { 'content-type': 'application/json', 'stripe-signature': signature });
}

const checkout = (id: string, phone: string, price: object = {}) => ({
  id,
  type: 'checkout.session.completed',
  data: {
    object: {
      id: 'cs_1',
      amount_total: 1_234_50,
      currency: 'eur',
      customer_details: { name: 'Zoë & Söhne', phone },
      ...price,
    },
  },
});

const receipt = (response: Response) =>
  response.json<{ event: string; duplicate: boolean; messages: string[] }>();

describe('a signed webhook becomes a message', () => {
  beforeAll(() =>
    publish({
      sources: {
        shop: {
          provider: 'stripe',
          secrets: ['STRIPE_SECRET'],
          country: 'DE',
          locale: 'de-DE',
          timezone: 'Europe/Berlin',
          routes: [
            {
              name: 'paid',
              when: 'event.type == "checkout.session.completed" and payload.data.object.amount_total > 0',
              to: '{{ payload.data.object.customer_details.phone }}',
              template: 'payment-received',
            },
          ],
        },
        form: {
          verify: { scheme: 'none' },
          country: 'DE',
          routes: [
            { name: 'all', to: '{{ payload.phone }}', send: { kind: 'text', message: '{{ payload.text }}' } },
          ],
        },
      },
      templates: {
        'payment-received': {
          kind: 'text',
          message:
            'Thanks {{ payload.data.object.customer_details.name | default: "you" }}!\nWe got *{{ payload.data.object.amount_total | money: payload.data.object.currency }}*.',
        },
      },
    }),
  );

  it('takes a Stripe event that the real SDK signed to the gateway, rendered in the source’s locale', async () => {
    const response = await postStripe(checkout('evt_1', '+49 151 12345671'));
    expect(response.status).toBe(202);
    const { event: id, duplicate, messages } = await receipt(response);
    expect(id).toMatch(/^evt_/);
    expect(duplicate).toBe(false);
    expect(messages).toHaveLength(1);

    const sent = await message(messages[0] ?? '', isSent);
    expect(sent).toMatchObject({
      event: id,
      kind: 'text',
      phone: '4915112345671',
      params: { phone: '4915112345671', message: 'Thanks Zoë & Söhne!\nWe got *1.234,50\u00a0€*.' },
    });
    expect(sent.attempts).toHaveLength(1);
    expect(sent.attempts[0]).toMatchObject({ n: 1, outcome: 'sent', http_status: 200 });

    const calls = await callsTo('4915112345671');
    expect(calls).toHaveLength(1);
    expect(calls[0]?.params['message']).toBe(sent.params['message']);
  });

  it('reports an amount as its provider counts it: Stripe sends 5.000 krónur as 500000', async () => {
    const price = { amount_total: 500_000, currency: 'isk' };
    const { messages } = await receipt(await postStripe(checkout('evt_isk', '+49 151 12345675', price)));
    const { params } = await message(messages[0] ?? '', isSent);
    expect(params['message']).toContain('We got *5.000\u00a0ISK*.');
  });

  it('delivers Unicode, &, +, % and newlines of a form as they were', async () => {
    const text = 'a & b + c % d = e\nZoë 👩‍👩‍👧 “x”\t%41;';
    const response = await post('form', new URLSearchParams({ phone: '0151 12345602', text }));
    const { messages } = await receipt(response);
    await message(messages[0] ?? '', isSent);
    expect((await callsTo('4915112345602'))[0]?.params['message']).toBe(text);
  });

  it('makes one message and fifty 2xx answers of fifty concurrent posts of one event id', async () => {
    const posted = await Promise.all(
      Array.from({ length: 50 }, () => postStripe(checkout('evt_fifty', '+4915112345603'))),
    );
    expect(posted.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 202));
    const receipts = await Promise.all(posted.map(receipt));
    expect(new Set(receipts.map(({ event: id }) => id)).size).toBe(1);
    expect(new Set(receipts.flatMap(({ messages }) => messages)).size).toBe(1);
    expect(receipts.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    const first = receipts[0];
    await message(first?.messages[0] ?? '', isSent);
    expect((await event(first?.event ?? '')).duplicates).toBe(49);
    expect(await callsTo('4915112345603')).toHaveLength(1);
  });

  it('keeps an event that no route takes as unmatched', async () => {
    const response = await postStripe({ id: 'evt_other', type: 'invoice.paid', data: { object: {} } });
    const { event: id, messages } = await receipt(response);
    expect(messages).toEqual([]);
    expect(await event(id)).toMatchObject({ state: 'unmatched', type: 'invoice.paid' });
  });

  it('forgets signatures: they are not among the stored headers', async () => {
    const response = await postStripe(checkout('evt_headers', '+4915112345604'));
    const { event: id } = await receipt(response);
    const { headers } = await event(id);
    expect(headers).toHaveProperty('content-type', 'application/json');
    expect(Object.keys(headers).filter((name) => name.includes('signature'))).toEqual([]);
  });

  it('answers what it cannot read of JSON with 400 and stores nothing', async () => {
    const response = await post('form', '{"phone":', { 'content-type': 'application/json' });
    expect(response.status).toBe(400);
    expect((await postJson('form', { phone: '015112345605', text: 'x' })).status).toBe(202);
  });
});
