import fc from 'fast-check';
import { expect } from 'vitest';
import { MAX_GROUP_BYTES, MAX_HELD_BYTES } from '../../src/outbox/loop.ts';
import { Bench, settle } from './bench.ts';
import { it } from './it.ts';
import { accepted, column, START } from './support.ts';

const MIB = 1_048_576;
const bytesOf = (name: string): number => Number(name.split(':')[1] ?? 0) * MIB;
const total = (names: readonly string[]): number => names.reduce((sum, name) => sum + bytesOf(name), 0);

/** Events that are as large in memory as they say (`a:3`, in MiB), of which `bad` ones cannot be written, and a disk whose flushes end when the test says so. */
function setUp(storage: DurableObjectStorage) {
  const { sql } = storage;
  sql.exec(
    "CREATE TRIGGER IF NOT EXISTS bad BEFORE INSERT ON events WHEN NEW.type = 'bad' BEGIN SELECT RAISE(ABORT, 'bad'); END",
  );
  const rig = new Bench(storage);
  const commits: (readonly unknown[])[] = [];
  const flushes: { readonly end: () => void; readonly fail: (reason: Error) => void }[] = [];
  rig.flushed = () => {
    commits.push(column(sql, 'SELECT subject FROM events ORDER BY received_at'));
    sql.exec('DELETE FROM events');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    flushes.push({ end: resolve, fail: reject });
    return promise;
  };
  /** The answers so far; null for those that still wait. */
  const answers: (string | null)[] = [];
  const add = (...names: readonly string[]): void => {
    for (const name of names) {
      const at = answers.push(null) - 1;
      const event = accepted({
        subject: name,
        receivedAt: START + at,
        type: name.startsWith('bad') ? 'bad' : null,
        payload: new ArrayBuffer(bytesOf(name) / 2),
      });
      void rig.loop.accept({ event, messages: [] }).then(
        ({ refused }) => void (answers[at] = refused === undefined ? `${name}!` : `${name} refused`),
        () => void (answers[at] = `${name} failed`),
      );
    }
  };
  /** The newest flush ends, or all that come. */
  const flush = async (times = 1): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      flushes.at(-1)?.end();
      await settle();
    }
  };
  const breakDisk = async (): Promise<void> => {
    flushes.at(-1)?.fail(new Error('the disk is gone'));
    await settle();
  };
  return { rig, commits, flushes, answers, add, flush, breakDisk };
}

it('the first event is written at once, those that come during its flush in one commit; none is answered before', async ({
  storage,
}) => {
  const { add, answers, commits, flush, flushes } = setUp(storage);
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

it('the whole group fails when its flush does, and what came meanwhile goes on', async ({ storage }) => {
  const { add, answers, breakDisk, flush } = setUp(storage);
  add('a', 'b', 'c');
  await breakDisk();
  expect(answers).toEqual(['a failed', null, null]);
  await flush();
  expect(answers.slice(1)).toEqual(['b!', 'c!']);
});

it('one commit fails alone after a bug in what else it writes', async ({ storage }) => {
  const { add, answers, flush, rig } = setUp(storage);
  rig.onNotify = () => {
    rig.onNotify = () => undefined;
    throw new Error('a bug');
  };
  add('a:31');
  await settle();
  expect(answers).toEqual(['a:31 failed']);
  add('b:31');
  await flush();
  expect(answers[1]).toBe('b:31!');
});

it('a commit is bounded, in events and in memory', async ({ storage, sql }) => {
  const many = setUp(storage);
  many.add(...Array.from({ length: 1_001 }, (_, n) => String(n)));
  await many.flush(5);
  expect(many.commits.map(({ length }) => length)).toEqual([1, 256, 256, 256, 232]);
  expect(many.answers).not.toContain(null);
  sql.exec('DELETE FROM events');
  const large = setUp(storage);
  large.add('a', 'b:3', 'c:4', 'd:2', 'e:9', 'f');
  await large.flush(5);
  expect(large.commits).toEqual([['a'], ['b:3', 'c:4'], ['d:2'], ['e:9'], ['f']]);
});

it('memory is free again after what could not be written, and after a disk that failed', async ({
  storage,
}) => {
  const { add, answers, breakDisk, flush } = setUp(storage);
  add('bad:20');
  await flush();
  add('a:20');
  await breakDisk();
  add('b:31');
  await flush();
  // One event of any size is taken when nothing else waits: no sender may be refused for ever.
  add('c:40', 'd');
  await flush();
  expect(answers).toEqual(['bad:20 failed', 'a:20 failed', 'b:31!', 'c:40!', 'd refused']);
});

it('each event has its own answer, in order, in bounded memory, whatever comes and whatever fails', async ({
  storage,
}) => {
  const one = fc.record({ isBad: fc.boolean(), mib: fc.nat(12), isFlushedFirst: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(one, { maxLength: 20 }), async (events) => {
      const { add, answers, commits, flush } = setUp(storage);
      const names = events.map(({ isBad, mib }, n) => `${isBad ? 'bad ' : ''}${n}:${mib}`);
      for (const [n, { isFlushedFirst }] of events.entries()) {
        add(names[n] ?? '');
        await settle();
        expect(total(names.filter((_, at) => answers[at] === null))).toBeLessThanOrEqual(MAX_HELD_BYTES);
        if (isFlushedFirst) await flush();
      }
      while (answers.includes(null)) await flush();
      const taken = names.filter((name, at) => answers[at] !== `${name} refused`);
      expect(answers.filter((answer) => answer?.endsWith('refused') === false)).toEqual(
        taken.map((name) => (name.startsWith('bad') ? `${name} failed` : `${name}!`)),
      );
      expect(commits.flat()).toEqual(taken.filter((name) => !name.startsWith('bad')));
      for (const commit of commits)
        expect(commit.length <= 1 || total(commit.map(String)) <= MAX_GROUP_BYTES).toBe(true);
    }),
    { numRuns: 30 },
  );
});
