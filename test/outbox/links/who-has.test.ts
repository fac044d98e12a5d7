import { describe, expect, it } from 'vitest';
import { incidentId } from '../../../src/outbox/incidents/incident-id.ts';
import type { LinkedIncident } from '../../../src/outbox/links/incidents-of.ts';
import { whoHasMessages } from '../../../src/outbox/links/who-has.ts';

const incident = (title: string, notified: readonly string[], state: LinkedIncident['state'] = 'open') => ({
  id: incidentId({ source: 'alerts', route: 'on-call', key: title }),
  title,
  state,
  startedAt: '',
  askedFrom: 0,
  acknowledged: null,
  resolvedAt: null,
  notified,
});
const heard = {
  route: 'on-call',
  who: 'Anna',
  not: '1',
  only: null,
  locale: { country: undefined, locale: 'en', timezone: 'UTC' },
  maxLength: undefined,
  priority: undefined,
  forget: false,
};
const texts = (incidents: readonly LinkedIncident[], over: Partial<typeof heard> | { only: string[] } = {}) =>
  whoHasMessages(incidents, { ...heard, ...over }).map(({ phone, params }) => [phone, params['message']]);

describe('who has an incident', () => {
  it('is heard by those who were notified of it, and not by whoever has it', () => {
    expect(texts([incident('disk', ['1', '2']), incident('cpu', ['2', '3'])])).toEqual([
      ['2', 'Anna has it:\n• disk\n• cpu'],
      ['3', 'Anna has it: cpu'],
    ]);
  });

  it('is heard of none that is resolved', () => {
    expect(texts([incident('disk', ['2'], 'resolved')])).toEqual([]);
  });

  it('is taken back with those who heard it', () => {
    expect(texts([incident('disk', ['1', '2', '3'])], { only: ['3'] })).toEqual([
      ['3', 'Anna no longer has it: disk'],
    ]);
  });
});
