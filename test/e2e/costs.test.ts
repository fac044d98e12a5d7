import { beforeAll, describe, expect, inject, it } from 'vitest';
import { statementsTable } from '../bench/operations.ts';
import { costs, type CostsReport } from './costs.ts';

/**
 * A bound is the counted number and a little more, see docs/performance.md. The speed of the machine hardly matters.
 */
describe('an event of one message, beside an expired one for each', () => {
  let report: CostsReport;
  beforeAll(async () => {
    report = await costs(inject('bundles'));
  }, 120_000);

  /** The statements to look at when a bound is exceeded. */
  const byStatement = (): string =>
    statementsTable(
      new Map([
        ['alone', report.alone],
        ['under load', report.underLoad],
        ['paced backlog', report.pacedBacklog],
      ]),
    );

  it('writes 5 rows, a part of one for alarms, and fewer where commits are shared', () => {
    // Of the event, the claim of its key, the message, the checkpoint, the record.
    expect(report.alone.allRowsWritten, byStatement()).toBeLessThanOrEqual(5.4);
    expect(report.underLoad.allRowsWritten, byStatement()).toBeLessThanOrEqual(4.9);
  });

  it('writes 6 rows in a paced backlog', () => {
    // Of the event, the claim of its key, the message, the checkpoint, the alarm, the record.
    // Once: an alarm, counters, the end of a sweep: some five rows of 21 events, and one or two more where a slow machine’s alarm comes late.
    expect(report.pacedBacklog.allRowsWritten, byStatement()).toBeLessThanOrEqual(6.3);
  });

  it('is on disk by one commit when its sender has the answer, and by no more', () => {
    const { commitsAtAnswer } = report;
    expect(Math.min(...commitsAtAnswer)).toBe(1);
    // An alarm’s own commit may come at that moment, once in a while.
    expect(commitsAtAnswer.filter((commits) => commits > 1).length, String(commitsAtAnswer)).toBeLessThan(2);
  });

  it('takes three commits alone: accepted, recorded, and now and then an alarm', () => {
    expect(report.alone.flushes).toBeLessThanOrEqual(3);
  });

  it('shares commits under load', () => {
    // On a slower disk more events share one: there were 0.6 to 0.9.
    expect(report.underLoad.flushes).toBeLessThanOrEqual(1.2);
  });

  it('takes few statements', () => {
    expect(report.alone.statements, byStatement()).toBeLessThanOrEqual(12.5);
    expect(report.underLoad.statements, byStatement()).toBeLessThanOrEqual(6.5);
    expect(report.pacedBacklog.statements, byStatement()).toBeLessThanOrEqual(20);
  });

  it('calls the outbox once a webhook, and the gateway once a message', () => {
    for (const { outboxCalls, gatewayCalls } of [report.alone, report.underLoad, report.pacedBacklog])
      expect({ outboxCalls, gatewayCalls }).toEqual({ outboxCalls: 1, gatewayCalls: 1 });
  });

  it('needs an alarm only where it waits', () => {
    expect(report.alone.alarms).toBeLessThanOrEqual(0.2);
    expect(report.underLoad.alarms).toBeLessThanOrEqual(0.1);
    // One for each message that the pace has wait.
    expect(report.pacedBacklog.alarms).toBeLessThanOrEqual(1.2);
  });

  it('takes 5.4 KB on disk with its message, 1.2 KB of them the payload', () => {
    // A row of a table `WITHOUT ROWID` that is longer than a quarter of a page has a page of its own for the rest.
    expect(report.underLoad.storedBytes).toBeLessThanOrEqual(5_400);
  });
});
