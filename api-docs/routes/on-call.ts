import { endedOverride, onCall, onCallCalendar, overrideByHand } from '../../src/admin/config/api-on-call.ts';
import { prose } from '../spec.ts';
import { dryRun, ifMatch, PUBLISH_PROBLEMS } from './documents.ts';

export const onCallProse = prose('recipients', {
  getOnCall: {
    summary: 'See who is on call',
    description: 'For a list with a `rotation`.',
    query: {
      at: ['The time to look at; by default now.', '2026-11-26T12:00:00Z'],
      from: 'The start of the range; by default `at`.',
      to: 'The end of the range, up to 92 days later; by default 28 days later.',
    },
    answer: { description: 'The people on call.', schema: onCall },
    problems: ['not-found'],
  },
  revokeCalendar: {
    summary: 'Revoke the link of a calendar',
    description:
      'All links to the calendar of the list that were given away stop working, and it gets a new one.',
    answer: { description: 'The new link.', schema: onCallCalendar },
    problems: ['not-found'],
  },
  addOverride: {
    summary: 'Put somebody else on call',
    description:
      'In force at once where it was made, and everywhere within 60 seconds. It is not a document: publishing and rolling back do not change it, and it needs no publish where the set is managed in git. An override by hand takes precedence over those of the document, and over those by hand that were made earlier. The same one again changes nothing. A publish that removes the person from the list ends it.',
    body: {
      name: 'NewOverride',
      about: 'Somebody who takes over.',
      keys: {
        person: 'The name of the person who takes over.',
        from: "When it begins, in the rotation's time zone; by default now. One that has begun begins now.",
        to: 'When it ends, at most 366 days from now.',
      },
      examples: { evening: { person: 'ben', from: '2026-11-27T18:00', to: '2026-11-28T09:00' } },
    },
    answer: { description: 'It was made.', schema: overrideByHand },
    problems: ['conflict', 'not-found'],
  },
  deleteOverride: {
    summary: 'End an override',
    description:
      'One that was made by hand ends now. One of the document is deleted, which publishes a version without it. If it has begun, whoever has the turn takes over at once.',
    query: { note: dryRun.note },
    headers: ifMatch,
    answer: { description: 'The override has ended.', schema: endedOverride },
    problems: ['not-found', ...PUBLISH_PROBLEMS],
  },
});
