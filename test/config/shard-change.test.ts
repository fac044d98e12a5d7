import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import { shardErrors } from '../../src/config/shard-change.ts';
import type { ConfigSet } from '../../src/config/schema.ts';
import { containing, setOf } from './support.ts';

const configOf = (accounts: ConfigSet['accounts']) => compileConfig(setOf({ accounts }), 1).config;
const wide = (shards: number) => ({ rate: false, shards });

describe('how many objects carry an account', () => {
  it.each([
    [1, 1],
    [1, 4],
    [4, 8],
  ])('may go from %i to %i', (from, to) => {
    expect(shardErrors(configOf({ sales: wide(from) }), configOf({ sales: wide(to) }))).toEqual([]);
  });

  it('may not become less: messages may be waiting in the others', () => {
    expect(shardErrors(configOf({ sales: wide(4) }), configOf({ sales: wide(2) }))).toEqual([
      { path: 'accounts.sales.shards', message: containing('cannot go from 4 to 2') },
    ]);
  });

  it('may not become less by taking the account’s document away', () => {
    expect(shardErrors(configOf({ default: wide(4) }), configOf({}))).toHaveLength(1);
    expect(shardErrors(configOf({ sales: wide(1) }), configOf({}))).toEqual([]);
  });
});
