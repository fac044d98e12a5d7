import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import { namedSecrets, secretUses } from '../../src/config/named-secrets.ts';
import { EMPTY_SET } from '../../src/config/schema.ts';

const said = (list: readonly { path: string; message: string }[]) =>
  list.map(({ path, message }) => `${path} ${message}`);

const compile = (document: object) => {
  const { config, errors, warnings } = compileConfig({ ...EMPTY_SET, sources: { contact: document } }, 1);
  return { form: config.sources.get('contact')?.form, errors: said(errors), warnings: said(warnings) };
};

const FORM = { provider: 'html-form', origins: ['https://shop.example'] };

describe('a form', () => {
  it('needs nothing but its provider and its pages, and takes every field then', () => {
    expect(compile(FORM)).toEqual({
      form: {
        origins: ['https://shop.example'],
        redirect: { ok: null, failed: null },
        fields: [],
        keepsOthers: true,
        spam: { honeypot: null, links: null, minMs: null, turnstile: null, perHour: null },
      },
      errors: [],
      warnings: [],
    });
  });

  it('is warned of when any page may post it', () => {
    const { form, warnings } = compile({ provider: 'html-form' });
    expect(form?.origins).toBeNull();
    expect(warnings).toEqual([expect.stringContaining('sources.contact.origins is missing')]);
  });

  it('may be open to all pages when that is written out', () => {
    expect(compile({ ...FORM, origins: 'any' })).toMatchObject({ errors: [], warnings: [] });
  });

  it('drops fields that it does not declare, unless it says otherwise', () => {
    const fields = { message: {} };
    expect(compile({ ...FORM, fields }).form?.keepsOthers).toBe(false);
    expect(compile({ ...FORM, fields, other_fields: 'keep' }).form?.keepsOthers).toBe(true);
  });

  it('knows a name by its name, and how long each kind may be', () => {
    const fields = { name: {}, dog: { kind: 'name' }, email: { kind: 'email' }, message: { max: 9 } };
    expect(compile({ ...FORM, fields }).form?.fields.map(({ name, kind, max }) => [name, kind, max])).toEqual(
      [
        ['name', 'name', 80],
        ['dog', 'name', 80],
        ['email', 'email', 254],
        ['message', 'text', 9],
      ],
    );
  });

  it.each([
    [
      'a page in place of an origin',
      { origins: ['https://shop.example/'] },
      'origins[0] must be a page’s origin',
    ],
    ['no list of origins', { origins: [] }, 'origins must'],
    [
      'a redirect that is no address',
      { redirect: { ok: '/thanks' } },
      'redirect.ok must be the full address',
    ],
    ['a redirect to a script', { redirect: { ok: 'javascript:alert(1)' } }, 'redirect.ok must be the full'],
    ['a field that no HTML has', { fields: { '': {} } }, 'fields must have names'],
    ['an unknown kind', { fields: { a: { kind: 'mail' } } }, 'fields.a.kind must be one of'],
    ['no field at all', { other_fields: 'drop' }, 'other_fields drops everything'],
    [
      'a honeypot that visitors fill in',
      { fields: { a: {} }, spam: { honeypot: 'a' } },
      'spam.honeypot is `a`',
    ],
    ['a honeypot that no HTML has', { spam: { honeypot: 'a b' } }, 'spam.honeypot must be the name'],
    [
      'a field that is Turnstile’s',
      { fields: { 'cf-turnstile-response': {} } },
      'spam reserves the field `cf-turnstile-response`',
    ],
    ['the value of a secret', { spam: { turnstile: '0x4AAA-x' } }, 'spam.turnstile must'],
    ['a limit of nothing', { spam: { per_address: { per_hour: 0 } } }, 'spam.per_address.per_hour must'],
    ['an unknown way', { spam: { captcha: true } }, 'spam.captcha unknown key'],
    ['a secret of its own', { verify: { scheme: 'none' } }, 'verify has no effect'],
  ])('is refused with %s', (_, over, error) => {
    expect(compile({ ...FORM, ...over }).errors.join('\n')).toContain(`sources.contact.${error}`);
  });

  it('names the secret of Turnstile, which publishing checks', () => {
    const { config } = compileConfig(
      { ...EMPTY_SET, sources: { contact: { ...FORM, spam: { turnstile: 'TURNSTILE_SECRET' } } } },
      1,
    );
    expect(namedSecrets(config).get('TURNSTILE_SECRET')).toEqual(['source contact']);
    expect(secretUses(config).map(({ path }) => path)).toContain('sources.contact.spam.turnstile');
  });

  it('is warned that nothing can be released where nothing is kept', () => {
    const { warnings } = compile({ ...FORM, store: 'metadata', spam: { honeypot: 'website' } });
    expect(warnings).toEqual([expect.stringContaining('sources.contact.spam stores no fields')]);
  });

  it('is the only source with keys of a form', () => {
    const { errors } = compile({
      ...FORM,
      provider: 'generic',
      verify: { scheme: 'none' },
      fields: { a: {} },
    });
    expect(errors).toEqual([
      expect.stringContaining('sources.contact.origins is only for forms'),
      expect.stringContaining('sources.contact.fields is only for forms'),
    ]);
  });
});
