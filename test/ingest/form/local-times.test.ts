import { expect, it } from 'vitest';
import { routeEvent } from '../../../src/ingest/routing/match.ts';
import { eventOf, PHONE, sourceOf } from '../support.ts';

/** What a message says of a time in a form. */
function said(at: string, more: object = {}): readonly (string | undefined)[] {
  const send = { kind: 'text', message: '{{ payload.at | datetime }}' };
  const source = sourceOf({
    provider: 'html-form',
    verify: undefined,
    origins: 'any',
    locale: 'de-DE',
    timezone: 'Europe/Berlin',
    routes: [{ name: 'a', to: PHONE, send }],
    ...more,
  });
  return routeEvent(eventOf(source, { payload: { at } })).flatMap(({ messages }) =>
    messages.map(({ params }) => params['message']),
  );
}

it.each([
  ['2026-12-18T20:15', '18.12.2026, 20:15'],
  ['2026-06-18T20:15', '18.06.2026, 20:15'],
  ['2026-12-18T20:15:00Z', '18.12.2026, 21:15'],
  ['2026-03-29T02:30', '29.03.2026, 03:30'],
])('the time %s that a visitor picks is on the clock of the shop: %s', (at, expected) => {
  expect(said(at)).toEqual([expected]);
});

it('a time without a zone from any other sender is UTC', () => {
  const generic = { provider: undefined, verify: { scheme: 'none' }, origins: undefined };
  expect(said('2026-12-18T20:15', generic)).toEqual(['18.12.2026, 21:15']);
});
