import { describe, expect, it } from 'vitest';
import { Scrape } from '../../src/metrics/scrape.ts';
import { configOf } from '../ingest/support.ts';
import { accountOf, collectedOf } from './support.ts';

const config = configOf({
  shop: { verify: { scheme: 'none' } },
  constructor: { verify: { scheme: 'none' } },
});

const scrape = new Scrape(
  collectedOf({
    config,
    accounts: new Map([
      ['default', accountOf({ 'event gone routed': 1, 'event shop routed': 2, 'attempt sent': 1 })],
      ['away', null],
    ]),
  }),
  0,
);

describe('a scrape', () => {
  it('asks of each account that could be read', () => {
    expect(scrape.byAccount((_, account) => [[{}, account.length]])).toEqual([
      { labels: { account: 'default' }, value: 7 },
    ]);
  });

  it('asks of each source once: configured or counted', () => {
    const samples = scrape.bySource((counts, source) => [[{}, counts.get('event', source, 'routed')]]);
    expect(samples.map(({ labels, value }) => [labels['source'], value])).toEqual([
      ['shop', 2],
      ['constructor', 0],
      ['gone', 1],
    ]);
  });

  it('asks of configured sources alone where the others have nothing to say', () => {
    expect(scrape.byConfigured(() => [[{}, 1]]).map(({ labels }) => labels['source'])).toEqual([
      'shop',
      'constructor',
    ]);
  });
});
