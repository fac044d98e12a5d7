import { describe, expect, it } from 'vitest';
import { warmUp } from '../../src/ingest/warm-up.ts';
import { knownProviders } from '../../src/provider/known.ts';
import { knownPlans } from '../../src/template/filters/phone-library.ts';

describe('the webhook that is taken through the steps when an isolate starts', () => {
  it('makes a message and items, and nothing of it fails', async () => {
    const { event, messages, items } = await warmUp();
    expect(event).toMatchObject({ state: 'routed', reason: null, dedupe: { key: 'order_1-paid' } });
    expect(messages.map(({ phone }) => phone)).toEqual(['50051234']);
    expect(items).toHaveLength(2);
  });

  it('leaves no facts behind', async () => {
    const before = [knownPlans(), knownProviders()];
    await warmUp();
    expect([knownPlans(), knownProviders()]).toEqual(before);
  });
});
