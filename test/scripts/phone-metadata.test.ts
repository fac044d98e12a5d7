import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { numberingPlans, phoneMetadata } from '../../scripts/phone-metadata.ts';
import { bitReader, modelled } from '../../src/lib/bit-model.ts';
import json from '../../src/template/filters/phone-metadata.json' with { type: 'json' };
import { readTrees } from '../../src/template/filters/phone-packed.ts';

const plans = numberingPlans();

describe('the numbering plans', () => {
  it('are those of the library as it is installed; if not: `npm run phone-metadata`', () => {
    const file = join(import.meta.dirname, '../../src/template/filters/phone-metadata.json');
    expect(readFileSync(file, 'utf8') === phoneMetadata(plans)).toBe(true);
  });

  it('are unpacked as they were', () => {
    expect(readTrees(json.count, modelled(bitReader(json.trees)))).toEqual(plans.trees);
  });
});
