import { expect, it } from 'vitest';
import { warmUp } from '../../src/ingest/warm-up.ts';
import { providers } from '../../src/provider/provider.ts';
import { plans } from '../../src/phone/read.ts';

it('the samples of a new isolate are a webhook that makes a message and items, and a form that makes messages, and nothing of them fails', async () => {
  const [webhook, form] = await warmUp();
  expect(webhook?.event).toMatchObject({ state: 'routed', reasons: [], dedupe: { key: 'order_1-paid' } });
  expect(webhook?.messages.map(({ phone }) => phone)).toEqual(['50051234']);
  expect(webhook?.items).toHaveLength(2);
  expect(form?.event).toMatchObject({ state: 'routed', reasons: [] });
  expect(form?.messages.map(({ route }) => route)).toEqual(['visitor', 'owners']);
});

it('the samples of a new isolate leave no facts behind', async () => {
  const before = [plans.known, providers.known];
  await warmUp();
  expect([plans.known, providers.known]).toEqual(before);
});
