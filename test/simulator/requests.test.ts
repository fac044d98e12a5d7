import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  checkCredentials,
  checkParameters,
  checkRequest,
  type RequestHead,
  decodeForm,
} from '../../simulator/check.ts';
import { ENDPOINTS, findEndpoint, type Endpoint } from '../../simulator/endpoints.ts';
import { scriptSchema } from '../../simulator/script.ts';
import { LOGIN, PHONE } from './harness.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const head = { method: 'POST', path: '/send-message.php', headers: FORM, query: new URLSearchParams() };
const reasonOf = (change: Partial<RequestHead>): string => {
  const result = checkRequest({ ...head, ...change });
  return result.ok ? 'taken' : result.error.reason;
};
const ofType = (type: string): string => reasonOf({ headers: { 'content-type': type } });

test('the head of a call passes with a form for each endpoint, and for no other path', () => {
  for (const endpoint of ENDPOINTS)
    expect(checkRequest({ ...head, path: endpoint.path })).toEqual({ ok: true, value: endpoint });
  for (const path of ['/send-message', '/send-message.php/', '/SEND-MESSAGE.php', '', '/status'])
    expect(reasonOf({ path }), path).toBe('unknown_endpoint');
});

test('the head of a call has a form’s content type in UTF-8, uncompressed', () => {
  const form = 'application/x-www-form-urlencoded';
  for (const type of [`${form}; charset=utf-8`, `${form};charset="UTF-8"`, form.toUpperCase()])
    expect(ofType(type), type).toBe('taken');
  for (const type of ['application/json', 'multipart/form-data; boundary=x', `${form}; charset=latin1`])
    expect(ofType(type), type).toBe('wrong_content_type');
  expect(reasonOf({ headers: {} })).toBe('wrong_content_type');
  expect(reasonOf({ headers: { ...FORM, 'content-encoding': 'gzip' } })).toBe('wrong_content_type');
});

test('the head of a call has parameters neither in the URL nor in headers, and a refusal does not repeat them', () => {
  for (const query of ['api_key=x', 'email=a@b', 'phone=1'])
    expect(reasonOf({ query: new URLSearchParams(query) }), query).toBe('parameter_in_query');
  for (const name of ['authorization', 'api_key', 'x-api-key', 'app-key', 'email']) {
    const result = checkRequest({ ...head, headers: { ...FORM, [name]: 'very-secret' } });
    expect(result).toMatchObject({ error: { reason: 'credentials_in_header' } });
    expect(JSON.stringify(result)).not.toContain('very-secret');
  }
});

const decode = (text: string) => decodeForm(new TextEncoder().encode(text));

const text = fc.string({ unit: 'grapheme' });
const name = fc.string({ unit: 'grapheme', minLength: 1 });

test('a form is read as URLSearchParams writes it', () => {
  fc.assert(
    fc.property(fc.dictionary(name, text, { maxKeys: 20 }), (fields) => {
      const decoded = decode(new URLSearchParams(fields).toString());
      expect(decoded).toEqual({ ok: true, value: new Map(Object.entries(fields)) });
    }),
  );
  expect(decode('message=a+b=c%2B')).toEqual({ ok: true, value: new Map([['message', 'a b=c+']]) });
  expect(decode('__proto__=x')).toEqual({ ok: true, value: new Map([['__proto__', 'x']]) });
});

test('a form is refused where it is malformed or has a parameter twice, and is not quoted', () => {
  const tooMany = Array.from({ length: 65 }, (_, n) => `p${n}=1`).join('&');
  for (const body of ['a=100%', 'a=%zz', 'a=%ff', 'a=%c0%af', 'a=b&phone', '=a', 'a=b&&phone=1', tooMany])
    expect(decode(body), body).toMatchObject({ error: { status: 400, reason: 'malformed_form' } });
  const bytes = decodeForm(Uint8Array.of(0x61, 0x3d, 0xff));
  expect(bytes).toMatchObject({ error: { reason: 'malformed_form' } });
  expect(decode('phone=1&ph%6fne=2')).toMatchObject({ error: { reason: 'repeated_parameter' } });
  const json = decode('{"api_key":"very-secret"}');
  expect(json.ok).toBe(false);
  expect(JSON.stringify(json)).not.toContain('very-secret');
});

/** A good value of every parameter. */
const GOOD: Readonly<Record<string, string>> = {
  ...LOGIN,
  app_key: 'app-77',
  phone: PHONE,
  message: 'Hello',
  image_url: 'https://pictures.example/a.jpg',
  caption: 'A picture',
  audio_url: 'http://sounds.example/a.mp3',
  url: 'https://example.com/',
  text: 'Look',
  title: 'Title',
  description: 'More',
  question: 'Which?',
  options: 'One,Two',
};
const requiredOf = ({ required }: Endpoint): readonly string[] => ['email', 'api_key', ...required];
const fieldsOf = (endpoint: Endpoint, change: Readonly<Record<string, string>> = {}) =>
  new Map([
    ...requiredOf(endpoint).map((name) => [name, GOOD[name] ?? ''] as const),
    ...Object.entries(change),
  ]);

