import { expect, it } from 'vitest';
import { MAX_OF_KIND, type FieldRule } from '../../../src/config/compiled/form-rules.ts';
import { checkFields } from '../../../src/ingest/form/fields.ts';

const rule = (name: string, over: Partial<FieldRule> = {}): FieldRule => ({
  name,
  kind: 'text',
  label: null,
  max: 2_000,
  required: false,
  ...over,
});

const FIELDS = [
  rule('name', { kind: 'name', max: 80, required: true }),
  rule('email', { kind: 'email', max: 254 }),
  rule('phone', { kind: 'phone', max: 40 }),
  rule('message'),
  rule('cv', { kind: 'file', max: 255 }),
];

const NO_SPAM = { honeypot: null, links: null, minMs: null, turnstile: null, perHour: null };

const check = (sent: Record<string, unknown>, keepsOthers = false) =>
  checkFields({ fields: FIELDS, keepsOthers, spam: NO_SPAM }, sent, { country: 'DE' });

const kept = (sent: Record<string, unknown>, keepsOthers = false) => {
  const checked = check({ name: 'Ada', ...sent }, keepsOthers);
  return checked.ok ? checked.value : checked.error.map(({ field, code }) => `${field.name} ${code}`);
};

it('the fields of a form are kept as they were written, without blanks around them', () => {
  expect(kept({ message: ' Hello\r\nBerlin! ' })).toEqual({ name: 'Ada', message: 'Hello\nBerlin!' });
});

it('the fields of a form are left out when they are empty, or nobody declared them, unless the source keeps others, but not ours', () => {
  expect(kept({ message: '  ', phone: '', email: null })).toEqual({ name: 'Ada' });
  expect(kept({ utm: 'x', _next: '/thanks', __proto__: { admin: true } })).toEqual({ name: 'Ada' });
  expect(kept({ utm: 'x', _next: '/thanks' }, true)).toEqual({ name: 'Ada', utm: 'x' });
});

it('the fields of a form are bounded where they are undeclared, as declared texts are by default', () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`f${at}`, 'x'.repeat(9_000)]));
  const all = Object.values(kept(many, true));
  expect(all).toHaveLength(51);
  expect(Math.max(...all.map((text) => String(text).length))).toBe(MAX_OF_KIND.text);
});

it('the fields of a form keep HTML as text, lose what nobody can see, become one when they come twice, and a name is on one line', () => {
  for (const [sent, message] of [
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['a\u0000b\u202Ec\u0007', 'abc'],
    ['a\rb', 'a\nb'],
    [['one', '', 'two'], 'one, two'],
  ] as const)
    expect(kept({ message: sent })).toMatchObject({ message });
  expect(kept({ name: 'Ada\nLovelace' })).toEqual({ name: 'Ada Lovelace' });
});

it('the fields of a form name files, and keep none', () => {
  const file = { filename: 'cv.pdf', type: 'application/pdf', size: 9 };
  expect(kept({ cv: file })).toMatchObject({ cv: file });
  expect(kept({ cv: { filename: '', type: 'application/octet-stream', size: 0 } })).toEqual({
    name: 'Ada',
  });
  expect(kept({ cv: [file, file] })).toMatchObject({ cv: [file, file] });
});

it('a fault of a field is named, and what is none is kept', () => {
  const file = { filename: 'a', type: '', size: 1 };
  for (const [sent, ...faults] of [
    [{ name: '' }, 'name required'],
    [{ name: 'x'.repeat(10_000) }, 'name too_long'],
    [{ email: 'ada@example' }, 'email email'],
    [{ email: ['a@example.com', 'b@example.com'] }, 'email email'],
    [{ phone: '12' }, 'phone phone'],
    [{ message: { a: 1 } }, 'message text'],
    [{ message: file }, 'message text'],
    [{ name: '', email: 'x', phone: 'y' }, 'name required', 'email email', 'phone phone'],
  ] as const)
    expect([sent, kept(sent)]).toEqual([sent, faults]);
  for (const email of ['ada@example.com', 'a.b+c@mail.example.co.uk', 'jürgen@müller.example'])
    expect(kept({ email })).toMatchObject({ email });
  for (const phone of ['+49 171 3920001', '0171 3920001']) expect(kept({ phone })).toMatchObject({ phone });
});
