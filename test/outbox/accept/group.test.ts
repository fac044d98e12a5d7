import fc from 'fast-check';
import { expect, it } from 'vitest';
import { GroupCommit, MAX_GROUP_BYTES, MAX_HELD_BYTES } from '../../../src/outbox/accept/group.ts';

const MIB = 1_048_576;
const bytesOf = (item: string): number => Number(item.split(':')[1] ?? 1 / MIB) * MIB;
const total = (items: readonly string[]): number => items.reduce((sum, item) => sum + bytesOf(item), 0);

/** Lets everything run that does not wait for a flush. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

/** A commit that refuses items that start with `bad`, items of one byte or as many MiB as they say (`a:3`), and a disk whose flushes end when the test says so. */
function setUp() {
  const commits: (readonly string[])[] = [];
  const shared: string[] = [];
  const flushes: { readonly end: () => void; readonly fail: (reason: Error) => void }[] = [];
  const faults: { at: 'begin' | 'end' | null } = { at: null };
  const stage = (name: 'begin' | 'end'): void => {
    if (faults.at !== name) return void shared.push(`${name} ${commits.flat().length}`);
    faults.at = null;
    throw new Error(`a bug at the ${name}`);
  };
  const group = new GroupCommit<string, string>({
    begin: () => stage('begin'),
    end: () => stage('end'),
    commit: (items) => {
      const bad = items.find((item) => item.startsWith('bad'));
      if (bad !== undefined) throw new Error(`cannot write ${bad}`);
      commits.push(items);
      return items.map((item) => `${item}!`);
    },
    nextTurn: () => Promise.resolve(),
    flushed: () => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      flushes.push({ end: resolve, fail: reject });
      return promise;
    },
    sizeOf: bytesOf,
    refused: (item) => `${item} refused`,
  });
  /** The answers so far, and errors; null for those that still wait. */
  const answers: (string | null)[] = [];
  const add = (...items: readonly string[]): void => {
    for (const item of items) {
      const at = answers.push(null) - 1;
      const answered = (answer: unknown): void => void (answers[at] = String(answer));
      void group.add(item).then(answered, answered);
    }
  };
  /** The newest flush ends, or all that come. */
  const flush = async (times = 1): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      flushes.at(-1)?.end();
      await settle();
    }
  };
  return { group, commits, shared, flushes, faults, answers, add, flush, written: () => commits.flat() };
}

it('the first item is written at once, those that come during its flush in one commit; none is answered before', async () => {
  const { add, answers, commits, flush, flushes } = setUp();
  add('a', 'b', 'c', 'd');
  await settle();
  expect([commits, answers]).toEqual([[['a']], [null, null, null, null]]);
  await flush();
  expect([commits, answers]).toEqual([
    [['a'], ['b', 'c', 'd']],
    ['a!', null, null, null],
  ]);
  await flush();
  expect([answers, flushes.length]).toEqual([['a!', 'b!', 'c!', 'd!'], 2]);
  // It starts anew after it came to rest.
  add('e');
  await flush();
  expect([commits.at(-1), answers.at(-1)]).toEqual([['e'], 'e!']);
});

it('the whole group is rejected when its flush fails, and what came meanwhile goes on', async () => {
  const { add, answers, flush, flushes } = setUp();
  add('a', 'b', 'c');
  flushes[0]?.fail(new Error('the disk is gone'));
  await settle();
  expect(answers).toEqual(['Error: the disk is gone', null, null]);
  await flush();
  expect(answers.slice(1)).toEqual(['b!', 'c!']);
});

it.for(['begin', 'end'] as const)('one commit fails alone after a bug at its %s', async (stage) => {
  const { add, answers, faults, flush } = setUp();
  faults.at = stage;
  add('a:32');
  await settle();
  expect(answers).toEqual([`Error: a bug at the ${stage}`]);
  add('b:32');
  await flush();
  expect(answers[1]).toBe('b:32!');
});

it('a commit is bounded, in items and in memory', async () => {
  const many = setUp();
  many.add(...Array.from({ length: 1_001 }, (_, n) => String(n)));
  await many.flush(5);
  expect(many.commits.map(({ length }) => length)).toEqual([1, 256, 256, 256, 232]);
  expect(many.answers).not.toContain(null);
  const large = setUp();
  large.add('a', 'b:3', 'c:4', 'd:2', 'e:9', 'f');
  await large.flush(5);
  expect(large.commits).toEqual([['a'], ['b:3', 'c:4'], ['d:2'], ['e:9'], ['f']]);
});

it('memory is free again after what could not be written, and after a disk that failed', async () => {
  const { add, answers, flush, flushes } = setUp();
  add('bad:20');
  await flush();
  add('a:20');
  flushes.at(-1)?.fail(new Error('the disk is gone'));
  await settle();
  add('b:32');
  await flush();
  // One item of any size is taken when nothing else waits: no sender may be refused for ever.
  add('c:40');
  await flush();
  expect(answers).toEqual(['Error: cannot write bad:20', 'Error: the disk is gone', 'b:32!', 'c:40!']);
});

it('each item has its own outcome, in order, in bounded memory, whatever comes and whatever fails', async () => {
  const item = fc.record({ isBad: fc.boolean(), mib: fc.nat(12), isFlushedFirst: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 40 }), async (items) => {
      const { add, answers, commits, flush, written } = setUp();
      const names = items.map(({ isBad, mib }, n) => `${isBad ? 'bad ' : ''}${n}:${mib}`);
      for (const [n, { isFlushedFirst }] of items.entries()) {
        add(names[n] ?? '');
        await settle();
        expect(total(names.filter((_, at) => answers[at] === null))).toBeLessThanOrEqual(MAX_HELD_BYTES);
        if (isFlushedFirst) await flush();
      }
      while (answers.includes(null)) await flush();
      const taken = names.filter((name, at) => answers[at] !== `${name} refused`);
      expect(answers.filter((answer) => answer?.endsWith('refused') === false)).toEqual(
        taken.map((name) => (name.startsWith('bad') ? `Error: cannot write ${name}` : `${name}!`)),
      );
      expect(written()).toEqual(taken.filter((name) => !name.startsWith('bad')));
      for (const commit of commits)
        expect(commit.length === 1 || total(commit) <= MAX_GROUP_BYTES).toBe(true);
    }),
  );
});

it('what else is to be written is written before and after the items of each commit, or in its own', async () => {
  const { add, commits, flush, flushes, group, shared } = setUp();
  add('a');
  expect(shared).toEqual(['begin 0', 'end 1']);
  const done: string[] = [];
  void group.next().then(() => done.push('next'));
  add('b');
  await flush();
  expect([commits, shared.slice(2), done]).toEqual([[['a'], ['b']], ['begin 1', 'end 2'], []]);
  await flush();
  expect(done).toEqual(['next']);
  const next = group.next();
  expect([commits.length, shared.slice(4)]).toEqual([2, ['begin 2', 'end 2']]);
  flushes.at(-1)?.fail(new Error('the disk is gone'));
  await expect(next).rejects.toThrow('the disk is gone');
});
