import { expect, it } from 'vitest';
import { secret, secretValues } from '../../src/lib/secret.ts';
import { bindings } from '../bindings.ts';

const withVariables = (variables: Record<string, unknown>): Env => ({ ...bindings(), ...variables });

it('a secret is known by its name, and what is no text or has no such name is none', () => {
  const env = withVariables({ MY_SECRET: 'value', EMPTY: '', lower_case: 'value' });
  expect(secret(env, 'MY_SECRET')).toBe('value');
  for (const name of ['MISSING', 'EMPTY', 'CONFIG', 'lower_case', '__proto__'])
    expect(secret(env, name), name).toBeUndefined();
});

it('no log may show a value of a secret; addresses but those of channels, and words of any text, are none', () => {
  const GATEWAY_SALES_BASE_URL = 'https://gateway.example/api';
  const values = secretValues(
    withVariables({ MY_SECRET: 'a-secret-value', SHORT: 'yes', GATEWAY_SALES_BASE_URL }),
  );
  const kept = ['a-secret-value', 'admin-token-of-the-tests', 'gateway-key-of-the-tests'];
  expect(values).toEqual(expect.arrayContaining(kept));
  expect(values).not.toContain('yes');
  const addresses = values.filter((value) => value.startsWith('http'));
  expect(addresses.filter((value) => !value.endsWith('/escape'))).toEqual([]);
});
