import { describe, expect, it } from 'vitest';
import { heartbeatOf } from '../../src/metrics/heartbeat.ts';
import { sourceOf } from '../ingest/support.ts';
import { accountOf } from './support.ts';

const HOUR = 3_600_000;
const NOW = 100 * HOUR;

const stateOf = (lastAt: number | null, since: number | null) =>
  heartbeatOf(
    sourceOf({ heartbeat: '24h' }),
    accountOf(lastAt === null ? {} : { 'last shop': lastAt }, {
      watched: new Map(since === null ? [] : [['shop', since]]),
    }),
    NOW,
  );

describe('a source’s heartbeat', () => {
  it('is none without one in its document', () => {
    expect(heartbeatOf(sourceOf(), accountOf(), NOW)).toBeNull();
  });

  it.each([
    ['was heard of in time', NOW - 24 * HOUR, 0, false],
    ['was not', NOW - 24 * HOUR - 1, 0, true],
    ['was never heard of, and is watched for long', null, NOW - 25 * HOUR, true],
    ['was never heard of, and is new', null, NOW - HOUR, false],
    ['is not watched yet', null, null, false],
  ])('of one that %s', (_, lastAt, since, overdue) => {
    expect(stateOf(lastAt, since)).toEqual({ expected: '1d', overdue });
  });
});
