const now = { person: 'anna', since: '2026-11-23T08:00:00.000Z', until: '2026-11-30T08:00:00.000Z' };
const next = { person: 'ben', since: '2026-11-30T08:00:00.000Z', until: '2026-12-07T08:00:00.000Z' };

const calendar = 'https://hooks.example.com/calendar/on-call.0hk7nd0gz3a90hk7nd0gz3a9.ics';

const override = { person: 'ben', from: '2026-11-27T18:00', to: '2026-11-28T09:00' };
const added = {
  origin: 'hand',
  id: 'ovr_0hk7nd0gz3a9',
  ...override,
  since: '2026-11-27T17:00:00.000Z',
  until: '2026-11-28T08:00:00.000Z',
  by: 'ada@example.com',
  created_at: '2026-11-27T16:58:12.031Z',
  list: 'on-call',
};

export const onCallExamples = {
  now: {
    weekly: {
      value: {
        name: 'on-call',
        timezone: 'Europe/Berlin',
        at: '2026-11-26T12:00:00.000Z',
        now,
        next,
        spans: [now, next],
        overrides: [added],
        calendar,
      },
    },
  },
  calendar: { renewed: { value: { calendar } } },
  override: { evening: { value: override } },
  added: { added: { value: added } },
  ended: {
    hand: { summary: 'One by hand', value: { ...added, ended_at: '2026-11-28T02:40:00.000Z' } },
    document: { summary: 'One of the document', value: { version: 8, warnings: [] } },
  },
};
