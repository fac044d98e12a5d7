import { expect, it } from 'vitest';
import { KEPT } from '../../../console/pages/rejections/groups.ts';
import { SHORTEST } from '../../../console/parts/search-words.ts';
import { de } from '../../../console/texts/de.ts';
import { en } from '../../../console/texts/en.ts';
import { LIST_LENGTH } from '../../../src/gateway/kinds.ts';
import { eventFilter, MAX_REJECTIONS, PAIRING_MS, SPAM_KEPT_MS } from '../relay.mjs';

const DAY_MS = 86_400_000;
/** Small numbers are written as words. */
const EN: Readonly<Record<number, string>> = { 2: 'two', 3: 'three', 10: 'ten' };
const DE: Readonly<Record<number, string>> = { 2: 'zwei', 3: 'drei', 10: 'zehn' };

it('a page of rejections has all that the relay keeps', () => {
  expect(KEPT).toBe(MAX_REJECTIONS);
});

it('a search is as short as the relay takes one', () => {
  const taken = ['a'.repeat(SHORTEST - 1), 'a'.repeat(SHORTEST)].map((text) =>
    eventFilter.text.safeParse(text),
  );
  expect(taken.map(({ success }) => success)).toEqual([false, true]);
});

it.each([
  ['days of spam', SPAM_KEPT_MS / DAY_MS, en.rejections.kept('?'), de.rejections.kept('?')],
  ['minutes of a pairing window', PAIRING_MS / 60_000, en.sources.pairingClosed, de.sources.pairingClosed],
  ['options of a poll', LIST_LENGTH.min, en.send.faults.twoOptions, de.send.faults.twoOptions],
  ['characters of a search', SHORTEST, en.events.hints.short, de.events.hints.short],
])('a text has the number that the relay goes by: %s', (_, number, english, german) => {
  expect(english).toMatch(new RegExp(`\\b${EN[number] ?? number}\\b`));
  expect(german).toMatch(new RegExp(`\\b${DE[number] ?? number}\\b`));
});

it('the escape channel is explained with the time of its account', () => {
  for (const { accounts } of [en, de]) expect(accounts.escapeHelp('90s')).toContain(' 90s ');
});
