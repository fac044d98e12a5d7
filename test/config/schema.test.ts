import { describe, expect, it } from 'vitest';
import { errorsOf, open, PROMISED, routeErrors } from './support.ts';

const source = (document: unknown) => errorsOf({ sources: { shop: document } });
const template = (document: unknown) => errorsOf({ templates: { paid: document } });

describe('the promised documents', () => {
  it('are all taken as they are written', () => {
    expect(errorsOf(PROMISED)).toEqual([]);
  });
});

describe('a source', () => {
  it.each([
    [null, 'sources.shop: must be an object of keys and values'],
    [open({ rutes: [] }), 'sources.shop.rutes: unknown key `rutes`; did you mean `routes`?'],
    [open({ secrets: 'A' }), 'sources.shop.secrets: must be a list of names of secrets'],
    [
      open({ secrets: Array.from({ length: 9 }, () => 'A') }),
      'sources.shop.secrets: must have at most 8 names of secrets',
    ],
    [open({ handshake: 'A' }), 'sources.shop.handshake: must be an object of keys and values'],
    [open({ handshake: {} }), 'sources.shop.handshake.secret: must be the name of a secret'],
    [
      open({ handshake: { secret: 'ADMIN_TOKEN' } }),
      'sources.shop.handshake.secret: is a credential of hookbell itself and cannot sign webhooks',
    ],
    [open({ country: 49 }), 'sources.shop.country: must be text: put it in quotes'],
    [open({ account: 5 }), 'sources.shop.account: must be a name, as text'],
    [open({ store: 'ful' }), 'sources.shop.store: must be one of full, metadata; did you mean `full`?'],
    [open({ dedupe: 'x' }), 'sources.shop.dedupe: must be an object of keys and values'],
    [open({ routes: {} }), 'sources.shop.routes: must be a list of routes'],
    [open({ routes: [null] }), 'sources.shop.routes[0]: must be an object of keys and values'],
    [open({ locale: 5 }), 'sources.shop.locale: must be text: put it in quotes'],
    [open({ timezone: 5 }), 'sources.shop.timezone: must be text: put it in quotes'],
  ])('%j: %s', (document, error) => {
    expect(source(document)).toEqual([error]);
  });

  it.each(['UK', 'de', 'XX', 'DEU', '__proto__'])('has no country %s', (country) => {
    expect(source(open({ country }))).toEqual([
      'sources.shop.country: must be an ISO 3166 country code in capitals such as DE, or GB for the United Kingdom',
    ]);
  });

  it.each(['german', 'xx_yy', '', 'de-'])('has no locale %j', (locale) => {
    expect(source(open({ locale }))[0]).toContain(
      'sources.shop.locale: must be a BCP 47 language tag such as de-DE',
    );
  });

  it.each(['de', 'de-DE', 'pt-BR', 'sr-Latn-RS', 'ar'])('has the locale %s', (locale) => {
    expect(source(open({ locale }))).toEqual([]);
  });

  it.each(['Berlin', 'Europe/Berlim', ''])('has no time zone %j', (timezone) => {
    expect(source(open({ timezone }))).toEqual([
      'sources.shop.timezone: must be an IANA time zone such as Europe/Berlin',
    ]);
  });

  it.each([
    ['none', 'verify: must have a `scheme`'],
    [{ scheme: 'hmca' }, 'verify.scheme: must have a `scheme`'],
    [{ scheme: 'token', in: 'path', nme: 1 }, 'verify.nme: unknown key `nme`; known keys: scheme, in'],
    [{ scheme: 'token', in: 'cookie' }, 'verify.in: must say where the token is'],
    [{ scheme: 'token', in: 'header' }, 'verify.name: is required'],
    [
      { scheme: 'hmac', header: 'X', algoritm: 'sha1' },
      'verify.algoritm: unknown key `algoritm`; did you mean `algorithm`?',
    ],
  ])('verify %j reports the branch that was meant: %s', (verify, error) => {
    expect(source({ verify, secrets: ['HOOK_SECRET'] })[0]).toContain(`sources.shop.${error}`);
  });
});

