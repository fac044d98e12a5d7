import * as z from 'zod';
import { eventually } from '../eventually.ts';

const call = z.object({
  to: z.string().nullable(),
  params: z.record(z.string(), z.string()),
  delivered: z.boolean(),
});
const calls = z.object({ items: z.array(call) });

/** The simulated phone, and how its gateway fails. */
export interface Phone {
  /** Resolves once a text that has `words` in it has arrived at `to`. */
  gets(to: string, words: string): Promise<void>;
  /** Sets the gateway's answers from now on: the steps of docs/simulator.md. */
  fails(...steps: readonly object[]): Promise<void>;
}

export const phoneAt = (url: string): Phone => ({
  gets: (to, words) =>
    eventually(async () => {
      const { items } = calls.parse(await (await fetch(`${url}/_control/calls`)).json());
      const all = items.filter(({ delivered }) => delivered);
      if (all.some((one) => one.to === to && Object.values(one.params).join('\n').includes(words))) return;
      throw new Error(`${to} did not get “${words}”, but there is: ${JSON.stringify(all, null, 2)}`);
    }),
  fails: async (...steps) => {
    const body = JSON.stringify({ steps });
    const answer = await fetch(`${url}/_control/script`, { method: 'PUT', body });
    if (!answer.ok) throw new Error(await answer.text());
  },
});
