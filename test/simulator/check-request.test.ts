import { describe, expect, test } from 'vitest';
import { checkRequest } from '../../simulator/check-request.ts';
import type { RequestHead } from '../../simulator/check-request.ts';
import { ENDPOINTS } from '../../simulator/endpoints.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const check = (change: Partial<Omit<RequestHead, 'query'>> & { query?: string }) =>
  checkRequest({
    method: 'POST',
    path: '/send-message.php',
    headers: FORM,
    ...change,
    query: new URLSearchParams(change.query ?? ''),
  });

const refused = (status: number, reason: string) => ({ ok: false, error: { status, reason } });

describe('checkRequest', () => {
  test.each(ENDPOINTS.map((endpoint) => [endpoint.path, endpoint] as const))(
    'lets a form for %s pass',
    (path, endpoint) => {
      expect(check({ path })).toEqual({ ok: true, value: endpoint });
    },
  );

  test.each(['/send-message', '/send-message.php/', '/SEND-MESSAGE.php', '', '/status'])(
    'knows no endpoint %j',
    (path) => {
      expect(check({ path })).toMatchObject(refused(404, 'unknown_endpoint'));
    },
  );

  test.each(['GET', 'PUT', 'HEAD', 'OPTIONS'])('answers %s with the method that it allows', (method) => {
    expect(check({ method })).toMatchObject({
      ok: false,
      error: { status: 405, headers: { allow: 'POST' } },
    });
  });

  test.each([
    'application/x-www-form-urlencoded; charset=utf-8',
    'application/x-www-form-urlencoded;charset="UTF-8"',
    'Application/X-WWW-Form-Urlencoded',
  ])('takes the content type %s', (type) => {
    expect(check({ headers: { 'content-type': type } })).toMatchObject({ ok: true });
  });

  test.each([
    'application/json',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded; charset=latin1',
    'application/x-www-form-urlencodedx',
    undefined,
  ])('refuses the content type %s', (type) => {
    const headers = type === undefined ? {} : { 'content-type': type };
    expect(check({ headers })).toMatchObject(refused(415, 'wrong_content_type'));
  });

  test('refuses a compressed body', () => {
    expect(check({ headers: { ...FORM, 'content-encoding': 'gzip' } })).toMatchObject(
      refused(415, 'wrong_content_type'),
    );
  });

  test.each(['api_key=x', 'email=a@b', 'phone=1'])('refuses a parameter in the URL: %s', (query) => {
    expect(check({ query })).toMatchObject(refused(400, 'parameter_in_query'));
  });

  test.each(['authorization', 'api_key', 'x-api-key', 'app-key', 'email'])(
    'refuses credentials in the header %s',
    (name) => {
      const result = check({ headers: { ...FORM, [name]: 'very-secret' } });
      expect(result).toMatchObject(refused(400, 'credentials_in_header'));
      expect(JSON.stringify(result)).not.toContain('very-secret');
    },
  );
});
