import { afterEach, describe, expect, it, vi } from 'vitest';
import { changedGlobals, undoStubs } from './globals.ts';

const leave = (name: string, value: unknown): boolean => Reflect.set(globalThis, name, value);

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'leftBehind');
});

describe('a test file that changes a global for those that share its runtime', () => {
  it('is found by what it left behind, new or changed', () => {
    const real = globalThis.fetch;
    leave('leftBehind', 1);
    leave('fetch', () => undefined);
    expect(changedGlobals()).toEqual(expect.arrayContaining(['fetch', 'leftBehind']));
    leave('fetch', real);
    Reflect.deleteProperty(globalThis, 'leftBehind');
    expect(changedGlobals()).toEqual([]);
  });

  it('has nothing to undo of what Vitest put over something', () => {
    vi.useFakeTimers();
    vi.stubGlobal('leftBehind', 1);
    vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response());
    expect(changedGlobals()).not.toEqual([]);
    undoStubs();
    expect(changedGlobals()).toEqual([]);
  });
});
