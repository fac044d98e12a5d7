import { expect, it } from 'vitest';
import { inStorage } from '../in-storage.ts';
import { IncidentsBench } from './bench.ts';
import { NIGHT } from './night/configuration.ts';
import events from './night/events.txt?raw';
import { replay, written } from './night/replay.ts';

const HOUR = 3_600_000;
// fixed date: the bench has a clock of its own, which is set to noon of the day before the night of 25 hours
const NOON = Date.UTC(2026, 9, 24, 10);

/**
 * By day one thing after the other; 18:10 a storm of forty, which ends in three parts; 20:00 a disk that is full and is
 * not, twelve times; 21:50 and 22:30 what ends in the quiet hours and after them; 01:40 a cluster with all that is in it;
 * 02:00 maintenance of staging, from which one machine does not come back; 02:30 what begins in the summer’s hour and ends
 * in the winter’s; 04:30 fifteen services at once. `npx vitest run -u` writes the expected messages again: read what has
 * changed as the person who is woken by it.
 */
it('a night of a thousand webhooks, in which the clocks go back, notifies three people as night/expected.txt says', () =>
  inStorage(async ({ storage }) => {
    const bench = new IncidentsBench(storage, NIGHT);
    bench.now = NOON;
    await replay(bench, events, 5 * HOUR);
    expect(bench.outcomes).not.toContain('waiting');
    await expect(written(bench)).toMatchFileSnapshot('./night/expected.txt');
  }));
