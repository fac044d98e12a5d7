import { describe, expect, test } from 'vitest';
import { translator } from '../../../console/lib/said.ts';

const translate = translator({
  pairs: [
    ['it failed {} at {}: {}; {}', 'es scheiterte {} um {}: {}; {}'],
    ['the line was cut; nobody knows', 'die Leitung riss; niemand weiß es'],
    ['{} waiting', '{} wartend'],
    ['{}; gave up after {}', '{}; aufgegeben nach {}'],
    ['it said no: {}', 'es sagte nein: „{=}“'],
    ['{} is missing', '{} fehlt'],
    ['is not set', 'ist nicht gesetzt'],
    ['`{}` is there', '`{}` ist da'],
    ['{}, `{}` is there', '{}, `{}` ist da'],
    ['{}, `{}` is gone', '{}, `{}` ist weg'],
  ],
  counted: { message: ['Nachricht', 'Nachrichten'], time: ['Mal', 'Mal'] },
  places: { header: 'Header' },
});

describe('A sentence of the relay', () => {
  test.each([
    ['is not set', 'ist nicht gesetzt'],
    ['1 message waiting', '1 Nachricht wartend'],
    ['header X-Signature is missing', 'Header X-Signature fehlt'],
    ['body.id is missing', 'body.id fehlt'],
  ])('%j is %j', (english, german) => {
    expect(translate(english)).toBe(german);
  });

  test('is split where its parts are sentences', () => {
    expect(translate('it failed 3 times at noon: the line was cut; nobody knows; 2 messages waiting')).toBe(
      'es scheiterte 3 Mal um noon: die Leitung riss; niemand weiß es; 2 Nachrichten wartend',
    );
  });

  test('keeps a quote as it is, though it reads like a sentence, and what is added to it is no part of the quote', () => {
    expect(translate('it said no: is not set; gave up after 2 times')).toBe(
      'es sagte nein: „is not set“; aufgegeben nach 2 Mal',
    );
  });

  test('has names between backticks, which contain none', () => {
    expect(translate('`a` is there, `b` is there, `c` is gone')).toBe('`a` ist da, `b` ist da, `c` ist weg');
  });

  test('that is unknown is none', () => {
    for (const text of ['', 'constructor is here', 'is not set yet', '3 constructor', 'header A B'])
      expect(translate(text)).toBeNull();
  });

  test('is read in a time that grows with its length, whatever a stranger wrote into it', () => {
    const text = `it failed ${'at 1: 2; '.repeat(60)}`;
    const begun = performance.now();
    translate(text);
    expect(performance.now() - begun).toBeLessThan(1_000);
  });
});
