import { describe, expect, it } from 'vitest';
import { inWords, nameSamples, sampleName } from '../../../console/api/set-up-texts.ts';
import type { ProviderAnswer } from '../../../console/api/types.ts';

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that are read
const provider = {
  id: 'acme',
  setup: 'Open it.',
  secret: { name: 'ACME_SECRET', hint: 'The secret.' },
  asks: { site: { question: 'Which site?', example: 'acme', pattern: '^a' }, more: { question: 'More?' } },
} as unknown as ProviderAnswer;

describe('a provider in another language', () => {
  it('has its steps, where its secret is, and its questions', () => {
    const german = inWords(provider, {
      setup: 'Öffne es.',
      hint: 'Das Secret.',
      asks: { site: 'Welche Site?' },
    });
    expect(german).toMatchObject({
      setup: 'Öffne es.',
      secret: { name: 'ACME_SECRET', hint: 'Das Secret.' },
      asks: {
        site: { question: 'Welche Site?', example: 'acme', pattern: '^a' },
        more: { question: 'More?' },
      },
    });
  });

  it('has names of samples, and the API’s for the others', () => {
    nameSamples({ setup: '', samples: { 'paid again': 'noch einmal bezahlt' } });
    expect(['paid again', 'charge.refunded'].map(sampleName)).toEqual([
      'noch einmal bezahlt',
      'charge.refunded',
    ]);
  });

  it('keeps what is not said in it', () => {
    expect(inWords(provider, { setup: 'Öffne es.' })).toMatchObject({
      secret: { hint: 'The secret.' },
      asks: { site: { question: 'Which site?' } },
    });
  });
});
