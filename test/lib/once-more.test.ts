import { describe, expect, it } from 'vitest';
import { onceMore } from '../../src/lib/once-more.ts';

/** A call that goes wrong so often, and how often it was made. */
function failing(times: number, fault: Error = new Error('gone')) {
  const call = {
    made: 0,
    work: async (): Promise<string> => {
      call.made += 1;
      if (call.made <= times) throw fault;
      return 'done';
    },
  };
  return call;
}

describe('a call of an object', () => {
  it('is made once more when it goes wrong, and not again', async () => {
    const [never, once, twice] = [failing(0), failing(1), failing(2)];
    expect(await onceMore(never.work)).toBe('done');
    expect(await onceMore(once.work)).toBe('done');
    await expect(onceMore(twice.work)).rejects.toThrow('gone');
    expect([never.made, once.made, twice.made]).toEqual([1, 2, 2]);
  });

  it('is not repeated if the object has too much to do', async () => {
    const busy = failing(1, Object.assign(new Error('busy'), { overloaded: true }));
    await expect(onceMore(busy.work)).rejects.toThrow('busy');
    expect(busy.made).toBe(1);
  });
});
