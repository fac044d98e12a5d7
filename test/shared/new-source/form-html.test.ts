import { describe, expect, it } from 'vitest';
import { formHtml } from '../../../shared/new-source/form-html.ts';

const ACTION = 'https://hooks.example.com/hooks/contact';
const source = {
  provider: 'html-form',
  locale: 'en-GB',
  fields: {
    name: { required: true },
    email: { kind: 'email' },
    message: { max: 500, required: true },
    persons: { label: 'How many "people"' },
  },
  spam: { honeypot: 'website' },
};

const htmlOf = (over: object = {}) => formHtml({ ...source, ...over }, ACTION) ?? { html: '', script: '' };

describe('the HTML of a form', () => {
  it('names each field to people, browsers and screen readers', () => {
    const { html } = htmlOf();
    expect(html).toContain(`action="${ACTION}"`);
    for (const name of Object.keys(source.fields)) {
      expect(html).toContain(`<label for="hookbell-${name}">`);
      expect(html).toContain(`id="hookbell-${name}" name="${name}"`);
    }
    expect(html).toContain('type="email" autocomplete="email"');
    expect(html).toContain('rows="5" maxlength="500" required');
    expect(html).toContain('How many &quot;people&quot; <small>(optional)</small>');
    expect(html).toContain('role="status"');
  });

  it('has the field that only spam fills in, where no person comes', () => {
    expect(htmlOf().html).toMatch(/aria-hidden="true".*name="website" tabindex="-1" autocomplete="off"/);
    expect(htmlOf({ spam: undefined }).html).not.toContain('aria-hidden');
  });

  it('speaks the language of the source', () => {
    expect(htmlOf({ locale: 'de-DE' }).html).toContain('<button>Senden</button>');
    expect(htmlOf({ locale: 'de-AT' }).script).toContain('Vielen Dank');
  });

  it('has ten lines of style at most, and ten of script', () => {
    const { html, script } = htmlOf();
    expect(html.slice(html.indexOf('<style>')).split('\n').length - 2).toBeLessThanOrEqual(10);
    expect(script.split('\n').length - 3).toBeLessThanOrEqual(10);
  });

  it('sends files as the browser does', () => {
    const { html, script } = htmlOf({ fields: { cv: { kind: 'file' } } });
    expect(html).toContain('enctype="multipart/form-data"');
    expect(script).toBe('');
  });

  it('is of forms alone', () => {
    expect(formHtml({ provider: 'stripe', fields: {} }, ACTION)).toBeNull();
    expect(formHtml({ provider: 'html-form' }, ACTION)).toBeNull();
    expect(formHtml(null, ACTION)).toBeNull();
  });
});
