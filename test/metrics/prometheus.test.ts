import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exposition, type Family } from '../../src/metrics/prometheus.ts';
import { parseExposition } from './exposition.ts';

const family = (over: Partial<Family> = {}): Family => ({
  name: 'hookbell_things_total',
  type: 'counter',
  help: 'Things.',
  samples: [{ labels: {}, value: 1 }],
  ...over,
});

describe('the text format', () => {
  it('has HELP and TYPE before the samples, one a line', () => {
    const samples = [
      { labels: { source: 'shop', state: 'sent' }, value: 2 },
      { labels: {}, value: 0.25 },
    ];
    expect(exposition([family({ samples })])).toBe(
      '# HELP hookbell_things_total Things.\n' +
        '# TYPE hookbell_things_total counter\n' +
        'hookbell_things_total{source="shop",state="sent"} 2\n' +
        'hookbell_things_total 0.25\n',
    );
  });

  it('leaves out what has no samples', () => {
    expect(exposition([family({ samples: [] })])).toBe('');
  });

  it('escapes whatever a help or a label holds', () => {
    expect(
      exposition([family({ help: 'a\\b\n"c"', samples: [{ labels: { x: 'a\\b\n"c"' }, value: 1 }] })]),
    ).toBe(
      '# HELP hookbell_things_total a\\\\b\\n"c"\n# TYPE hookbell_things_total counter\n' +
        'hookbell_things_total{x="a\\\\b\\n\\"c\\""} 1\n',
    );
  });

  it('gives back each label as it was', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (text, value) => {
          const samples = [{ labels: { x: text, y: 'z' }, value }];
          const read = parseExposition(exposition([family({ samples })])).get('hookbell_things_total');
          expect(read?.lines).toEqual([
            { name: 'hookbell_things_total', labels: { x: text, y: 'z' }, value: value === 0 ? 0 : value },
          ]);
        },
      ),
    );
  });
});
