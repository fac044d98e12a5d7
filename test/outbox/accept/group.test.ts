import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GroupCommit, MAX_GROUP_BYTES, MAX_HELD_BYTES } from '../../../src/outbox/accept/group.ts';

const MIB = 1_048_576;
const mibOf = (item: string): number => Number(item.split(':')[1] ?? 1 / MIB) * MIB;
const total = (items: readonly string[]): number => items.reduce((sum, item) => sum + mibOf(item), 0);

/** A commit that refuses items that start with `bad`, items of one byte or as many MiB as they say (`a:3`), and a disk whose flushes end when the test says so. */
function setUp() {
  const commits: (readonly string[])[] = [];
  const written: string[] = [];
  const shared: string[] = [];
  const flushes: { end: () => void; fail: (reason: Error) => void }[] = [];
  const faults: { at: 'begin' | 'end' | null } = { at: null };
  const failAt = (stage: 'begin' | 'end'): void => {
    if (faults.at !== stage) return;
    faults.at = null;
    throw new Error(`a bug at the ${stage}`);
  };
  const group = new GroupCommit<string, string>({
    begin: () => {
      failAt('begin');
      shared.push('begin');
    },
    end: () => {
      failAt('end');
      shared.push(`end after ${written.length}`);
    },
    commit: (items) => {
      const bad = items.find((item) => item.startsWith('bad'));
      if (bad !== undefined) throw new Error(`cannot write ${bad}`);
      commits.push(items);
      written.push(...items);
      return items.map((item) => `${item}!`);
    },
    flushed: () => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      flushes.push({ end: resolve, fail: reject });
      return promise;
    },
    sizeOf: mibOf,
    refused: (item) => `${item} refused`,
  });
  return { group, commits, written, shared, flushes, faults };
}

