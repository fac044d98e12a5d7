import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkCredentials, checkParameters, withoutCredentials } from '../../simulator/check-parameters.ts';
import { ENDPOINTS, findEndpoint } from '../../simulator/endpoints.ts';
import type { Endpoint } from '../../simulator/endpoints.ts';
import { LOGIN, PHONE } from './harness.ts';

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

const fieldsOf = (endpoint: Endpoint, change: Record<string, string> = {}) => {
  const names = ['email', 'api_key', ...endpoint.required];
  return new Map([
    ...names.map((name): [string, string] => [name, GOOD[name] ?? '']),
    ...Object.entries(change),
  ]);
};

const check = (path: string, change: Record<string, string>) => {
  const endpoint = findEndpoint(path);
  if (!endpoint) throw new Error(`No endpoint ${path}`);
  return checkParameters(endpoint, fieldsOf(endpoint, change));
};

describe.each(ENDPOINTS.map((endpoint) => [endpoint.path, endpoint] as const))('%s', (_, endpoint) => {
  const required = ['email', 'api_key', ...endpoint.required];
  const optional = [...endpoint.optional, 'app_key'];

  test('takes its required parameters alone', () => {
    expect(checkParameters(endpoint, fieldsOf(endpoint))).toBeNull();
  });

  test('takes its optional parameters, empty or not', () => {
    const all = Object.fromEntries(optional.map((name) => [name, GOOD[name] ?? '']));
    const empty = Object.fromEntries(optional.map((name) => [name, '']));
    expect(checkParameters(endpoint, fieldsOf(endpoint, all))).toBeNull();
    expect(checkParameters(endpoint, fieldsOf(endpoint, empty))).toBeNull();
  });

  test.each(required)('refuses a call without %s, and one where it is empty', (name) => {
    const missing = fieldsOf(endpoint);
    missing.delete(name);
    expect(checkParameters(endpoint, missing)?.message).toContain(
      `\`${name}\` of ${endpoint.path} is missing`,
    );
    const empty = fieldsOf(endpoint, { [name]: '' });
    expect(checkParameters(endpoint, empty)?.message).toContain(`\`${name}\` of ${endpoint.path} is empty`);
  });

  test('refuses every parameter that belongs to another endpoint', () => {
    const foreign = Object.keys(GOOD).filter((name) => ![...required, ...optional].includes(name));
    for (const name of foreign) {
      const refusal = checkParameters(endpoint, fieldsOf(endpoint, { [name]: GOOD[name] ?? '' }));
      expect(refusal).toMatchObject({ status: 400, reason: 'unknown_parameter' });
    }
  });
});

describe('values', () => {
  test('a status has no receiver', () => {
    expect(check('/status/send-text.php', { phone: PHONE })?.reason).toBe('unknown_parameter');
  });

  test('7 to 15 digits that do not start with 0 are a phone', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[1-9]\d{6,14}$/),
        (phone) => check('/send-message.php', { phone }) === null,
      ),
    );
  });

  test.each([
    '+4915112345678',
    '004915112345678',
    '015112345678',
    '49 151 12345678',
    '123456',
    '1234567890123456',
    '１２３４５６７８',
    '4915112345678\n',
  ])('refuses the phone %j', (phone) => {
    expect(check('/send-message.php', { phone })?.message).toContain('`phone` must be 7 to 15 digits');
  });

  test.each(['shop', 'a b@example.com', '@example.com'])('refuses the e-mail address %j', (email) => {
    expect(check('/send-message.php', { email })?.reason).toBe('invalid_parameter');
  });

  test.each([
    ['/send-image.php', 'image_url'],
    ['/send-voice.php', 'audio_url'],
    ['/send-link-preview.php', 'url'],
  ])('%s takes http and https URLs only', (path, name) => {
    for (const url of [
      'javascript:alert(1)',
      'ftp://a.example/x',
      'data:,x',
      '/x.png',
      'example.com',
      ' https://a.example',
      'https://a.example/a b',
    ]) {
      expect(check(path, { [name]: url })?.message).toBe(`\`${name}\` must be a public http or https URL.`);
    }
  });

  test.each(['One', 'One,', ',Two', 'One,,Two', 'One, ,Two', ','])(
    'refuses the poll options %j',
    (options) => {
      expect(check('/send-poll.php', { options })?.reason).toBe('invalid_parameter');
    },
  );

  test('a refusal never repeats the value', () => {
    const refusal = check('/send-message.php', { phone: 'very-secret' });
    expect(refusal).not.toBeNull();
    expect(JSON.stringify(refusal)).not.toContain('very-secret');
  });
});

const login = (change: Record<string, string> = {}) => new Map(Object.entries({ ...LOGIN, ...change }));

describe('checkCredentials', () => {
  const account = { email: LOGIN.email, apiKey: LOGIN.api_key };

  test('lets the right login in', () => {
    expect(checkCredentials(account, login())).toBeNull();
    expect(checkCredentials({ ...account, appKey: 'app-77' }, login({ app_key: 'app-77' }))).toBeNull();
  });

  test.each([{ email: 'x@example.com' }, { api_key: 'x' }, { app_key: 'x' }])('refuses %j', (change) => {
    expect(checkCredentials(account, login(change))).toMatchObject({
      status: 401,
      reason: 'wrong_credentials',
    });
  });

  test('an account with an app key is not entered without it', () => {
    expect(checkCredentials({ ...account, appKey: 'app-77' }, login())?.message).toContain('app_key');
  });

  test('an empty app key is none', () => {
    expect(checkCredentials(account, login({ app_key: '' }))).toBeNull();
  });
});

test('withoutCredentials keeps the documented fields that were sent, and none of the login', () => {
  for (const endpoint of ENDPOINTS) {
    const kept = withoutCredentials(endpoint, fieldsOf(endpoint, { app_key: 'app-77', stray: 'x' }));
    expect(Object.keys(kept).toSorted()).toEqual([...endpoint.required].toSorted());
  }
});
