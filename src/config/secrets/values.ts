import { secret } from '../../lib/secret.ts';
import { type FieldError, fieldError } from '../../lib/problem.ts';
import { redact } from '../../lib/redact.ts';
import { KINDS } from '../documents/name.ts';
import type { ConfigSet } from '../documents/schema.ts';
import { shownKey } from '../../schema/parts.ts';

/** Shorter values may be in a document by chance. In UTF-16 units. */
const MIN_LENGTH = 12;

/** Addresses, and names such as a topic's ARN. They are not secret, and a condition may compare with one. */
const PUBLIC_VALUE = /^(https?:|arn:)/;

/** Variables that are not secrets, and a login's e-mail address, which a shop may show to its customers. */
const MAY_STAND = /^(GATEWAY_((.*_)?(BASE_URL|EMAIL)|HOSTS)|ACCESS_(TEAM_DOMAIN|AUD|ROLES))$/;

/**
 * Documents go to KV, into exports and into version control. A set's other errors are not listed then, since they could
 * repeat the value.
 */
export function secretValueErrors(set: ConfigSet, env: Env): readonly FieldError[] {
  const secrets = secretsOf(env);
  const values = secrets.map(({ value }) => value);
  return KINDS.flatMap((kind) =>
    Object.entries(set[kind]).flatMap(([name, document]) => {
      const text = JSON.stringify([name, document]);
      if (!holdsOne(text, values)) return [];
      const path = holdsOne(name, values) ? kind : `${kind}.${shownKey(name)}`;
      const held = secrets.filter(({ value }) => holdsOne(text, [value]));
      return [fieldError(path, 'secret', message(held.map((one) => one.name)))];
    }),
  );
}

const secretsOf = (env: Env) =>
  Object.keys(env).flatMap((name) => {
    const value = MAY_STAND.test(name) ? '' : (secret(env, name) ?? '');
    return value.length < MIN_LENGTH || PUBLIC_VALUE.test(value) ? [] : [{ name, value }];
  });

const holdsOne = (text: string, values: readonly string[]): boolean => redact(text, values) !== text;

const message = (names: readonly string[]): string =>
  `contains the value of ${names.join(' and ')}; only names of secrets are allowed. If others can read that file, replace the secret`;
