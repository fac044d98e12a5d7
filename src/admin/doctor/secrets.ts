import type { Config } from '../../config/compiled/config.ts';
import { namedSecrets } from '../../config/secrets/named-secrets.ts';
import { secret, variable } from '../../lib/secret.ts';
import { accessSettings } from '../auth/access.ts';
import { MIN_NEW_TOKEN_LENGTH, TOKENS } from '../auth/tokens.ts';
import { PAYLOADS, VIEWER_SEES, viewersSeePayloads } from '../auth/role.ts';
import type { DoctorCode } from '../../lib/api-codes.ts';
import { count, findingOf, type Check } from './check.ts';

/**
 * Reports secrets that are not set, and logins that are weak or cannot be read. Shows only their names. `isLocal`: nobody but this machine can try tokens.
 */
export function secretChecks(config: Config, env: Env, isLocal = false): readonly Check[] {
  const named = namedSecrets(config);
  const missing = [...named].filter(([name]) => secret(env, name) === undefined);
  const set = named.size - missing.length;
  return [
    ...(missing.length > 0 ? missing.map(missingSecret) : [allSet(set)]),
    ...TOKENS.flatMap((token) => tokenCheck(token, env, isLocal) ?? []),
    ...loginChecks(env),
  ];
}

const allSet = (n: number): Check =>
  findingOf('secrets', 'Secrets')('ok', 'secrets-set', `${count(n, 'secret')} needed, all are set`, {
    params: { secrets: n },
  });

const missingSecret = ([name, usedBy]: readonly [string, readonly string[]]): Check =>
  findingOf(`secret:${name}`, `Secret ${name}`)(
    'fail',
    'secret-missing',
    `is not set, and ${usedBy.slice(0, 3).join(', ')}${usedBy.length > 3 ? ' and others' : ''} cannot work without it`,
    { params: { name, used_by: usedBy.join(', ') }, remedy: `npx wrangler secret put ${name}` },
  );

/** Null if the token is not set, or is fine. */
function tokenCheck({ name, least }: (typeof TOKENS)[number], env: Env, isLocal: boolean): Check | null {
  const token = secret(env, name);
  if (token === undefined) return null;
  const same = TOKENS.find((one) => one.name !== name && secret(env, one.name) === token);
  const warn = (code: DoctorCode, detail: string): Check =>
    findingOf(`secret:${name}`, `Secret ${name}`)('warn', code, detail, {
      remedy: `Make a random one (openssl rand -base64 32) and set it: npx wrangler secret put ${name}`,
    });
  if (token.length < least)
    return warn('token-ignored', `is shorter than ${least} characters, so it is ignored`);
  if (token.length < MIN_NEW_TOKEN_LENGTH && !isLocal)
    return warn(
      'token-short',
      `is shorter than ${MIN_NEW_TOKEN_LENGTH} characters: with a stolen session cookie, it could be guessed`,
    );
  return same !== undefined && !name.startsWith('ADMIN')
    ? warn('token-shared', `is the same as ${same.name}, so both have the lesser role`)
    : null;
}

function loginChecks(env: Env): readonly Check[] {
  const access = accessSettings(env);
  const sees = variable(env, VIEWER_SEES) ?? '';
  const more = { remedy: 'Correct it under [vars] in wrangler.toml, and deploy' };
  const checks: Check[] = [];
  if (!access.ok)
    checks.push(
      findingOf('access', 'Cloudflare Access')(
        'fail',
        'access-unreadable',
        `lets nobody in: ${access.error}`,
        more,
      ),
    );
  if (sees !== '' && !viewersSeePayloads(env))
    checks.push(
      findingOf('viewer-sees', `Variable ${VIEWER_SEES}`)(
        'warn',
        'variable-ignored',
        `is ignored: it can only be ${PAYLOADS}`,
        more,
      ),
    );
  return checks;
}
