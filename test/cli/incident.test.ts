import { describe, expect, it } from 'vitest';
import { aboutText, fatesText, fateText, incidentName, readIncident } from '../../cli/incident.ts';
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
    [{ fate: 'told', message: 'msg_1' }, 'told in msg_1'],
    [{ fate: 'counted', message: 'msg_1' }, 'counted in msg_1'],
    [{ fate: 'counted' }, 'counted in an earlier message'],
    [{ fate: 'resolved' }, 'resolved before it was told'],
    [{ fate: 'silenced', silence: 'sunday' }, 'silenced by sunday'],
    [{ fate: 'inhibited', incident: CLUSTER }, 'inhibited by alerts/on-call/cluster'],
    [{ fate: 'expired' }, 'expired'],
    [{ fate: 'waiting' }, 'waits'],
    [{ fate: 'of a newer relay' }, 'of a newer relay'],
  ])('for the fate %j: %s', (fate, words) => {
    expect(fateText({ ...item, ...fate })).toBe(words);
  });

  it('for the fates of many', () => {
    expect(fatesText({ told: 1, counted: 3 })).toBe('1 told, 3 counted');
  });

  it('for what a message tells', () => {
    const about = { opened: 2, ended: 1, burning: 3 };
    expect(aboutText({ form: 'group', ...about })).toBe('2 new, 1 ended, 3 open');
    expect(aboutText({ form: 'digest', ...about })).toBe('a digest: 2 new, 1 ended, 3 open');
  });
});
