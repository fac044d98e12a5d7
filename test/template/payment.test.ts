import { expect, it } from 'vitest';
import { withPartials } from '../../src/template/partials.ts';
import { GERMAN, render } from './helpers.ts';

const TEXT = `{% render 'payment', state: "payload.state", amount: "payload.amount | money: payload.currency",
  total: "payload.total", who: "payload.who", what: "payload.what", invoice: "payload.invoice", order: "payload.order",
  reason: "payload.reason", text: "payload.text", date: "payload.date", reference: "payload.reference", link: "payload.link" %}`;
const BRITISH = { ...GERMAN, country: 'GB', locale: 'en-GB' };
const STATES = ['paid', 'failed', 'canceled', 'refunded', 'refund-failed', 'disputed', 'inquiry'];
const ENDS = ['inquiry-closed', 'dispute-won', 'dispute-lost', 'dispute-ended'];
const BANK = ['chargeback', 'chargeback-reversed', 'payout-failed'];

/** What a phone shows of a payment, with no-break spaces as spaces. */
function told(payload: object, language = 'en'): string {
  const put = withPartials(TEXT, { language, grouped: false });
  if (!put.ok) throw new Error(put.error);
  return render(put.value, payload, language === 'en' ? BRITISH : GERMAN).replaceAll('\u00a0', ' ');
}

const MONEY = { amount: 4_900, currency: 'EUR' };

it('each state of a payment has a sentence of its own with the amount, and only what was paid has come in', () => {
  for (const language of ['en', 'de']) {
    const states = [...STATES, ...ENDS, ...BANK, 'authorised', undefined];
    const texts = states.map((state) => told({ ...MONEY, state }, language));
    expect(new Set(texts).size).toBe(texts.length);
    for (const text of texts) expect(text).toMatch(/\*(?:€49\.00|49,00 €)\*/);
    expect(texts.filter((text) => text.includes('💰'))).toEqual([texts[0]]);
    for (const text of states.map((state) => told({ state, currency: 'EUR' }, language)))
      expect(text).not.toMatch(/\{\{|\*|! | {2}|^\s|\s$/);
  }
  expect(told({ ...MONEY, state: 'authorised' })).toBe('🔔 A payment of *€49.00*: authorised');
});

const ROWS: readonly (readonly [payload: object, text: string])[] = [
  [{ ...MONEY, amount: 0, state: 'paid', who: 'Ada' }, '💰 *€0.00* from Ada'],
  [{ ...MONEY, amount: -4_900, state: 'refunded' }, '↩️ *-€49.00* refunded'],
  [
    { amount: 1_500, currency: 'JPY', state: 'failed', reason: 'CARD_DECLINED' },
    '⚠️ A payment of *JP¥1,500* failed: declined by the bank.',
  ],
  [{ amount: 1_500, currency: 'KWD', state: 'paid', what: 'Tea' }, '💰 *KWD 1.500* paid for Tea'],
  [
    { ...MONEY, state: 'refund-failed', who: 'Ada', reason: 'insufficient_funds' },
    '🚨 A refund of *€49.00* to Ada failed (your balance is too low): the customer did not get the money.',
  ],
  [{ ...MONEY, state: 'failed', reason: 'fraud' }, '⚠️ A payment of *€49.00* failed: suspected fraud.'],
  [{ ...MONEY, state: 'failed', reason: 'DO_NOT_HONOR' }, '⚠️ A payment of *€49.00* failed: do not honor.'],
  [
    { ...MONEY, state: 'failed', reason: 'The card was lost.', date: '2026-11-22T08:00:00Z' },
    '⚠️ A payment of *€49.00* failed: The card was lost. Next attempt: 22/11/2026, 09:00.',
  ],
  [{ ...MONEY, state: 'disputed', reason: 'general' }, '🚨 A customer disputes *€49.00*.'],
  [{ ...MONEY, state: 'paid', text: 'duplicate' }, '💰 *€49.00* paid: duplicate'],
  [
    { ...MONEY, state: 'paid', who: 'Ada\nBob', text: '✅ a\nb', reference: 'x\ny' },
    '💰 *€49.00* from Ada Bob: ✅ a b\nReference x y',
  ],
];

it('a payment says its amount, whatever that is, and the usual reasons in words; what people wrote stays what they wrote', () => {
  expect(ROWS.map(([payload]) => told(payload))).toEqual(ROWS.map(([, text]) => text));
});
