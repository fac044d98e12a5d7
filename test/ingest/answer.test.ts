import { expect, it } from 'vitest';
import { answerEvent, answerRefusal } from '../../src/ingest/webhook.ts';
import type { Answer, Provider } from '../../src/provider/provider.ts';

const RECEIPT = { event: 'evt_1', duplicate: false, messages: ['msg_1'] };
const PROVIDER: Provider = {
  id: 'p',
  name: 'P',
  category: 'other',
  verify: null,
  event_type: [],
  dedupe: [],
};
const WAITING = { ...RECEIPT, messages: [], waiting: 3 };

const answered = (answers: readonly Answer[], payload: unknown = {}, receipt: object = RECEIPT) =>
  answerEvent(
    { provider: answers.length > 0 ? { ...PROVIDER, answers } : PROVIDER },
    { payload, headers: new Headers(), query: new URLSearchParams() },
    { ...RECEIPT, ...receipt },
  );

it('the answer to an accepted event is 202 and the receipt, or what the provider wants, the first whose conditions hold', async () => {
  const when = [{ at: 'body:type', equals: '3' }] as const;
  const json = { status: 200, body: '{"type":6}', content_type: 'application/json' };
  const some = [
    { when, ...json },
    { status: 200, body: 'else' },
  ];
  for (const [answers, payload, status, body, receipt] of [
    [[], {}, 202, JSON.stringify(RECEIPT)],
    [[], {}, 202, JSON.stringify(WAITING), WAITING],
    [[{ status: 200 }], {}, 200, JSON.stringify(RECEIPT)],
    [[{ status: 200, body: 'ok' }], {}, 200, 'ok', WAITING],
    [[{ status: 204 }], {}, 204, ''],
    [[{ status: 200, body: '' }], {}, 200, ''],
    [some, { type: 3 }, 200, '{"type":6}'],
    [some, { type: 4 }, 200, 'else'],
  ] as const) {
    const response = answered(answers, payload, receipt);
    expect([response.status, await response.text()]).toEqual([status, body]);
    const { headers } = response;
    const kept = [headers.get('cache-control'), headers.get('x-content-type-options')];
    expect(kept).toEqual(['no-store', 'nosniff']);
  }
  const xml = answered([{ status: 200, body: '<Response/>', content_type: 'text/xml' }]);
  expect(xml.headers.get('content-type')).toBe('text/xml');
});

it('the answer to a request that is refused is the problem, or has no body where the provider takes none', async () => {
  const headers = { 'retry-after': '60' };
  const problem = { status: 503, type: 'x', title: 'X', detail: 'Later.', headers };
  const response = answerRefusal(PROVIDER, problem);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60']);
  expect(await response.json()).toMatchObject({ title: 'X', status: 503 });
  const bare = answerRefusal({ ...PROVIDER, bare_refusals: true }, problem);
  expect([bare.status, bare.headers.get('retry-after'), bare.body]).toEqual([503, '60', null]);
  expect(bare.headers.get('content-type')).toBeNull();
});