const check = (path: string, change: Readonly<Record<string, string>>) => {
  const endpoint = findEndpoint(path);
  if (!endpoint) throw new Error(`no endpoint ${path}`);
  return checkParameters(endpoint, fieldsOf(endpoint, change));
};

const login = (change: Readonly<Record<string, string>> = {}) =>
  new Map(Object.entries({ ...LOGIN, ...change }));

const refused = (path: string, name: string, values: readonly string[]): void => {
  for (const value of values)
    expect(check(path, { [name]: value })?.reason, `${name}: ${value}`).toBe('invalid_parameter');
};

test('the parameters of a call are those of its endpoint: all that are required, optional ones perhaps empty, and no other', () => {
  for (const endpoint of ENDPOINTS) {
    const [required, optional] = [requiredOf(endpoint), [...endpoint.optional, 'app_key']];
    const given = (value: (name: string) => string) =>
      check(endpoint.path, Object.fromEntries(optional.map((name) => [name, value(name)])));
    expect(checkParameters(endpoint, fieldsOf(endpoint))).toBeNull();
    expect([given((name) => GOOD[name] ?? ''), given(() => '')]).toEqual([null, null]);
    for (const name of required) {
      const missing = fieldsOf(endpoint);
      missing.delete(name);
      const at = `\`${name}\` of ${endpoint.path}`;
      const empty = check(endpoint.path, { [name]: '' });
      expect(checkParameters(endpoint, missing)?.message).toContain(`${at} is missing`);
      expect(empty?.message).toContain(`${at} is empty`);
    }
    for (const name of Object.keys(GOOD).filter((one) => ![...required, ...optional].includes(one)))
      expect(check(endpoint.path, { [name]: GOOD[name] ?? '' })?.reason).toBe('unknown_parameter');
  }
});

test('the parameters of a call are a phone of 7 to 15 digits that do not start with 0, e-mail addresses, public URLs and at least two options', () => {
  const phones = fc.stringMatching(/^[1-9]\d{6,14}$/);
  fc.assert(fc.property(phones, (phone) => check('/send-message.php', { phone }) === null));
  const wrong =
    '+4915112345678 004915112345678 015112345678 123456 1234567890123456 １２３４５６７８ very-secret';
  for (const phone of [...wrong.split(' '), '49 151 12345678', '4915112345678\n']) {
    const refusal = check('/send-message.php', { phone });
    expect(refusal?.message).toContain('`phone` must be 7 to 15 digits');
    expect(JSON.stringify(refusal)).not.toContain(phone);
  }
  const none = ['javascript:alert(1)', 'ftp://a.example/x', 'data:,x', 'example.com', ' https://a.example'];
  refused('/send-message.php', 'email', ['shop', 'a b@example.com', '@example.com']);
  refused('/send-image.php', 'image_url', none);
  refused('/send-voice.php', 'audio_url', none);
  refused('/send-link-preview.php', 'url', [...none, 'https://a.example/a b']);
  refused('/send-poll.php', 'options', ['One', 'One,', ',Two', 'One,,Two', 'One, ,Two', ',']);
});

test('the parameters of a call are a login of the account, with its app key if it has one', () => {
  const account = { email: LOGIN.email, apiKey: LOGIN.api_key };
  const withKey = { ...account, appKey: 'app-77' };
  expect(checkCredentials(account, login())).toBeNull();
  expect(checkCredentials(account, login({ app_key: '' }))).toBeNull();
  expect(checkCredentials(withKey, login({ app_key: 'app-77' }))).toBeNull();
  for (const change of [{ email: 'x@example.com' }, { api_key: 'x' }, { app_key: 'x' }])
    expect(checkCredentials(account, login(change))?.reason).toBe('wrong_credentials');
  expect(checkCredentials(withKey, login())?.message).toContain('app_key');
});

test('a step of a script is taken once and by any call, unless it says otherwise', () => {
  const steps = [{ failure: 'html' }];
  expect(scriptSchema.parse({ steps })).toEqual({ steps: [{ failure: 'html', times: 1 }], repeat: false });
  const ofHtml = [
    { status: 500 },
    { times: 0 },
    { times: 1.5 },
    { match: { phone: '+49151123456' } },
    { match: { kind: 'fax' } },
  ];
  const ofStatus = [
    { status: 99 },
    {},
    ...['Retry After', 'Content-Length'].map((name) => ({ status: 503, headers: { [name]: '1' } })),
  ];
  const others = [{ failure: 'explode' }, { failure: 'slow' }, { failure: 'hang', ms: -1 }];
  for (const step of [
    ...ofHtml.map((more) => ({ failure: 'html', ...more })),
    ...ofStatus.map((more) => ({ failure: 'status', ...more })),
    ...others,
    { failure: 'status', status: 503, headers: { 'X-A': 'a\r\nb: c' } },
    { failure: 'reset_before', match: { phone: PHONE } },
  ])
    expect(scriptSchema.safeParse({ steps: [step] }).success, JSON.stringify(step)).toBe(false);
});
