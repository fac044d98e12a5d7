import type { Config } from '../../config/config.ts';
import { namedSecrets } from '../../config/named-secrets.ts';
import { secretNameErrors } from '../../config/secret-names.ts';
import { secret } from '../../lib/secret.ts';
import type { FieldError } from '../../lib/problem.ts';
import { count, type Check } from './check.ts';

/** A random token is longer; an invented one can be guessed. */
const GOOD_TOKEN_LENGTH = 20;

/** Secrets that are not set, or that the configuration names in the wrong place. Their names only. */
export function secretChecks(config: Config, env: Env): readonly Check[] {
  const named = namedSecrets(config);
  const missing = [...named].filter(([name]) => secret(env, name) === undefined);
  const set = named.size - missing.length;
  const token = secret(env, 'ADMIN_TOKEN');
  return [
    ...(missing.length > 0 ? missing.map(missingSecret) : [allSet(set)]),
    ...secretNameErrors(config).map(misnamedSecret),
    ...(token !== undefined && token.length < GOOD_TOKEN_LENGTH ? [SHORT_TOKEN] : []),
  ];
}

const allSet = (n: number): Check => ({
  id: 'secrets',
  status: 'ok',
  title: 'Secrets',
  detail: `${count(n, 'secret')} needed, all of them set`,
});

const missingSecret = ([name, usedBy]: readonly [string, readonly string[]]): Check => ({
  id: `secret:${name}`,
  status: 'fail',
  title: `Secret ${name}`,
  detail: `is not set, and ${usedBy.slice(0, 3).join(', ')}${usedBy.length > 3 ? ' and others' : ''} cannot work without it`,
  remedy: `npx wrangler secret put ${name}`,
});

/** For a version from before names of secrets had prefixes: it cannot be published again unchanged. */
const misnamedSecret = ({ path, message }: FieldError): Check => ({
  id: `secret-name:${path}`,
  status: 'fail',
  title: `Name of a secret, ${path}`,
  detail: `${message}; until then it is not used`,
  remedy: 'Set it under the other name, write that name into the document, and npx hookbell push',
});

const SHORT_TOKEN: Check = {
  id: 'secret:ADMIN_TOKEN',
  status: 'warn',
  title: 'Secret ADMIN_TOKEN',
  detail: `is shorter than ${GOOD_TOKEN_LENGTH} characters: somebody may guess it`,
  remedy: 'Make a random one (openssl rand -base64 32) and set it: npx wrangler secret put ADMIN_TOKEN',
};
