import fc from 'fast-check';
import { expect, it } from 'vitest';
import { subjectOf } from '../../../src/ingest/request/event.ts';
import { acceptance } from '../../../src/ingest/accept/accept.ts';
import { anyText } from '../any-text.ts';
import { eventOf, sourceOf } from '../support.ts';

const SUBJECT = '#{{ payload.order }} {{ payload.name }}';
const CHOICE = { type: 'MULTIPLE_CHOICE', value: ['8c1fb6d0-5b1e-4c8b-9f0a-2d3e4f5a6b7c'] };

const subject = (payload: unknown, source: object = {}) =>
  subjectOf(eventOf(sourceOf({ subject: SUBJECT, ...source }), { payload }));

const acceptedOf = (source: object) =>
  acceptance(eventOf(sourceOf({ subject: SUBJECT, ...source }), { payload: { order: 7 } }), [], {
    config: { version: 1, activation: 1, publicUrl: null },
    dedupeFailure: null,
  }).event.subject;

it('the subject of an event is what its source says, on one line, without what turns it around or hides in it', () => {
  for (const [payload, line, template = SUBJECT] of [
    [{ order: 1042, name: 'Ada\r\n\t Lovelace ' }, '#1042 Ada Lovelace'],
    [{ order: 1, name: '\u001b[31mAda\u202e \u200bKing\u2066\u0000' }, '#1 [31mAda King'],
    [{ order: 1, name: '👩‍🚀 🏴󠁧󠁢󠁥󠁮󠁧󠁿 می\u200cخواهم' }, '#1 👩‍🚀 🏴󠁧󠁢󠁥󠁮󠁧󠁿 می\u200cخواهم'],
    [{ order: 1, name: 'Donau\u00addampfer\ufeff, \u2060*\u2060new' }, '#1 Donaudampfer, *new'],
    [{}, null, '{{ payload.none }}\n '],
    // It holds nothing up.
    [{ order: ['x'] }, null, '{{ payload.order | sum }}'],
  ] as const)
    expect(subject(payload, { subject: template })).toBe(line);
});

it('the subject of an event is its provider’s line where the source says nothing', () => {
  const [project, iid] = [{ name: 'Tea' }, 23];
  for (const [provider, payload, line] of [
    ['opsgenie', { alert: { tinyId: '23', message: 'Checkout is slow' } }, '#23 Checkout is slow'],
    ['gitlab', { object_kind: 'note', project, object_attributes: { id: 7 }, issue: { iid } }, 'Tea #23'],
    ['gitlab', { object_kind: 'release', project, tag: 'v1.1' }, 'Tea'],
    // A card that is deleted has no name any more.
    [
      'trello',
      { action: { type: 'deleteCard', data: { board: { name: 'Tea' }, card: { id: 'c' } } } },
      'Tea',
    ],
    [
      'overseerr',
      { subject: 'Heat (1995)', comment: { comment_message: 'Any news?' } },
      'Heat (1995) Any news?',
    ],
    ['mautic', { 'mautic.form_on_submit': [{}, {}], 'mautic.lead_post_save_new': [{}] }, 'form_on_submit +2'],
    ['crisp', { data: { content: { id: 'c', text: 'Which one?', choices: [] } } }, 'Which one?'],
    ['aftership', { msg: { title: '0034', tracking_number: '0034' } }, '0034'],
    // Its ids of options, and of a file, tell nobody anything.
    [
      'tally',
      { data: { formName: 'Tea', fields: [CHOICE, { type: 'INPUT_TEXT', value: 'Ada' }] } },
      'Tea Ada',
    ],
    ['tally', { data: { formName: 'Tea', fields: [CHOICE] } }, 'Tea'],
  ] as const)
    expect(subjectOf(eventOf(sourceOf({ provider }), { payload }))).toBe(line);
});

it('the subject of an event is at most 120 characters, whatever a stranger sends', () => {
  fc.assert(
    fc.property(anyText(5_000), (name) => {
      const line = subject({ order: 1, name }) ?? '';
      expect(line.length).toBeLessThanOrEqual(120);
      expect(line.isWellFormed()).toBe(true);
      expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
  expect(subject({ order: 1, name: 'x'.repeat(50_000) })).toMatch(/^#1 x{116}…$/);
});

it('the subject of an event is not kept where payloads are not', () => {
  expect(acceptedOf({})).toBe('#7');
  expect(acceptedOf({ store: 'metadata' })).toBeUndefined();
});
