import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Ask } from '../../../cli/ask.ts';
import { withOwnLists } from '../../../cli/init/lists.ts';
import { numbersIn } from '../../../shared/new-source/likely.ts';
import { EMPTY_SET, type ConfigSet } from '../../../src/config/documents/schema.ts';
import { ok } from '../../../src/lib/result.ts';
import { newSource, person, valueOf, withDocuments } from './new-source.ts';

const [ONE, TWO, THREE] = ['4915112345671', '4915112345672', '4915112345673'] as const;

/** The set after `init` for a source with these numbers. */
async function after(
  [provider, source, ...numbers]: readonly [string, string, ...string[]],
  set: ConfigSet = EMPTY_SET,
  ask: Ask | null = null,
): Promise<ConfigSet> {
  return withDocuments(valueOf(await withOwnLists(newSource(provider, source, numbers), set, ask)), set);
}

/** The lists that a source's routes name. */
const listsIn = (set: ConfigSet, source: string): readonly string[] => {
  const routes: unknown = Reflect.get(Object(set.sources[source]), 'routes') ?? [];
  const tos: readonly unknown[] = Array.isArray(routes)
    ? routes.flatMap(({ to }: { to: unknown }) => to)
    : [];
  return [...new Set(tos.map(String).filter((to) => Object.hasOwn(set.recipients, to)))];
};

const owners = (numbers: readonly string[]) => ({ 'shop-owners': { numbers } });

it('the lists of a new source never widen what another source sends, in whatever order sources are made', async () => {
  const run = fc.tuple(
    fc.constantFrom('stripe', 'typeform', 'sentry', 'alertmanager'),
    fc.constantFrom('a', 'b', 'c'),
    fc.uniqueArray(fc.constantFrom(ONE, TWO, THREE), { minLength: 1 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(run, { minLength: 2, maxLength: 4 }), async (runs) => {
      let set: ConfigSet = EMPTY_SET;
      for (const [provider, source, given] of runs) {
        const next = await after([provider, source, ...given], set);
        for (const other of Object.keys(set.sources).filter((one) => one !== source))
          for (const list of listsIn(set, other)) expect(next.recipients[list]).toEqual(set.recipients[list]);
        const reached = listsIn(next, source).flatMap((list) => numbersIn(next.recipients[list]));
        expect(reached).toEqual(expect.arrayContaining(given));
        set = next;
      }
    }),
    { numRuns: 50 },
  );
});

it('the lists of a new source are the usual ones for the first source, shared where they are the same, else the source’s own, and extended where only this source has them', async () => {
  const first = await after(['stripe', 'shop', ONE]);
  expect(first.recipients).toEqual(owners([ONE]));
  const shared = await after(['stripe', 'club', ONE], first);
  expect([shared.recipients, listsIn(shared, 'club')]).toEqual([first.recipients, ['shop-owners']]);
  const second = await after(['stripe', 'club', TWO], first);
  expect(second.recipients).toEqual({ ...owners([ONE]), 'club-shop-owners': { numbers: [TWO] } });
  expect(listsIn(second, 'club')).toEqual(['club-shop-owners']);
  expect(await after(['stripe', 'club', TWO], second)).toEqual(second);
  expect((await after(['stripe', 'shop', TWO], first)).recipients).toEqual(owners([ONE, TWO]));
  const third = await after(['stripe', 'club', THREE], second);
  expect(numbersIn(third.recipients['club-shop-owners'])).toEqual([TWO, THREE]);
});

it('the lists of a new source are widened when a person says so, who first sees whom it concerns', async () => {
  const first = await after(['stripe', 'shop', ONE]);
  const asked: string[] = [];
  const saying = (answer: boolean) =>
    person({ confirm: async (question) => ok(asked.push(question) > 0 && answer) });
  expect(listsIn(await after(['stripe', 'club', TWO], first, saying(false)), 'club')).toEqual([
    'club-shop-owners',
  ]);
  expect((await after(['stripe', 'club', TWO], first, saying(true))).recipients).toEqual(owners([ONE, TWO]));
  expect(asked[0]).toContain('shop-owners (+4915112345671) also gets messages from shop');
});
