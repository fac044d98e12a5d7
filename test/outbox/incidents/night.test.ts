import { describe, expect, it } from 'vitest';
import { inStorage } from '../in-storage.ts';
import { IncidentsBench } from './bench.ts';
import { NIGHT } from './night/configuration.ts';
import events from './night/events.txt?raw';
import { replay, written } from './night/replay.ts';

const HOUR = 3_600_000;
// fixed date: the bench has a clock of its own, which is set to noon of the day before the night of 25 hours
const NOON = Date.UTC(2026, 9, 24, 10);

describe('a night of a thousand webhooks, in which the clocks go back', () => {
  /** `npx vitest run -u` writes the file again: read what has changed as the person who is woken by it. */
  it('notifies three people as night/expected.txt says', () =>
    inStorage(async ({ storage }) => {
      const bench = new IncidentsBench(storage, NIGHT);
      bench.now = NOON;
      await replay(bench, events, 5 * HOUR);
      expect(bench.outcomes).not.toContain('waiting');
      await expect(written(bench)).toMatchFileSnapshot('./night/expected.txt');
    }));
});
