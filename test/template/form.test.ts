import { expect, it } from 'vitest';
import { withPartials } from '../../src/template/partials.ts';
import { render } from './helpers.ts';

const TEXT =
  "{% render 'form', title: 'payload.form', answers: 'payload.answers', label: 'answer.ask', value: 'answer.said', cut: 'payload.cut' %}";

it('a form with many answers says how many it does not show, counts only what was answered, and nothing that it cannot know', () => {
  const put = withPartials(TEXT, { language: 'en', grouped: false });
  const told = (said: readonly unknown[], cut = false) => {
    const answers = said.map((one, at) => ({ ask: `Q${at}`, said: one }));
    return put.ok && render(put.value, { form: 'Tea', answers, cut });
  };
  const six = '📝 *Tea*\nQ0: a\nQ1: a\nQ2: a\nQ3: a\nQ4: a\nQ5: a';
  expect(told(['a', 'a', 'a', 'a', 'a', 'a', null, ''])).toBe(six);
  expect(told(['a', 'a', 'a', 'a', 'a', 'a', 'b', 'c'])).toBe(`${six}\nand 2 more`);
  expect(told(['a', 'a', 'a', 'a', 'a', 'a', 'b'], true)).toBe(`${six}\nand more`);
});

it('an answer of several parts, such as a name, is its parts', () => {
  const put = withPartials(TEXT, { language: 'en', grouped: false });
  const answers = [{ ask: 'Name', said: { first: 'Ada', last: 'Lovelace' } }];
  expect(put.ok && render(put.value, { form: 'Tea', answers })).toBe('📝 *Tea*\nName: Ada Lovelace');
});
