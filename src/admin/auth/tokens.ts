import { secret } from '../../lib/secret.ts';
import { equalsInConstantTime } from '../../lib/constant-time.ts';
import type { Role } from './role.ts';

/** Shorter tokens can be guessed over the network. */
export const MIN_TOKEN_LENGTH = 8;

/** A token that is set, and whom it makes of its bearer. */
export interface Token {
  readonly role: Role;
  /** The name in the record of who did what. */
  readonly actor: string;
  readonly token: string;
}

/** The secrets that are bearer tokens, from the most to the least role. */
export const TOKENS = [
  { name: 'ADMIN_TOKEN', role: 'editor', actor: 'token' },
  // While the token is being replaced.
  { name: 'ADMIN_TOKEN_NEXT', role: 'editor', actor: 'token' },
  { name: 'OPERATOR_TOKEN', role: 'operator', actor: 'operator' },
  { name: 'VIEWER_TOKEN', role: 'viewer', actor: 'viewer' },
] as const satisfies readonly { name: string; role: Role; actor: string }[];

/** All tokens that are set and long enough. */
export const tokensOf = (env: Env): readonly Token[] =>
  TOKENS.flatMap(({ name, role, actor }) => {
    const token = secret(env, name) ?? '';
    return token.length < MIN_TOKEN_LENGTH ? [] : [{ role, actor, token }];
  });

/**
 * The one that was given. All of them are compared, so that the time taken does not reveal which one it was. A value
 * that two roles have is that of the lesser one.
 */
export async function findToken(tokens: readonly Token[], given: string): Promise<Token | undefined> {
  const equal = await Promise.all(tokens.map(({ token }) => equalsInConstantTime(given, token)));
  return tokens.findLast((_, at) => equal[at] === true);
}

export const NO_TOKEN = `No ADMIN_TOKEN of at least ${MIN_TOKEN_LENGTH} characters is set: \`wrangler secret put ADMIN_TOKEN\`.`;
