import { expect, it } from 'vitest';
import { formIn } from '../../../cli/commands/form.ts';

const source = { provider: 'html-form', fields: { name: {}, lang: {} } };

it('the HTML of a form is in the language of its page, which a hidden field names if the source reads it', () => {
  const read = { ...source, locale: '{{ payload.lang | default: "de-DE" }}' };
  for (const [document, wanted, button, lang] of [
    [{ ...source, locale: 'de-DE' }, undefined, 'Senden', 'id="hookbell-lang"'],
    [read, undefined, 'Senden', '<input type="hidden" name="lang" value="de-DE">'],
    [read, 'en', 'Send', '<input type="hidden" name="lang" value="en">'],
  ] as const) {
    const { html = '' } = formIn(document, 'https://relay.example/hooks/contact', wanted) ?? {};
    expect(html).toContain(`<button>${button}</button>`);
    expect(html).toContain(lang);
    expect(html.match(/lang"/g)?.length).toBe(lang.startsWith('<') ? 1 : 3);
  }
  expect(formIn({ provider: 'stripe' }, '')).toBeNull();
});
