import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import { shardWarnings, waitingWarnings } from '../../src/registry/shard-change.ts';
import type { ConfigSet } from '../../src/config/schema.ts';
import { containing, setOf } from '../config/support.ts';

const configOf = (accounts: ConfigSet['accounts']) => compileConfig(setOf({ accounts }), 1).config;
const wide = (shards: number) => ({ rate: false, shards });
const changed = (before: ConfigSet['accounts'], after: ConfigSet['accounts']) => ({
  before: configOf(before),
  after: configOf(after),
  documents: before,
});

describe('what a change of `shards` is told of', () => {
  it.each([
    [1, 4],
    [4, 2],
  ])('is what is not carried over from %i to %i', (from, to) => {
    expect(shardWarnings(changed({ sales: wide(from) }, { sales: wide(to) }))).toEqual([
      { path: 'accounts.sales.shards', message: containing(`goes from ${from} to ${to}`) },
    ]);
  });

  it('is nothing when they stay, or the account is new', () => {
    expect(shardWarnings(changed({ sales: wide(4) }, { sales: wide(4), other: wide(3) }))).toEqual([]);
  });
});

describe('an account that is removed', () => {
  const removed = changed({ sales: wide(2), other: {} }, { other: {} });
  const holding = { status: () => Promise.resolve({ queued: 3, retrying: 1, sending: 1 }) };

  it('is told of with all that waits in it', async () => {
    expect(await waitingWarnings(removed, () => [holding, holding])).toEqual([
      { path: 'accounts.sales', message: containing('10 messages wait in it') },
    ]);
  });

  it('is told of even when nobody can count', async () => {
    const broken = { status: () => Promise.reject(new Error('overloaded')) };
    expect(await waitingWarnings(removed, () => [holding, broken])).toEqual([
      { path: 'accounts.sales', message: containing('an unknown number of messages') },
    ]);
  });

  it('is never `default`, which has settings without a document', async () => {
    expect(await waitingWarnings(changed({ default: {} }, {}), () => [holding])).toEqual([]);
  });
});
