import { describe, expect, it } from 'vitest';
import { languageOf, withAnswers, withExamples, withTexts } from '../../src/config/starter-texts.ts';

describe('the language of a locale', () => {
  it.each([
    ['de-AT', 'de'],
    ['DE', 'de'],
    ['zh-Hant-TW', 'zh'],
    ['fil-PH', 'fil'],
    ['', 'en'],
    ['../../x', 'en'],
  ])('of %s is %s', (locale, language) => {
    expect(languageOf(locale)).toBe(language);
  });
});

const starter = {
  source: { url: 'https://[[ask:site]].example.com' },
  routes: [{ name: 'paid', send: { kind: 'text', message: '[[paid]]' } }],
  templates: { thanks: { kind: 'poll', question: '[[question]]', options: ['[[yes]]', 'no [[unknown]]'] } },
};

describe('a starter’s texts', () => {
  it('stand wherever they are named, and nothing else changes', () => {
    const texts = { paid: 'Paid: {{ payload["a"]["b"] }}', question: 'Sure?', yes: 'Yes' };
    expect(withTexts(starter, texts)).toEqual({
      source: { url: 'https://[[ask:site]].example.com' },
      routes: [{ name: 'paid', send: { kind: 'text', message: 'Paid: {{ payload["a"]["b"] }}' } }],
      templates: { thanks: { kind: 'poll', question: 'Sure?', options: ['Yes', 'no [[unknown]]'] } },
    });
  });

  it('are no properties of every object', () => {
    const { routes } = withTexts({ routes: [{ name: '[[constructor]]' }] }, {});
    expect(routes).toEqual([{ name: '[[constructor]]' }]);
  });
});

const linked = (message: string) => ({ routes: [{ message }] });

describe('answers', () => {
  const TEXT = 'Ticket *1*\nhttps://[[ask:site]].example.com/1\nhas an answer';

  it('stand where they are asked for', () => {
    expect(withAnswers(linked(TEXT), { site: 'shop' }).routes).toEqual([
      { message: 'Ticket *1*\nhttps://shop.example.com/1\nhas an answer' },
    ]);
  });

  it.each([{}, { site: '' }])('that are not there leave out their line: %j', (answers) => {
    expect(withAnswers(linked(TEXT), answers).routes).toEqual([{ message: 'Ticket *1*\nhas an answer' }]);
  });

  it('are texts: what looks like a placeholder in one is none', () => {
    expect(withAnswers(linked('a\n[[ask:site]]'), { site: '$&' }).routes).toEqual([{ message: 'a\n$&' }]);
  });

  it('are the examples where a starter is only looked at', () => {
    const asks = { site: { question: 'Which?', example: 'acme', pattern: '.' } };
    expect(withExamples({ ...linked('a\n[[ask:site]]'), asks }).routes).toEqual([{ message: 'a\nacme' }]);
    expect(withExamples(linked('a\n[[ask:site]]')).routes).toEqual([{ message: 'a' }]);
  });
});
