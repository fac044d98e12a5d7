import { describe, expect, it } from 'vitest';
import { silentFor, watchedSources } from '../../../src/outbox/notify/silent-source.ts';
import { configOf } from '../../ingest/support.ts';
import { HOUR } from '../support.ts';

describe('how long a source is silent', () => {
  it.each([
    [null, 10, 15, 5],
    [5, 10, 15, 5],
    [12, 10, 15, 3],
  ])('last heard of at %s, watched since %d, at %d: %d', (lastAt, since, now, silent) => {
    expect(silentFor(lastAt, since, now)).toBe(silent);
  });
});

describe('the sources that are watched', () => {
  it('are those of the account that have a heartbeat', () => {
    const open = { verify: { scheme: 'none' } };
    const config = configOf(
      {
        shop: { ...open, heartbeat: '1h' },
        quiet: open,
        other: { ...open, heartbeat: '1h', account: 'sales' },
      },
      { accounts: { sales: {} } },
    );
    expect(watchedSources(config, 'default')).toEqual([{ source: 'shop', expectedMs: HOUR }]);
  });
});
