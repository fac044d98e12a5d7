import { describe, expect, test } from 'vitest';
import { currentInvocation, io, runIn, spendCall, type Ending, type Invocation } from './owner.ts';

/** An owner whose I/O is counted, and that lets every event in at once. */
function startOwner() {
  const state = { isAlive: true, underWay: 0 };
  const invocation: Invocation = {
    callsLeft: 2,
    section: null,
    owner: {
      className: null,
      get isAlive() {
        return state.isAlive;
      },
      deliver: (event, run) => runIn(event, run),
      released: (send) => send(),
      begin: () => void (state.underWay += 1),
      end: () => void (state.underWay -= 1),
    },
  };
  return { state, invocation };
}

/** An operation that the test ends. */
function begin(invocation: Invocation) {
  const endings: Ending<string>[] = [];
  const ended: string[] = [];
  const operation = io<string>(invocation, (ending) => void endings.push(ending));
  const ends = operation.then(
    (value) => ended.push(value),
    (error: unknown) => ended.push(String(error)),
  );
  const [ending] = endings;
  if (ending === undefined) throw new Error('it has not begun');
  return { ...ending, ended, ends };
}

describe('I/O', () => {
  test('outside of any event is refused', () => {
    expect(() => currentInvocation('fetch')).toThrow(
      'Disallowed operation called within global scope: fetch',
    );
  });

  test('belongs to the event whose code began it, whoever ends it', async () => {
    const { invocation } = startOwner();
    const other = startOwner().invocation;
    const { promise, resolve } = Promise.withResolvers<void>();
    const seen = runIn(invocation, async () => {
      await promise;
      return currentInvocation('KV get');
    });
    runIn(other, () => resolve());
    expect(await seen).toBe(invocation);
  });

  test('ends once', async () => {
    const { state, invocation } = startOwner();
    const { resolve, reject, ended, ends } = begin(invocation);
    expect(state.underWay).toBe(1);
    resolve('first');
    reject(new Error('second'));
    await ends;
    expect([ended, state.underWay]).toEqual([['first'], 0]);
  });

  test('of an owner that is gone never ends', async () => {
    const { state, invocation } = startOwner();
    const { resolve, ended } = begin(invocation);
    state.isAlive = false;
    resolve('late');
    await new Promise((resolve) => void setImmediate(resolve));
    expect(ended).toEqual([]);
  });

  test('that is refused has never begun', async () => {
    const { state, invocation } = startOwner();
    const refused = io(invocation, () => {
      throw new Error('no');
    });
    await expect(refused).rejects.toThrow('no');
    expect(state.underWay).toBe(0);
  });

  test('is counted, and refused over the limit of the event', () => {
    const { invocation } = startOwner();
    spendCall(invocation);
    spendCall(invocation);
    expect(() => spendCall(invocation)).toThrow('Too many subrequests.');
  });
});
