import { expect, it } from 'vitest';
import type { Ask } from '../../../cli/ask.ts';
import { GREETING, withGreeting } from '../../../cli/init/greeting.ts';
import { ok } from '../../../src/lib/result.ts';

it('greets in one line, once, and only where something is asked', async () => {
  const said: string[] = [];
  const ask: Ask = {
    confirm: async (message) => ok(said.push(message) > 0),
    text: async ({ message }) => ok(String(said.push(message))),
    search: async (message) => ok(String(said.push(message))),
  };
  const greeted = withGreeting(ask, () => said.push(GREETING));
  expect(said).toEqual([]);
  await greeted.search('a', []);
  await greeted.text({ message: 'b' });
  await greeted.confirm('c');
  expect(said).toEqual([GREETING, 'a', 'b', 'c']);
  expect(GREETING.length).toBeLessThanOrEqual(80);
});
