import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import { EMPTY_SET } from '../../src/config/schema.ts';

const FORM = {
  provider: 'html-form',
  origins: ['https://shop.example'],
  countries: ['DE'],
  fields: { name: {}, phone: { kind: 'phone' }, message: {} },
};
const TO = '{{ payload.phone }}';

const text = (message: string) => ({ kind: 'text', message });
const thanks = {
  name: 'thanks',
  to: TO,
  to_visitor: true,
  send: text('Thank you, {{ payload.name | plain }}!'),
};

function errorsOf(route: object, source: object = {}): readonly string[] {
  const sources = { contact: { ...FORM, ...source, routes: [{ ...thanks, ...route }] } };
  const recipients = { owners: { numbers: ['491713920001'] } };
  return compileConfig({ ...EMPTY_SET, sources, recipients }, 1).errors.map(({ path, message }) =>
    `${path} ${message}`.replace('sources.contact.routes[0]', ''),
  );
}

describe('a route to a visitor', () => {
  it('says so, and shows a name at most', () => {
    expect(errorsOf({})).toEqual([]);
  });

  it('is refused when it does not say so', () => {
    expect(errorsOf({ to_visitor: undefined })).toEqual([expect.stringContaining('.to_visitor is required')]);
  });

  it('is refused however the number is taken from the form', () => {
    const to = '{% assign p = payload.phone %}{{ p }}';
    expect(errorsOf({ to_visitor: undefined, to })).toEqual([
      expect.stringContaining('.to_visitor is required'),
    ]);
  });

  it('has no other receivers', () => {
    expect(errorsOf({ to: [TO, 'owners'] })).toEqual([expect.stringContaining('.to has receivers besides')]);
  });

  it.each([
    ['what the visitor wrote', text('{{ payload.message }}'), 'shows `payload.message`'],
    ['all that the visitor wrote', text('{{ payload | json }}'), 'shows `payload | json`'],
    ['a header', text('{{ headers.referer }}'), 'shows `headers.referer`'],
    [
      'the visitor’s words by a filter',
      text('{{ payload.name | append: payload.message }}'),
      'shows `payload.name |',
    ],
    ['a link', text('https://shop.example'), 'has a link'],
    ['a host', text('See shop.example'), 'has a link'],
    ['a picture', { kind: 'image', image_url: 'https://shop.example/a.png' }, 'sends `image`'],
  ])('shows no %s', (_, send, error) => {
    expect(errorsOf({ send }).join('\n')).toContain(error);
  });

  it.each([{ each: 'payload.list' }, { group: { by: ['{{ payload.name }}'] } }])(
    'does not wait: %j',
    (over) => {
      expect(errorsOf(over).join('\n')).toContain('.to_visitor cannot be combined with `each`');
    },
  );

  it('is for forms alone', () => {
    const generic = {
      provider: 'generic',
      verify: { scheme: 'none' },
      origins: undefined,
      fields: undefined,
    };
    expect(errorsOf({}, generic)).toEqual([
      expect.stringContaining('.to_visitor is only for routes of forms'),
    ]);
  });

  it('has no use where no number comes from the form', () => {
    expect(errorsOf({ to: 'owners' })).toEqual([expect.stringContaining('.to_visitor has no effect')]);
  });
});