describe('a route', () => {
  it.each([
    [{ name: undefined }, 'name: is required: a name, as text'],
    [{ name: 'a b' }, 'name: must be 1 to 64 of A–Z, a–z, 0–9, `-` and `_`, starting with a letter or digit'],
    [{ Send: 1 }, 'Send: unknown key `Send`; did you mean `send`?'],
    [{ to: 4930123456 }, 'to: must be text: put the number in quotes, such as "+49 151 12345678"'],
    [
      { to: null },
      'to: must be a number in quotes, the name of a recipients list, a template, or a list of these',
    ],
    [{ to: '' }, 'to: must not be empty'],
    [{ to: [] }, 'to: must not be empty'],
    [{ to: ['4930123456', 5] }, 'to[1]: must be text: put it in quotes'],
    [{ when: true }, 'when: must be text: put it in quotes'],
    [{ stop: 'yes' }, 'stop: must be true or false'],
    [{ delay: 5 }, 'delay: must be a duration such as `30s`, `5m`, `3h` or `2d`'],
    [{ delay: '99d' }, 'delay: must be between 0ms and 30d, not 99d'],
    [{ on_uncertain: 'hodl' }, 'on_uncertain: must be one of retry, hold; did you mean `hold`?'],
    [{ max_length: 0 }, 'max_length: must be a whole number from 1 to 65536'],
    [{ overflow: 'cut' }, 'overflow: must be one of truncate, split, fail'],
  ])('%j: %s', (change, error) => {
    expect(routeErrors(change)).toEqual([`sources.shop.routes[0].${error}`]);
  });
});

describe('a template', () => {
  it.each([
    ['hello', ': must be a template: a `kind` and its parameters'],
    [null, ': must be a template: a `kind` and its parameters'],
    [[], ': must be a template: a `kind` and its parameters'],
    [{}, '.kind: is required: one of text, image, voice, link-preview, poll, status'],
    [
      { kind: 'Text' },
      '.kind: must be one of text, image, voice, link-preview, poll, status; did you mean `text`?',
    ],
    [{ kind: 'constructor' }, '.kind: must be one of text, image, voice, link-preview, poll, status'],
    [{ kind: 'text' }, '.message: is required'],
    [{ kind: 'text', message: '' }, '.message: must not be empty'],
    [{ kind: 'text', message: 5 }, '.message: must be text: put it in quotes'],
    [
      { kind: 'image', image_url: 'x', text: 'y' },
      '.text: unknown key `text`; known keys: kind, image_url, caption, fallback',
    ],
    [{ kind: 'poll', question: '?', options: 'a,b' }, '.options: must be a list of options'],
    [{ kind: 'poll', question: '?', options: ['a'] }, '.options: must have at least 2 options'],
    [{ kind: 'poll', question: '?', options: ['a', ''] }, '.options[1]: must not be empty'],
  ])('%j%s', (document, error) => {
    expect(template(document)).toEqual([`templates.paid${error}`]);
  });

  it('with a misspelt parameter is reported both what is missing and what was meant', () => {
    expect(template({ kind: 'text', mesage: 'x' })).toEqual([
      'templates.paid.message: is required',
      'templates.paid.mesage: unknown key `mesage`; did you mean `message`?',
    ]);
  });
});

describe('a recipients list', () => {
  it.each([
    [{}, '.numbers: is required: a list of numbers, or `people` by name'],
    [
      { numbers: [4915112345678] },
      '.numbers[0]: must be text: put the number in quotes, such as "+49 151 12345678"',
    ],
    [
      { numbers: ['4915112345678', '+49 151'] },
      '.numbers[1]: "+491…" is too short for a phone number with its country code',
    ],
    [
      { numbers: ['0151 12345678'] },
      '.numbers[0]: "0151…" has no country code: begin with it, such as +49 151 12345678',
    ],
    [
      { people: { 'Anna/Ben': '+49 151 12345678' } },
      '.people.Anna/Ben: is not a valid name: at most 64 characters, without `/`, `{` or line breaks',
    ],
  ])('%j%s', (document, error) => {
    expect(errorsOf({ recipients: { team: document } })).toEqual([`recipients.team${error}`]);
  });
});
