import { describe, expect, it } from 'vitest';
import {
  formStarter,
  readFields,
  readPage,
  takesUsual,
  USUAL_FIELDS,
} from '../../../shared/new-source/form-source.ts';
import { compileConfig } from '../../../src/config/compile.ts';
import { EMPTY_SET } from '../../../src/config/schema.ts';

const fieldsOf = (text: string) => {
  const fields = readFields(text);
  if (!fields.ok) throw new Error(fields.error);
  return fields.value;
};

const STARTER: Parameters<typeof formStarter>[0] = {
  routes: [
    { name: 'owner', to: '491713920001', send: { kind: 'text', message: '{{ payload.name | plain }}' } },
    {
      name: 'thanks',
      when: 'payload.phone != blank',
      to: '{{ payload.phone }}',
      to_visitor: true,
      send: { kind: 'text', message: 'Thanks, {{ payload.name | plain }}' },
    },
  ],
};

const errorsOf = (made: object) => {
  const { errors } = compileConfig(
    { ...EMPTY_SET, sources: { contact: { provider: 'html-form', ...made } } },
    0,
  );
  return errors;
};

const names = (text: string) =>
  formStarter(STARTER, 'https://a.example', fieldsOf(text)).routes.map(({ name }) => name);

describe('the page of a form', () => {
  it.each([
    ['https://shop.example', 'https://shop.example'],
    ['shop.example/contact?a=1', 'https://shop.example'],
    ['http://localhost:3000/', 'http://localhost:3000'],
    [' HTTPS://Shop.Example/x ', 'https://shop.example'],
  ])('%s is %s', (text, origin) => {
    expect(readPage(text)).toEqual({ ok: true, value: origin });
  });

  it.each(['', 'shop', 'my page', 'javascript:alert(1)', 'file:///home/ada/form.html', 'shop.'])(
    '%s is none',
    (text) => {
      expect(readPage(text).ok).toBe(false);
    },
  );
});

describe('the fields of a form', () => {
  it('are named, and say by a star that they are needed', () => {
    expect(fieldsOf('name*, email, mobile, how-many')).toEqual({
      name: { required: true },
      email: { kind: 'email' },
      mobile: { kind: 'phone' },
      'how-many': {},
    });
  });

  it.each(['', ' , ', 'a b', '1a', 'name**', 'website', 'website*', 'ä'])('%s are none', (text) => {
    expect(readFields(text).ok).toBe(false);
  });
});

describe('the source of a form', () => {
  it.each([USUAL_FIELDS, 'name*, date*, persons, phone', 'email*, question*', 'cv, file, name'])(
    'with %s compiles',
    (text) => {
      const made = formStarter(STARTER, 'https://shop.example', fieldsOf(text));
      expect(errorsOf({ ...made.source, routes: made.routes, country: 'DE' })).toEqual([]);
    },
  );

  it('thanks a visitor only where the form asks for a name and a number', () => {
    expect(names(USUAL_FIELDS)).toEqual(['owner', 'thanks']);
    expect(names('name, message')).toEqual(['owner']);
    expect(names('phone')).toEqual(['owner']);
  });

  it('shows its owner every field', () => {
    const [owner] = formStarter(STARTER, 'https://a.example', fieldsOf('name, persons, file')).routes;
    expect(JSON.stringify(owner)).toContain('persons: {{ payload.persons | plain }}');
    expect(JSON.stringify(owner)).toContain('{{ payload.file.filename | plain }}');
  });

  it('shows the links that are in its owner’s message after all fields', () => {
    const link = 'I’ll answer: {{ actions.take.url }}';
    const send = { kind: 'text', message: `{{ payload.name | plain }}\n${link}` };
    const taken = { name: 'taken', when: 'event.type == "action.take"', send: { message: 'taken' } };
    const made = formStarter({ routes: [{ send }, taken] }, 'https://a.example', fieldsOf('name, persons'));
    expect(made.routes).toEqual([
      {
        send: {
          kind: 'text',
          message: `{{ payload.name | plain }}{% if payload.persons != blank %}\npersons: {{ payload.persons | plain }}{% endif %}\n${link}`,
        },
      },
      taken,
    ]);
  });

  it('has fixtures only if the starter’s samples fit', () => {
    expect(takesUsual(fieldsOf(USUAL_FIELDS))).toBe(true);
    expect(takesUsual(fieldsOf('name, date'))).toBe(true);
    expect(takesUsual(fieldsOf('name, date*'))).toBe(false);
    expect(takesUsual(fieldsOf('name, phone*'))).toBe(false);
  });
});
