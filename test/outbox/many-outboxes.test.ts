import { expect, it } from 'vitest';
import { type OutboxCall, withManyOutboxes } from '../../src/outbox/many-outboxes.ts';
import { bindings } from '../bindings.ts';

it('a large set for a thousand accounts is under way in six portions at a time, and reaches each once', async () => {
  const heard: string[] = [];
  let [now, most] = [0, 0];
  const callOutboxes = async (calls: readonly OutboxCall[]) => {
    now += 1;
    most = Math.max(most, now);
    await Promise.resolve();
    now -= 1;
    heard.push(...calls.map(({ name }) => name));
    return calls.map(() => ({ value: null }));
  };
  const env = bindings({ REGISTRY: { getByName: () => ({ callOutboxes }) }, OUTBOX: {} });
  const { OUTBOX } = withManyOutboxes(env);
  const accounts = Array.from({ length: 1_000 }, (_, at) => `account-${at}`);
  const set = 'x'.repeat(1_500_000);
  await Promise.all(accounts.map((name) => OUTBOX.getByName(name).useConfig(set)));
  expect(most).toBe(6);
  expect(heard).toEqual(accounts);
});
