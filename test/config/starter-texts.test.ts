import { expect, it } from 'vitest';
import {
  languageOf,
  withAnswers,
  withExamples,
  withTexts,
} from '../../src/config/documents/starter-texts.ts';

const linked = (message: string) => ({ routes: [{ message }] });
const TEXT = 'Ticket *1*\nhttps://[[ask:site]].example.com/1\nhas an answer';

it('the language of a locale is its first part, or English', () => {
  const languages = {
    'de-AT': 'de',
    DE: 'de',
    'zh-Hant-TW': 'zh',
    'fil-PH': 'fil',
    '': 'en',
    '../../x': 'en',
  };
  const found = Object.keys(languages).map((locale) => [locale, languageOf(locale)]);
  expect(Object.fromEntries(found)).toEqual(languages);
});

const made = (paid: string, question: string, yes: string) => ({
  source: { url: 'https://[[ask:site]].example.com' },
  routes: [{ name: '[[constructor]]', send: { kind: 'text', message: paid } }],
  templates: { thanks: { kind: 'poll', question, options: [yes, 'no [[unknown]]'] } },
});

it('a starter’s texts stand wherever they are named, and nothing else changes', () => {
  const texts = { paid: 'Paid: {{ payload["a"]["b"] }}', question: 'Sure?', yes: 'Yes' };
  const starter = made('[[paid]]', '[[question]]', '[[yes]]');
  expect(withTexts(starter, texts)).toEqual(made(texts.paid, texts.question, texts.yes));
});

it('answers stand where they are asked for, or leave out their line; they are the examples where a starter is only looked at', () => {
  const answered = withAnswers(linked(TEXT), { site: 'shop' });
  expect(answered.routes).toEqual([{ message: 'Ticket *1*\nhttps://shop.example.com/1\nhas an answer' }]);
  for (const answers of [{}, { site: '' }])
    expect(withAnswers(linked(TEXT), answers).routes).toEqual([{ message: 'Ticket *1*\nhas an answer' }]);
  // What looks like a placeholder in an answer is none.
  expect(withAnswers(linked('a\n[[ask:site]]'), { site: '$&' }).routes).toEqual([{ message: 'a\n$&' }]);
  const asks = { site: { question: 'Which?', example: 'acme', pattern: '.' } };
  expect(withExamples({ ...linked('a\n[[ask:site]]'), asks }).routes).toEqual([{ message: 'a\nacme' }]);
  // What is nothing but an answer is never left out.
  expect(withAnswers({ ...linked('[[ask:site]]'), asks }, {}).routes).toEqual([{ message: 'acme' }]);
  expect(withAnswers({ ...linked('[[ask:site]]'), asks }, { site: 'b' }).routes).toEqual([{ message: 'b' }]);
  expect(withExamples(linked('a\n[[ask:site]]')).routes).toEqual([{ message: 'a' }]);
});
