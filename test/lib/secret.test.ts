import { bindings as environment } from '../bindings.ts';

const env = environment();
import { describe, expect, it } from 'vitest';
import { secret, secretValues } from '../../src/lib/secret.ts';

const withVariables = (variables: Record<string, unknown>): Env => ({ ...env, ...variables });

describe('a secret', () => {
  it('is known by its name', () => {
    expect(secret(withVariables({ MY_SECRET: 'value' }), 'MY_SECRET')).toBe('value');
  });

  it.each(['MISSING', 'EMPTY', 'CONFIG', 'lower_case', '__proto__'])('is none: %s', (name) => {
    expect(secret(withVariables({ EMPTY: '', lower_case: 'value' }), name)).toBeUndefined();
  });
});

describe('the values that no log may show', () => {
  const values = secretValues(
    withVariables({
      MY_SECRET: 'a-secret-value',
      SHORT: 'yes',
      GATEWAY_SALES_BASE_URL: 'https://gateway.example/api',
    }),
  );

  it('are those of every secret', () => {
    expect(values).toEqual(
      expect.arrayContaining(['a-secret-value', 'admin-token-of-the-tests', 'gateway-key-of-the-tests']),
    );
  });

  it('are no addresses but those of channels, and no words that any text has', () => {
    expect(values).not.toContain('yes');
    const addresses = values.filter((value) => value.startsWith('http'));
    expect(addresses.filter((value) => !value.endsWith('/escape'))).toEqual([]);
  });
});
