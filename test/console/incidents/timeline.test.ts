import { describe, expect, test } from 'vitest';
import type { IncidentAnswer } from '../../../console/api/types.ts';
import { heldBy, knowing, nameOf } from '../../../console/parts/incident/name.ts';
import { timelineOf } from '../../../console/pages/incidents/timeline.ts';

const at = (minute: number): string => `2026-03-01T02:${String(minute).padStart(2, '0')}:00.000Z`;

const receiver = (
  part: Partial<IncidentAnswer['receivers'][number]> = {},
): IncidentAnswer['receivers'][number] => ({
  phone: '4915112345678',
  state: 'notified',
  items: {},
  message: 'msg_1',
  ...part,
});

const incident = (part: Partial<IncidentAnswer> = {}): IncidentAnswer => ({
  id: 'inc_1',
  account: 'default',
  source: 'monitor',
  route: 'on-call',
  key: '000000000000012b',
  state: 'open',
  started_at: at(0),
  heard_at: at(0),
  occurrences: 1,
  flapping: false,
  critical: false,
  event: 'evt_1',
  receivers: [receiver()],
  ...part,
});

const lines = (one: IncidentAnswer): readonly string[] => timelineOf(one).map(({ is }) => is);

describe('the timeline of an incident', () => {
  test('says in order when it opened, who was notified, who has it and who resolved it', () => {
    const one = incident({
      state: 'resolved',
      acknowledged_at: at(5),
      acknowledged_by: 'anna',
      resolved_at: at(9),
      resolved_by: 'ben',
      receivers: [
        receiver({
          notifications: [
            { message: 'msg_1', items: 1, state: 'sent', created_at: at(1), sent_at: at(2) },
            { message: 'msg_2', items: 1, state: 'queued', created_at: at(9) },
          ],
        }),
      ],
    });
    expect(lines(one)).toEqual(['opened', 'notified', 'acknowledged', 'notifying', 'resolvedBy']);
    expect(timelineOf(one).at(-1)).toMatchObject({ by: 'ben' });
  });

  test('has the steps that were taken, and the next one', () => {
    const one = incident({
      steps: [{ at: at(10), step: 1, to: ['second-line'] }],
      next: { at: at(30), step: 2, to: ['managers'] },
    });
    expect(timelineOf(one)).toEqual([
      { is: 'opened', at: at(0) },
      { is: 'escalated', at: at(10), to: ['second-line'] },
      { is: 'next', at: at(30), to: ['managers'] },
    ]);
  });

  test('ends with what holds it back now', () => {
    const receivers = [receiver({ state: 'held', silence: 'sil_1' }), receiver({ state: 'waiting' })];
    expect(lines(incident({ receivers }))).toEqual(['opened', 'silenced', 'waits']);
  });
});

describe('an incident', () => {
  test('is called by its title, and by its key only as the last resort', () => {
    expect(nameOf(incident({ title: 'HighLatency web-1' }))).toBe('HighLatency web-1');
    expect(nameOf(incident())).toBe('000000000000012b');
    expect(nameOf(incident({ title: 'hidden', key: 'hidden' }))).toBe('monitor · on-call');
  });

  test('has as many to notify of its end as know of it', () => {
    const { message: _message, ...waiting } = receiver({ state: 'waiting' });
    expect(knowing(incident())).toBe(1);
    expect(knowing(incident({ receivers: [receiver(), receiver(), waiting] }))).toBe(2);
  });

  test('is silenced only if it is for all of its receivers', () => {
    const held = receiver({ state: 'held', silence: 'sil_1' });
    expect(heldBy(incident({ receivers: [held, held] }))).toBe('silenced');
    expect(heldBy(incident({ receivers: [held, receiver()] }))).toBe(null);
  });
});
