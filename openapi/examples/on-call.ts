const now = { person: 'anna', since: '2026-11-23T08:00:00.000Z', until: '2026-11-30T08:00:00.000Z' };
const next = { person: 'ben', since: '2026-11-30T08:00:00.000Z', until: '2026-12-07T08:00:00.000Z' };

const calendar = 'https://hooks.example.com/calendar/on-call.0hk7nd0gz3a90hk7nd0gz3a9.ics';

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
        overrides: [],
        calendar,
      },
    },
  },
  calendar: { renewed: { value: { calendar } } },
  override: { evening: { value: { person: 'ben', from: '2026-11-27T18:00', to: '2026-11-28T09:00' } } },
};
