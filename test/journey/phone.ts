import * as z from 'zod';
import { eventually } from '../eventually.ts';

const calls = z.object({
  items: z.array(
    z.object({
      kind: z.string().nullable(),
      to: z.string().nullable(),
      params: z.record(z.string(), z.string()),
      delivered: z.boolean(),
    }),
  ),
});

/** A message on the simulated phone. */
export interface Received {
  readonly to: string | null;
  readonly text: string;
}

/** The simulated phone, and how its gateway fails. */
export interface Phone {
  /** Returns the messages that have arrived, oldest first. */
  received(): Promise<readonly Received[]>;
  /** Resolves once a text that has `words` in it has arrived at `to`. */
  gets(to: string, words: string): Promise<void>;
  /** Sets the gateway's answers from now on: the steps of docs/simulator.md. */
  fails(...steps: readonly object[]): Promise<void>;
}

export function phoneAt(url: string): Phone {
  const received = async (): Promise<readonly Received[]> => {
    const answer = calls.parse(await (await fetch(`${url}/_control/calls`)).json());
    return answer.items
      .filter(({ delivered }) => delivered)
      .map(({ to, params }) => ({ to, text: Object.values(params).join('\n') }));
  };
  return {
    received,
    gets: (to, words) =>
      eventually(async () => {
        const all = await received();
        if (all.some((one) => one.to === to && one.text.includes(words))) return;
        throw new Error(`${to} did not get “${words}”, but there is: ${JSON.stringify(all, null, 2)}`);
      }),
    fails: async (...steps) => {
      const answer = await fetch(`${url}/_control/script`, {
        method: 'PUT',
        body: JSON.stringify({ steps }),
      });
      if (!answer.ok) throw new Error(await answer.text());
    },
  };
}