/** Lets everything run that does not wait for a flush. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

const outcomes = async (answers: readonly Promise<string>[]): Promise<readonly string[]> =>
  (await Promise.allSettled(answers)).map((settled) =>
    settled.status === 'fulfilled' ? settled.value : String(settled.reason),
  );

describe('committing in groups', () => {
  it('writes the first at once, and those that come during its flush in one commit', async () => {
    const { group, commits, flushes } = setUp();
    const answers = ['a', 'b', 'c', 'd'].map((item) => group.add(item));
    expect(commits).toEqual([['a']]);
    flushes[0]?.end();
    await settle();
    expect(commits).toEqual([['a'], ['b', 'c', 'd']]);
    flushes[1]?.end();
    expect(await outcomes(answers)).toEqual(['a!', 'b!', 'c!', 'd!']);
    expect(flushes).toHaveLength(2);
  });

  it('answers nobody before the flush', async () => {
    const { group, flushes } = setUp();
    const answer = group.add('a');
    const nobody = settle().then(() => 'nobody yet');
    expect(await Promise.race([answer, nobody])).toBe('nobody yet');
    flushes[0]?.end();
    expect(await answer).toBe('a!');
  });

  it('lets an item that cannot be written fail alone; its neighbours are written, in order, with one flush', async () => {
    const { group, written, flushes } = setUp();
    const first = group.add('first');
    const rest = ['a', 'bad 1', 'b', 'bad 2', 'c'].map((item) => group.add(item));
    flushes[0]?.end();
    await first;
    await settle();
    flushes[1]?.end();
    expect(await outcomes(rest)).toEqual([
      'a!',
      'Error: cannot write bad 1',
      'b!',
      'Error: cannot write bad 2',
      'c!',
    ]);
    expect(written).toEqual(['first', 'a', 'b', 'c']);
    expect(flushes).toHaveLength(2);
  });

  it('rejects the whole group when the flush fails, and goes on with those that came meanwhile', async () => {
    const { group, flushes } = setUp();
    const first = group.add('a');
    const rest = [group.add('b'), group.add('c')];
    flushes[0]?.fail(new Error('the disk is gone'));
    expect(await outcomes([first])).toEqual(['Error: the disk is gone']);
    await settle();
    flushes[1]?.end();
    expect(await outcomes(rest)).toEqual(['b!', 'c!']);
  });

  it.each(['begin', 'end'] as const)('fails one commit alone after a bug at its %s', async (stage) => {
    const { group, flushes, faults } = setUp();
    faults.at = stage;
    const answers: string[] = [];
    void outcomes([group.add('a:32')]).then((outcome) => answers.push(...outcome));
    await settle();
    expect(answers).toEqual([`Error: a bug at the ${stage}`]);
    const next = group.add('b:32');
    flushes.at(-1)?.end();
    expect(await next).toBe('b:32!');
  });

  it('starts anew after it came to rest', async () => {
    const { group, commits, flushes } = setUp();
    const first = group.add('a');
    flushes[0]?.end();
    await first;
    await settle();
    const second = group.add('b');
    expect(commits).toEqual([['a'], ['b']]);
    flushes[1]?.end();
    expect(await second).toBe('b!');
  });

  it('bounds a commit', async () => {
    const { group, commits, flushes } = setUp();
    const answers = Array.from({ length: 1_001 }, (_, n) => group.add(String(n)));
    for (let flush = 0; flush < 5; flush += 1) {
      flushes[flush]?.end();
      await settle();
    }
    expect(await outcomes(answers)).toHaveLength(1_001);
    expect(commits.map(({ length }) => length)).toEqual([1, 256, 256, 256, 232]);
  });

  it('answers each with its own outcome and keeps the order, whatever comes and whatever fails', async () => {
    const item = fc.record({ isBad: fc.boolean(), isFlushedFirst: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 30 }), async (items) => {
        const { group, written, flushes } = setUp();
        const answers: Promise<string>[] = [];
        for (const [n, { isBad, isFlushedFirst }] of items.entries()) {
          answers.push(group.add(isBad ? `bad ${n}` : `${n}`));
          if (!isFlushedFirst) continue;
          flushes.at(-1)?.end();
          await settle();
        }
        for (let last = -1; last !== flushes.length; await settle()) {
          last = flushes.length;
          flushes.at(-1)?.end();
        }
        expect(await outcomes(answers)).toEqual(
          items.map(({ isBad }, n) => (isBad ? `Error: cannot write bad ${n}` : `${n}!`)),
        );
        expect(written).toEqual(items.flatMap(({ isBad }, n) => (isBad ? [] : [`${n}`])));
      }),
    );
  });
});

describe('the memory of those that wait', () => {
  it('bounds a commit as well', async () => {
    const { group, commits, flushes } = setUp();
    const answers = ['a', 'b:3', 'c:4', 'd:2', 'e:9', 'f'].map((item) => group.add(item));
    for (let flush = 0; flush < 5; flush += 1) {
      flushes[flush]?.end();
      await settle();
    }
    expect(await outcomes(answers)).toHaveLength(6);
    expect(commits).toEqual([['a'], ['b:3', 'c:4'], ['d:2'], ['e:9'], ['f']]);
  });

  it('refuses at once what there is none for, and takes more when it is free again', async () => {
    const { group, written, flushes } = setUp();
    const held = ['a:16', 'b:16'].map((item) => group.add(item));
    expect(await group.add('c:1')).toBe('c:1 refused');
    flushes[0]?.end();
    expect(await held[0]).toBe('a:16!');
    await settle();
    const later = group.add('d:16');
    expect(await group.add('e:1')).toBe('e:1 refused');
    for (const flush of [1, 2]) {
      flushes[flush]?.end();
      await settle();
    }
    expect(await later).toBe('d:16!');
    expect(written).toEqual(['a:16', 'b:16', 'd:16']);
  });

  it('is free again after what could not be written, and after a disk that failed', async () => {
    const { group, flushes } = setUp();
    const bad = group.add('bad:20');
    flushes[0]?.end();
    expect(await outcomes([bad])).toEqual(['Error: cannot write bad:20']);
    await settle();
    const lost = group.add('a:20');
    flushes[1]?.fail(new Error('the disk is gone'));
    expect(await outcomes([lost])).toEqual(['Error: the disk is gone']);
    await settle();
    const taken = group.add('b:32');
    flushes[2]?.end();
    expect(await taken).toBe('b:32!');
  });

  it('is enough for one item of any size when nothing else waits: no sender may be refused for ever', async () => {
    const { group, flushes } = setUp();
    const large = group.add('a:40');
    flushes[0]?.end();
    expect(await large).toBe('a:40!');
  });

  it('is never more than its bound, and each item is written once or refused, whatever comes', async () => {
    const item = fc.record({ mib: fc.integer({ min: 0, max: 12 }), isFlushedFirst: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 40 }), async (items) => {
        const { group, commits, written, flushes } = setUp();
        const answers: Promise<string>[] = [];
        const open = new Set<string>();
        for (const [n, { mib, isFlushedFirst }] of items.entries()) {
          const name = `${n}:${mib}`;
          open.add(name);
          answers.push(group.add(name).finally(() => open.delete(name)));
          await settle();
          expect(total([...open])).toBeLessThanOrEqual(MAX_HELD_BYTES);
          if (isFlushedFirst) flushes.at(-1)?.end();
          await settle();
        }
        for (let last = -1; last !== flushes.length; await settle()) {
          last = flushes.length;
          flushes.at(-1)?.end();
        }
        const answered = await outcomes(answers);
        const taken = items.flatMap(({ mib }, n) =>
          answered[n] === `${n}:${mib} refused` ? [] : [`${n}:${mib}`],
        );
        expect(written).toEqual(taken);
        for (const commit of commits)
          expect(commit.length === 1 || total(commit) <= MAX_GROUP_BYTES).toBe(true);
      }),
    );
  });
});

describe('what else is to be written', () => {
  it('is written before and after the items of each commit', async () => {
    const { group, shared, flushes } = setUp();
    void group.add('a');
    expect(shared).toEqual(['begin', 'end after 1']);
    void group.add('b');
    flushes[0]?.end();
    await settle();
    expect(shared).toEqual(['begin', 'end after 1', 'begin', 'end after 2']);
  });

  it('shares the next commit of items, and is answered with it', async () => {
    const { group, commits, flushes } = setUp();
    void group.add('a');
    const done: string[] = [];
    void group.next().then(() => done.push('next'));
    void group.add('b').then(() => done.push('b'));
    flushes[0]?.end();
    await settle();
    expect(commits).toEqual([['a'], ['b']]);
    expect(done).toEqual([]);
    flushes[1]?.end();
    await settle();
    expect(done.toSorted()).toEqual(['b', 'next']);
  });

  it('has a commit of its own when no item waits', async () => {
    const { group, commits, shared, flushes } = setUp();
    const next = group.next();
    expect([commits, shared]).toEqual([[], ['begin', 'end after 0']]);
    flushes[0]?.fail(new Error('the disk is gone'));
    await expect(next).rejects.toThrow('the disk is gone');
  });
});
