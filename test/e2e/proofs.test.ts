import { expect, inject, it } from 'vitest';
import { PROOFS } from './proofs.ts';
import { seedOfRun } from './random.ts';

const seed = seedOfRun();

it.each(Object.entries(PROOFS))(`%s (SEED=${seed})`, async (_, proof) => {
  expect(await proof(inject('bundles'), seed)).toEqual([]);
});
