import { expect, it } from 'vitest';
import { withPartials } from '../../src/template/partials.ts';
import { render } from './helpers.ts';

it('a form with many answers says how many it does not show, and counts only what was answered', () => {
  const text =
    "{% render 'form', title: 'payload.form', answers: 'payload.answers', label: 'answer.ask', value: 'answer.said' %}";
  const put = withPartials(text, { language: 'en', grouped: false });
  const told = (said: readonly unknown[]) =>
    put.ok &&
    render(put.value, { form: 'Tea', answers: said.map((one, at) => ({ ask: `Q${at}`, said: one })) });
  const six = '📝 *Tea*\nQ0: a\nQ1: a\nQ2: a\nQ3: a\nQ4: a\nQ5: a';
  expect(told(['a', 'a', 'a', 'a', 'a', 'a', null, ''])).toBe(six);
  expect(told(['a', 'a', 'a', 'a', 'a', 'a', 'b', 'c'])).toBe(`${six}\nand 2 more`);
});
