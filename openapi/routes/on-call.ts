import { onCallRoutes } from '../../src/admin/config/on-call.ts';
import { activatedExamples } from '../examples/config.ts';
import { onCallExamples } from '../examples/on-call.ts';
import { activated } from '../../src/admin/config/api-published.ts';
import { onCall, onCallCalendar } from '../../src/admin/config/api-on-call.ts';
import { described } from '../spec.ts';
import { dryRun, ifMatch, PUBLISH_PROBLEMS } from './documents.ts';

/** Rotations of recipients lists. */
export const onCallSpecs = described(onCallRoutes, {
  getOnCall: {
    tag: 'recipients',
    summary: 'See who is on call',
    description: 'For a list with a `rotation`.',
    query: {
      at: ['The time to look at; by default now.', '2026-11-26T12:00:00Z'],
      from: 'The start of the range; by default `at`.',
      to: 'The end of the range, up to 92 days later; by default 28 days later.',
    },
    answer: { description: 'The people on call.', schema: onCall, examples: onCallExamples.now },
    problems: ['not-found'],
  },
  revokeCalendar: {
    tag: 'recipients',
    summary: 'Revoke the link of a calendar',
    description:
      'All links to the calendar of the list that were given away stop working, and it gets a new one.',
    answer: { description: 'The new link.', schema: onCallCalendar, examples: onCallExamples.calendar },
    problems: ['not-found'],
  },
  addOverride: {
    tag: 'recipients',
    summary: 'Put somebody else on call',
    description:
      'Publishes the list with one more override. The same override again changes nothing. One that overlaps with another is refused. With `replace: true`, it replaces the override in force when it begins, for as long as it lasts.',
    query: { note: dryRun.note },
    headers: ifMatch,
    body: onCallExamples.override,
    answer: {
      description: 'The override is active, or it was there already.',
      schema: activated,
      examples: activatedExamples,
    },
    problems: ['not-found', 'too-large', ...PUBLISH_PROBLEMS],
  },
  deleteOverride: {
    tag: 'recipients',
    summary: 'Delete an override',
    description: 'Publishes the list without it. If it has begun, whoever has the turn takes over at once.',
    query: { note: dryRun.note },
    headers: ifMatch,
    answer: { description: 'The override is deleted.', schema: activated, examples: activatedExamples },
    problems: ['not-found', ...PUBLISH_PROBLEMS],
  },
});
