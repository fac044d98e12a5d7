import { describe, expect, it } from 'vitest';
import { aboutText, outcomesText, outcomeText, incidentName, readIncident } from '../../cli/incident.ts';
import { idOfName } from '../../src/outbox/incidents/incident-id.ts';

const item = { route: 'on-call', index: 1 };
const CLUSTER = idOfName('alerts/on-call/cluster');

describe('an incident on the command line', () => {
  it('is named by its id, or by source, route and key', () => {
    expect(readIncident(CLUSTER)).toEqual({ ok: true, value: CLUSTER });
    expect(readIncident('alerts/on-call/cluster')).toEqual({ ok: true, value: CLUSTER });
    expect(readIncident('alerts/on-call/a/b ü\n')).toEqual({
      ok: true,
      value: idOfName('alerts/on-call/a/b ü\n'),
    });
    for (const wrong of ['', 'disk', 'alerts/on-call', 'alerts/on-call/', 'inc_%', 'evt_1'])
      expect(readIncident(wrong)).toMatchObject({ ok: false, error: { message: /is no incident/ } });
  });

  it('is shown by its name', () => {
    expect(incidentName(CLUSTER)).toBe('alerts/on-call/cluster');
    expect(incidentName({ source: 'a', route: 'b', key: 'c/d' })).toBe('a/b/c/d');
    expect(incidentName('inc_?')).toBe('inc_?');
  });
});

describe('words', () => {
  it.each([
    [{ outcome: 'notified', message: 'msg_1' }, 'notified in msg_1'],
    [{ outcome: 'summarized', message: 'msg_1' }, 'summarized in msg_1'],
    [{ outcome: 'summarized' }, 'summarized in an earlier message'],
    [{ outcome: 'resolved' }, 'resolved before anybody was notified'],
    [{ outcome: 'silenced', silence: 'sunday' }, 'silenced by sunday'],
    [{ outcome: 'inhibited', incident: CLUSTER }, 'inhibited by alerts/on-call/cluster'],
    [{ outcome: 'expired' }, 'expired'],
    [{ outcome: 'waiting' }, 'waits'],
    [{ outcome: 'of a newer relay' }, 'of a newer relay'],
  ])('for the outcome %j: %s', (outcome, words) => {
    expect(outcomeText({ ...item, ...outcome })).toBe(words);
  });

  it('for the outcomes of many', () => {
    expect(outcomesText({ notified: 1, summarized: 3 })).toBe('1 notified, 3 summarized');
  });

  it('for what a notification says', () => {
    const about = { new: 2, resolved: 1, firing: 3 };
    expect(aboutText({ form: 'group', ...about })).toBe('2 new, 1 resolved, 3 open');
    expect(aboutText({ form: 'digest', ...about })).toBe('a digest: 2 new, 1 resolved, 3 open');
  });
});
