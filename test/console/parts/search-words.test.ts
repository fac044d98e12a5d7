import { expect, test } from 'vitest';
import { readSearch } from '../../../console/parts/search-words.ts';

test.each([
  ['  ', { is: 'nothing' }],
  ['evt_01m82pnqqvbmebx8aaydw8v15n', { is: 'event', id: 'evt_01m82pnqqvbmebx8aaydw8v15n' }],
  [' MSG_000000005sm8g9c9 ', { is: 'message', id: 'msg_000000005sm8g9c9' }],
  [
    'evt_01m82rp2zkyz9p1x6xc69cz78acqa9txtv2t8wb231',
    { is: 'event', id: 'evt_01m82rp2zkyz9p1x6xc69cz78acqa9txtv2t8wb231' },
  ],
  ['evt_short', { is: 'text', text: 'evt_short' }],
  ['+49 151 123-456 78', { is: 'phone', phone: '4915112345678', isWhole: true }],
  ['0049 (151) 12345678', { is: 'phone', phone: '4915112345678', isWhole: true }],
  // Wherever a number may be typed, its spelling is read in the same way: other digits, marks that were copied, `(0)`.
  ['\u202a+٤٩ 151 12345678\u202c', { is: 'phone', phone: '4915112345678', isWhole: true }],
  ['+49 (0) 151 12345678', { is: 'phone', phone: '4915112345678', isWhole: true }],
  ['tel:+4915112345678', { is: 'phone', phone: '4915112345678', isWhole: true }],
  ['0151 12345678', { is: 'phone', phone: '0151 12345678', isWhole: false }],
  ['030 1234567 / 030 7654321', { is: 'text', text: '030 1234567 / 030 7654321' }],
  ['12950', { is: 'text', text: '12950' }],
  ['2026-11-22 10:00', { is: 'text', text: '2026-11-22 10:00' }],
  ['Ada Lovelace', { is: 'text', text: 'Ada Lovelace' }],
  ['ab', { is: 'short' }],
])('%j', (typed, meant) => {
  expect(readSearch(typed)).toEqual(meant);
});
