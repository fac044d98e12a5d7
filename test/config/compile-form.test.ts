import { expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile/compile.ts';
import { setOf } from './support.ts';

const FORM = { provider: 'html-form', origins: ['https://shop.example'] };

const compile = (document: object) => {
  const recipients = { owners: { numbers: ['491713920001'] } };
  const { config, errors, warnings } = compileConfig(
    setOf({ sources: { contact: document }, recipients }),
    1,
  );
  const said = (list: typeof errors) => list.map(({ path, message }) => `${path} ${message}`);
  return { form: config.sources.get('contact')?.form, errors: said(errors), warnings: said(warnings) };
};

/** Expects that a document has errors, of which one begins so. */
const expectError = (document: object, error: string) =>
  expect(compile(document).errors.join('\n')).toContain(`sources.contact.${error}`);

const shown = (message: string) => ({ send: text(message) });

it('a form needs nothing but its provider and its pages, and takes every field then', () => {
  const form = {
    origins: ['https://shop.example'],
    redirect: { ok: null, failed: null },
    fields: [],
    keepsOthers: true,
    spam: { honeypot: null, links: null, minMs: null, turnstile: null, perHour: null },
  };
  expect(compile(FORM)).toEqual({ form, errors: [], warnings: [] });
});

it('a form is warned of when any page may post it, unless that is written out, and when visitors write numbers that belong to no country', () => {
  const { form, warnings } = compile({ provider: 'html-form' });
  expect(form?.origins).toBeNull();
  expect(warnings).toEqual([expect.stringContaining('sources.contact.origins is missing')]);
  expect(compile({ ...FORM, origins: 'any' })).toMatchObject({ errors: [], warnings: [] });
  const fields = { phone: { kind: 'phone' } };
  const [warning] = compile({ ...FORM, fields }).warnings;
  expect(warning).toContain('sources.contact.country is missing, and visitors write their numbers without');
  expect(compile({ ...FORM, fields, country: 'DE' }).warnings).toEqual([]);
});

it('a form is warned that nothing can be released where nothing is kept', () => {
  const { warnings } = compile({ ...FORM, store: 'metadata', spam: { honeypot: 'website' } });
  expect(warnings).toEqual([expect.stringContaining('sources.contact.spam stores no fields')]);
});

it('a form drops fields that it does not declare unless it says otherwise, and knows how long each kind may be', () => {
  const fields = { name: {}, dog: { kind: 'name' }, email: { kind: 'email' }, message: { max: 9 } };
  const { form } = compile({ ...FORM, fields });
  expect(form?.fields.map(({ name, kind, max }) => [name, kind, max])).toEqual([
    ['name', 'name', 80],
    ['dog', 'name', 80],
    ['email', 'email', 254],
    ['message', 'text', 9],
  ]);
  expect(form?.keepsOthers).toBe(false);
  expect(compile({ ...FORM, fields, other_fields: 'keep' }).form?.keepsOthers).toBe(true);
});

it('a form has fields by the names that pages give them', () => {
  const fields = { 'extras[]': {}, 'Full Name': { kind: 'name' }, Größe: {}, '3.1': {}, 'a[b][0]': {} };
  const send = text('{{ payload["Full Name"] | plain }} {{ payload[\'Full Name\'] }}');
  const route = { name: 'thanks', to: '{{ payload.phone }}', to_visitor: true, send };
  expect(compile({ ...FORM, fields, routes: [route] }).errors).toEqual([]);
  const shows = { ...route, send: text('{{ payload["extras[]"] }}') };
  expectError({ ...FORM, fields, routes: [shows] }, 'routes[0] `message` shows `payload["extras[]"]`');
});

it('a form is refused with what no page, field or way to find spam is, and other sources with keys of a form', () => {
  const rows: readonly (readonly [object, error: string])[] = [
    [{ origins: ['https://shop.example/'] }, 'origins[0] must be a page’s origin'],
    [{ origins: ['https://*.shop.example'] }, 'origins[0] must be a page’s origin'],
    [{ origins: [] }, 'origins must'],
    [{ redirect: { ok: '/thanks' } }, 'redirect.ok must be the full address'],
    [{ redirect: { ok: 'javascript:alert(1)' } }, 'redirect.ok must be the full'],
    [{ fields: { '': {} } }, 'fields must have names'],
    [{ fields: { a: { kind: 'mail' } } }, 'fields.a.kind must be one of'],
    [{ other_fields: 'drop' }, 'other_fields drops everything'],
    [{ fields: { a: {} }, spam: { honeypot: 'a' } }, 'spam.honeypot is `a`'],
    [{ spam: { honeypot: ' a' } }, 'spam.honeypot must be the name'],
    ...['_next', 'a\nb', 'a ', 'x'.repeat(65)].map(
      (name) => [{ fields: { [name]: {} } }, 'fields must have names'] as const,
    ),
    [{ answer: 200 }, 'answer has no effect'],
    [{ fields: { 'cf-turnstile-response': {} } }, 'spam reserves the field `cf-turnstile-response`'],
    [{ spam: { turnstile: '0x4AAA-x' } }, 'spam.turnstile must'],
    [{ spam: { per_address: { per_hour: 0 } } }, 'spam.per_address.per_hour must'],
    [{ spam: { captcha: true } }, 'spam.captcha unknown key'],
    [{ verify: { scheme: 'none' } }, 'verify has no effect'],
  ];
  for (const [over, error] of rows) expectError({ ...FORM, ...over }, error);
  const generic = { ...FORM, provider: 'generic', verify: { scheme: 'none' }, fields: { a: {} } };
  expect(compile(generic).errors).toEqual([
    expect.stringContaining('sources.contact.origins is only for forms'),
    expect.stringContaining('sources.contact.fields is only for forms'),
  ]);
});

const text = (message: string) => ({ kind: 'text', message });

const to = '{{ payload.phone }}';
const visitor = { to_visitor: true };
const visiting = (route: object, source: object = {}) => ({
  ...FORM,
  countries: ['DE'],
  fields: { name: {}, phone: { kind: 'phone' }, message: {} },
  ...source,
  routes: [
    {
      name: 'thanks',
      to,
      to_visitor: true,
      send: text('Thank you, {{ payload.name | plain }}!'),
      ...route,
    },
  ],
});

it('a route to a visitor says so, shows a name at most, has no other receivers and does not wait', () => {
  expect(compile(visiting({})).errors).toEqual([]);
  expectError(visiting({ to_visitor: undefined }), 'routes[0].to_visitor is required');
  const assigned = '{% assign p = payload.phone %}{{ p }}';
  expectError(visiting({ to_visitor: undefined, to: assigned }), 'routes[0].to_visitor is required');
  const rows: readonly (readonly [object, error: string])[] = [
    [{ to: [to, 'owners'] }, 'routes[0].to has receivers besides'],
    [{ to: 'owners' }, 'routes[0].to_visitor has no effect'],
    [{ each: 'payload.list' }, 'routes[0].to_visitor cannot be combined with `each`'],
    [{ group: { by: ['{{ payload.name }}'] } }, 'routes[0].to_visitor cannot be combined with `each`'],
    [shown('{{ payload.message }}'), 'shows `payload.message`'],
    [shown('{{ payload | json }}'), 'shows `payload | json`'],
    [shown('{{ headers.referer }}'), 'shows `headers.referer`'],
    [shown('{{ payload.name | append: payload.message }}'), 'shows `payload.name |'],
    [shown('https://shop.example'), 'has a link'],
    [shown('See shop.example'), 'has a link'],
    [{ send: { kind: 'image', image_url: 'https://shop.example/a.png' } }, 'sends `image`'],
  ];
  for (const [route, error] of rows) expect(compile(visiting(route)).errors.join('\n')).toContain(error);
});

it('a route to a visitor is for forms alone', () => {
  const verify = { scheme: 'none' };
  const generic = { provider: 'generic', verify, origins: undefined, fields: undefined };
  expectError(visiting({}, generic), 'routes[0].to_visitor is only for routes of forms');
});

it('a route that reads a field which its form drops is warned about, with the name that was probably meant', () => {
  const company = '{{ payload.companny | plain }}, {{ payload["companny"] }}';
  const rows: readonly (readonly [route: object, warning: string | null, source?: object])[] = [
    [shown(company), ': there is no field `companny`; did you mean `company`?'],
    [shown('{{ payload.x }}'), ': there is no field `x`; there are company, phone, Größe'],
    [shown('{% if payload.x %}{{ payload.x }}{% endif %}'), null],
    [shown('{% if payload.phon %}{% endif %}'), ': there is no field `phon`; did you mean `phone`?'],
    [{ when: "payload['phon'] != blank" }, '.when: there is no field `phon`; did you mean `phone`?'],
    [{ ...visitor, to: '{{ payload.phoen }}' }, '.to: there is no field `phoen`; did you mean `phone`?'],
    [shown('{{ payload.company.size }} {{ payload.Größe }} {{ payload | json }}'), null],
    [
      { when: 'event.type == "action.a"', ...shown('{{ payload.by.name }} {{ payload.payload.company }}') },
      null,
    ],
    [
      { when: 'event.type == "action.a"', ...shown('{{ payload.payload.compny }}') },
      ': there is no field `compny`; did you mean `company`?',
    ],
    [
      {
        actions: { a: { label: '{{ payload.nmae }}' } },
        send: { kind: 'text', message: '{{ actions.a.url }}' },
      },
      '.actions.a.label: there is no field `nmae`; there are company, phone, Größe',
    ],
    [
      {
        throttle: { max: 1, per: '1h' },
        digest: text('{% for x in new %}{{ x.item.compny }}{{ x.item.phone }}{% endfor %}'),
      },
      ': there is no field `compny`; did you mean `company`?',
    ],
    [shown(company), null, { other_fields: 'keep' }],
    [shown(company), null, { fields: undefined }],
  ];
  for (const [route, warning, more] of rows) {
    const routes = [{ name: 'owner', to: 'owners', send: text('x'), ...route }];
    const fields = { company: {}, phone: { kind: 'phone' }, Größe: {} };
    const { warnings } = compile({ ...FORM, country: 'DE', countries: ['DE'], fields, ...more, routes });
    expect(warnings).toEqual(
      warning === null ? [] : [`sources.contact.routes[0]${warning.replace(': ', ' ')}`],
    );
  }
});
