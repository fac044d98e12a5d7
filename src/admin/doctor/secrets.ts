import type { Config } from '../../config/config.ts';
import { namedSecrets } from '../../config/named-secrets.ts';
import { secretNameErrors } from '../../config/secret-names.ts';
import { secret } from '../../lib/secret.ts';
import type { FieldError } from '../../lib/problem.ts';
import { count, type Check } from './check.ts';

/** A random token is longer; what a person makes up can be guessed. */
const GOOD_TOKEN_LENGTH = 20;

/** Secrets that the configuration names and the deployment lacks, or names where they do not belong. Their names only. */
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

/** Of a version from before names had to tell: it cannot be published again as it is. */
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
