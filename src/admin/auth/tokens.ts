import type { NO_PERSONS } from '../../lib/person-name.ts';
import { equalsInConstantTime } from '../../lib/constant-time.ts';
import { secret, variable } from '../../lib/secret.ts';

/** Shorter tokens could be guessed over the network, so they open nothing. */
const MIN_TOKEN_LENGTH = 8;
/** Whoever steals a session's cookie can try short tokens on it without asking the relay. `doctor` warns of shorter ones. */
export const MIN_NEW_TOKEN_LENGTH = 20;

export interface Token {
  readonly role: Role;
  readonly actor: string;
  readonly token: string;
}

/** From the highest role to the lowest. `least`: the minimum number of characters. */
export const TOKENS = [
  { name: 'ADMIN_TOKEN', role: 'editor', actor: 'token', least: MIN_TOKEN_LENGTH },
  // The new token, while it replaces the old one.
  { name: 'ADMIN_TOKEN_NEXT', role: 'editor', actor: 'token', least: MIN_NEW_TOKEN_LENGTH },
  { name: 'OPERATOR_TOKEN', role: 'operator', actor: 'operator', least: MIN_TOKEN_LENGTH },
  { name: 'VIEWER_TOKEN', role: 'viewer', actor: 'viewer', least: MIN_TOKEN_LENGTH },
] as const satisfies readonly {
  name: string;
  role: Role;
  actor: (typeof NO_PERSONS)[number];
  least: number;
}[];

export const tokensOf = (env: Env): readonly Token[] =>
  TOKENS.flatMap(({ name, role, actor, least }) => {
    const token = secret(env, name) ?? '';
    return token.length < least ? [] : [{ role, actor, token }];
  });

/** A role without a token uses the editors', so that somebody can be invited to it. A bearer of one is still an editor. */
export function signersOf(env: Env): readonly Token[] {
  const own = tokensOf(env);
  const lent = TOKENS.flatMap(({ role, actor }) =>
    own.some((one) => one.role === role)
      ? []
      : own.filter((one) => one.role === 'editor').map(({ token }) => ({ role, actor, token })),
  );
  return [...own, ...lent];
}

/** Compares all: the time must not reveal which one matched. If two roles have the same value, the lower counts. */
export async function findToken(tokens: readonly Token[], given: string): Promise<Token | undefined> {
  const equal = await Promise.all(tokens.map(({ token }) => equalsInConstantTime(given, token)));
  return tokens.findLast((_, at) => equal[at] === true);
}

export const NO_TOKEN = `ADMIN_TOKEN is not set, or too short. Generate one of at least ${MIN_NEW_TOKEN_LENGTH} characters (\`openssl rand -base64 32\`), and set it: \`npx wrangler secret put ADMIN_TOKEN\`.`;

/** The roles, from the lowest to the highest. Each includes the rights of those before it. */
export const ROLES = ['viewer', 'operator', 'editor'] as const;

/** `viewer` reads, without numbers and texts; `operator` also acts on events and incidents; `editor` may do everything. */
export type Role = (typeof ROLES)[number];

export const mayAct = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

export const VIEWER_SEES = 'VIEWER_SEES';
export const PAYLOADS = 'payloads';

/** True if viewers see payloads and texts. Any other value counts as absent. */
export const viewersSeePayloads = (env: Env): boolean => variable(env, VIEWER_SEES) === PAYLOADS;
