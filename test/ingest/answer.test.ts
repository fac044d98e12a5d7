import { describe, expect, it } from 'vitest';
import { answerEvent, answerRefusal } from '../../src/ingest/answer.ts';
import type { Answer, Provider } from '../../src/provider/provider.ts';

const RECEIPT = { event: 'evt_1', duplicate: false, messages: ['msg_1'] };

const withAnswers = (...answers: Answer[]): Provider => ({
  id: 'p',
  name: 'P',
  category: 'other',
  verify: null,
  event_type: [],
  dedupe: [],
  ...(answers.length > 0 && { answers }),
});

const answered = (provider: Provider, payload: unknown = {}) =>
  answerEvent(provider, { payload, headers: new Headers(), query: new URLSearchParams() }, RECEIPT);

describe('the answer to an accepted event', () => {
  it('is 202 and the receipt where the provider wants nothing else', async () => {
    const response = answered(withAnswers());
    expect(response.status).toBe(202);
    expect(await response.json()).toEqual(RECEIPT);
  });

  it('has the status that the provider wants, with the receipt', async () => {
    const response = answered(withAnswers({ status: 200 }));
    expect([response.status, await response.json()]).toEqual([200, RECEIPT]);
  });

  it('says how many items wait, where any do', async () => {
    const facts = { payload: {}, headers: new Headers(), query: new URLSearchParams() };
    const receipt = { ...RECEIPT, messages: [], waiting: 3 };
    expect(await answerEvent(withAnswers(), facts, receipt).json()).toEqual(receipt);
    expect(await answerEvent(withAnswers({ status: 200, body: 'ok' }), facts, receipt).text()).toBe('ok');
  });

  it('is empty with 204', async () => {
    const response = answered(withAnswers({ status: 204 }));
    expect([response.status, await response.text()]).toEqual([204, '']);
  });

  it('is the provider’s own text, word for word', async () => {
    const response = answered(withAnswers({ status: 200, body: '<Response/>', content_type: 'text/xml' }));
    expect(response.headers.get('content-type')).toBe('text/xml');
    expect(await response.text()).toBe('<Response/>');
  });

  it('may be an empty body', async () => {
    expect(await answered(withAnswers({ status: 200, body: '' })).text()).toBe('');
  });

  it('is the first whose conditions hold', async () => {
    const provider = withAnswers(
      {
        when: [{ at: 'body:type', equals: '3' }],
        status: 200,
        body: '{"type":6}',
        content_type: 'application/json',
      },
      { status: 200, body: 'else' },
    );
    expect(await answered(provider, { type: 3 }).text()).toBe('{"type":6}');
    expect(await answered(provider, { type: 4 }).text()).toBe('else');
  });

  it('is kept by nobody, and guessed by no browser', () => {
    const { headers } = answered(withAnswers());
    expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
      'no-store',
      'nosniff',
    ]);
  });
});

describe('the answer to a request that is refused', () => {
  const PROBLEM = { status: 503, type: 'x', title: 'X', detail: 'Later.', headers: { 'retry-after': '60' } };

  it('is the problem', async () => {
    const response = answerRefusal(withAnswers(), PROBLEM);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60']);
    expect(await response.json()).toMatchObject({ title: 'X', status: 503 });
  });

  it('has no body where the provider takes none, and the same headers', async () => {
    const response = answerRefusal({ ...withAnswers(), bare_refusals: true }, PROBLEM);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60']);
    expect(response.body).toBeNull();
    expect(response.headers.get('content-type')).toBeNull();
  });
});
