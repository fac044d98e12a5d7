import type { Examples } from '../spec.ts';
import { maintenance } from './documents.ts';

const newOne = {
  of: { source: 'alerts' },
  until: '2026-02-01T04:00:00Z',
  reason: 'moving the database',
};
const added = {
  origin: 'hand',
  state: 'active',
  id: 'sil_0hk7nd0gz3a9',
  by: 'ada@example.com',
  created_at: '2026-02-01T01:58:12.031Z',
  ...newOne,
};

export const silenceExamples = {
  condition: {
    one: { value: { when: 'event.source == "alerts" and item.labels.env == "staging"' } },
    incidents: { value: { of: { source: 'alerts', route: 'on-call', keys: ['disk', 'C:\\temp'] } } },
  },
  look: { some: { value: { open: 300, matches: 75, warnings: [] } } },
  new: { backup: { value: newOne } },
  added: { added: { value: { ...added, open: 300, matches: 75, warnings: [] } } },
  ended: {
    hand: {
      summary: 'One by hand',
      value: { ...added, state: 'ended', ended_at: '2026-02-01T02:40:00.000Z' },
    },
    document: { summary: 'A document', value: { version: 8, warnings: [] } },
  },
  page: {
    all: {
      value: {
        items: [added, { id: 'maintenance', origin: 'document', state: 'pending', ...maintenance }],
        next_cursor: null,
      },
    },
  },
} as const satisfies Record<string, Examples>;
