import { secret } from '../../lib/secret.ts';
import { equalsInConstantTime } from '../../lib/constant-time.ts';
import type { Role } from './role.ts';

/** Shorter tokens can be guessed over the network. */
const MIN_TOKEN_LENGTH = 8;

/** A token that is set, and whom it makes of its bearer. */
export interface Token {
  readonly role: Role;
  /** The name in the record of who did what. */
  readonly actor: string;
  readonly token: string;
}

const SECRETS = [
  ['ADMIN_TOKEN', 'editor', 'token'],
  // While the token is being replaced.
  ['ADMIN_TOKEN_NEXT', 'editor', 'token'],
] as const;

/** All tokens that are set and long enough. */
export const tokensOf = (env: Env): readonly Token[] =>
  SECRETS.flatMap(([name, role, actor]) => {
    const token = secret(env, name) ?? '';
    return token.length < MIN_TOKEN_LENGTH ? [] : [{ role, actor, token }];
  });

/** The one that was given. All of them are compared, so that the time taken does not reveal which one it was. */
export async function findToken(tokens: readonly Token[], given: string): Promise<Token | undefined> {
  const equal = await Promise.all(tokens.map(({ token }) => equalsInConstantTime(given, token)));
  return tokens[equal.indexOf(true)];
}

export const NO_TOKEN = `No ADMIN_TOKEN of at least ${MIN_TOKEN_LENGTH} characters is set: \`wrangler secret put ADMIN_TOKEN\`.`;
