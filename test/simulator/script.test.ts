import { expect, test } from 'vitest';
import { createScript, type Script, scriptSchema } from '../../simulator/script.ts';
import { PHONE } from './harness.ts';

const OTHER = '33612345678';
const html = { failure: 'html' };
const empty = { failure: 'empty' };
const of = (phone: string, failure: string) => ({ failure, match: { phone } });

const scriptOf = (steps: readonly object[], repeat = false): Script => {
  const script = createScript();
  script.replace(scriptSchema.parse({ steps, repeat }));
  return script;
};
const take = (script: Script, phone: string | null = PHONE) => script.takeAnswer('text', phone).step.failure;
const takes = (script: Script, ...phones: readonly string[]) => phones.map((phone) => take(script, phone));

test('calls consume steps one by one, what remains is shown, and then all is normal again', () => {
  const script = scriptOf([html, { ...empty, times: 3 }]);
  expect(takes(script, PHONE, PHONE)).toEqual(['html', 'empty']);
  expect(script.remaining()).toEqual({ steps: [{ ...empty, times: 2 }], repeat: false });
  expect(takes(script, PHONE, PHONE, PHONE)).toEqual(['empty', 'empty', 'ok']);
});

test('repeat begins again with full times, and a new script takes the place of the old one', () => {
  const script = scriptOf([{ ...html, times: 2 }, { failure: 'ok' }], true);
  const taken = Array.from({ length: 6 }, () => take(script));
  expect(taken).toEqual(['html', 'html', 'ok', 'html', 'html', 'ok']);
  script.replace({ steps: [], repeat: false });
  expect(take(script)).toBe('ok');
});

test('each phone has a sequence of its own, also where they are repeated', () => {
  const script = scriptOf([of(PHONE, 'html'), of(OTHER, 'cut'), of(PHONE, 'empty')]);
  expect(takes(script, OTHER, OTHER, PHONE, PHONE, PHONE)).toEqual(['cut', 'ok', 'html', 'empty', 'ok']);
  const repeated = scriptOf([of(PHONE, 'html'), of(PHONE, 'empty'), of(OTHER, 'cut')], true);
  const taken = takes(repeated, PHONE, PHONE, PHONE, OTHER, PHONE);
  expect(taken.join(' ')).toBe('html empty html cut empty');
  expect(scriptOf([of(PHONE, 'html')]).takeAnswer('status', null).outcome).toBe('accepted');
});

test('a reset before the body is read comes in its turn, hits its kind, and waits for no single phone', () => {
  const reset = { failure: 'reset_before' };
  const script = scriptOf([html, reset]);
  expect(script.takeResetBefore('text')).toBe(false);
  expect(take(script)).toBe('html');
  expect([script.takeResetBefore('text'), script.takeResetBefore('text')]).toEqual([true, false]);
  expect(scriptOf([of(PHONE, 'html'), reset]).takeResetBefore('text')).toBe(true);
  const ofKind = scriptOf([{ ...reset, match: { kind: 'poll' } }]);
  expect([ofKind.takeResetBefore('text'), ofKind.takeResetBefore('poll')]).toEqual([false, true]);
});
