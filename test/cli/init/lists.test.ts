import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Ask } from '../../../cli/ask.ts';
import { stopped } from '../../../cli/failure.ts';
import { documentsOf, extendedList } from '../../../cli/init/documents.ts';
import { numbersIn } from '../../../shared/new-source/earlier.ts';
import { listsOf, type SourcePlan } from '../../../shared/new-source/plan.ts';
import { withOwnLists } from '../../../cli/init/lists.ts';
import { findProvider } from '../../../cli/init/starters.ts';
import { EMPTY_SET, type ConfigSet } from '../../../src/config/schema.ts';
import { ok } from '../../../src/lib/result.ts';

function planFor(provider: string, source: string, numbers: readonly string[]): SourcePlan {
  const begin = findProvider(provider);
  if (!begin.ok) throw new Error(begin.error.message);
  return {
    ...begin.value,
    source,
    address: `https://relay.example/hooks/${source}`,
    numbers,
    country: 'DE',
    locale: 'de-DE',
    timezone: 'Europe/Berlin',
    quiet: null,
  };
}

/** The set after `init`, as it writes the documents. */
async function afterInit(plan: SourcePlan, set: ConfigSet, ask: Ask | null = null): Promise<ConfigSet> {
  const done = await withOwnLists(plan, set, ask);
  if (!done.ok) throw new Error(done.error.message);
  const next = { sources: { ...set.sources }, recipients: { ...set.recipients } };
  for (const { kind, name, value } of documentsOf(done.value, set)) {
    if (kind === 'sources') next.sources[name] = value;
    if (kind === 'recipients')
      next.recipients[name] =
        set.recipients[name] === undefined
          ? value
          : (extendedList(set.recipients[name], value) ?? set.recipients[name]);
  }
  return { ...set, ...next };
}

/** The lists that a source's routes name. */
const listsIn = (set: ConfigSet, source: string): readonly string[] => {
  const document = set.sources[source];
  const routes: unknown =
    typeof document === 'object' && document !== null ? Reflect.get(document, 'routes') : [];
  const tos: readonly unknown[] = Array.isArray(routes)
    ? routes.flatMap(({ to }: { to: unknown }) => to)
    : [];
  return [
    ...new Set(tos.filter((to) => typeof to === 'string' && Object.hasOwn(set.recipients, to)).map(String)),
  ];
};

const number = fc.constantFrom('4915112345671', '4915112345672', '4915112345673');
const numbers = fc.uniqueArray(number, { minLength: 1 });

describe('the lists of a new source', () => {
  it('never widen what another source sends, in whatever order sources are made', async () => {
    const run = fc.record({
      provider: fc.constantFrom('stripe', 'typeform', 'sentry', 'alertmanager'),
      source: fc.constantFrom('a', 'b', 'c'),
      numbers,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(run, { minLength: 2, maxLength: 6 }), async (runs) => {
        let set: ConfigSet = EMPTY_SET;
        for (const { provider, source, numbers: given } of runs) {
          const next = await afterInit(planFor(provider, source, given), set);
          for (const other of Object.keys(set.sources))
            if (other !== source)
              for (const list of listsIn(set, other))
                expect(next.recipients[list]).toEqual(set.recipients[list]);
          const reached = listsIn(next, source).flatMap((list) => numbersIn(next.recipients[list]));
          expect(reached).toEqual(expect.arrayContaining([...given]));
          set = next;
        }
      }),
    );
  });

  it('are the usual ones for the first source, and reach exactly who was given', async () => {
    const set = await afterInit(planFor('stripe', 'shop', ['4915112345671']), EMPTY_SET);
    expect(set.recipients).toEqual({ 'shop-owners': { numbers: ['4915112345671'] } });
  });

  it('are shared where they are the same', async () => {
    const first = await afterInit(planFor('stripe', 'shop', ['4915112345671']), EMPTY_SET);
    const second = await afterInit(planFor('stripe', 'club', ['4915112345671']), first);
    expect(second.recipients).toEqual(first.recipients);
    expect(listsIn(second, 'club')).toEqual(['shop-owners']);
  });

  it('are the source’s own where they would be wider, and are found again', async () => {
    const first = await afterInit(planFor('stripe', 'shop', ['4915112345671']), EMPTY_SET);
    const second = await afterInit(planFor('stripe', 'club', ['4915112345672']), first);
    expect(second.recipients).toEqual({
      'shop-owners': { numbers: ['4915112345671'] },
      'club-shop-owners': { numbers: ['4915112345672'] },
    });
    expect(listsIn(second, 'club')).toEqual(['club-shop-owners']);
    expect(await afterInit(planFor('stripe', 'club', ['4915112345672']), second)).toEqual(second);
    const third = await afterInit(planFor('stripe', 'club', ['4915112345673']), second);
    expect(numbersIn(third.recipients['club-shop-owners'])).toEqual(['4915112345672', '4915112345673']);
  });

  it('are extended where only this source has them', async () => {
    const first = await afterInit(planFor('stripe', 'shop', ['4915112345671']), EMPTY_SET);
    const again = await afterInit(planFor('stripe', 'shop', ['4915112345672']), first);
    expect(numbersIn(again.recipients['shop-owners'])).toEqual(['4915112345671', '4915112345672']);
  });

  it('are widened when a person says so, who first sees whom it concerns', async () => {
    const first = await afterInit(planFor('stripe', 'shop', ['4915112345671']), EMPTY_SET);
    const asked: string[] = [];
    const saying = (answer: boolean): Ask => ({
      confirm: async (question) => {
        asked.push(question);
        return ok(answer);
      },
      text: async () => stopped('not asked for'),
      search: async () => stopped('not asked for'),
    });
    const club = planFor('stripe', 'club', ['4915112345672']);
    expect(listsIn(await afterInit(club, first, saying(false)), 'club')).toEqual(['club-shop-owners']);
    const widened = await afterInit(club, first, saying(true));
    expect(numbersIn(widened.recipients['shop-owners'])).toEqual(['4915112345671', '4915112345672']);
    expect(asked[0]).toContain('shop-owners (+4915112345671) also gets messages from shop');
    expect(listsOf(club)).toEqual(['shop-owners']);
  });
});
