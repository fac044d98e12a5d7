import { SignJWT, exportJWK, generateKeyPair } from 'jose';

export const AUDIENCE = '32eafc7626e974616deaf0dc3ce63d7bcbed58a2731e84d06bc3cdf1b53c4228';
/** Now, in whole seconds, as tokens have them. */
export const NOW = Math.floor(Date.now() / 1_000) * 1_000;

const seconds = Math.floor;

/** A team of Cloudflare Access: its keys, and a fetch that gives them to whoever asks at its address. */
export interface Team {
  readonly domain: string;
  readonly bindings: Readonly<Record<string, string>>;
  /** The addresses that were asked for. */
  readonly asked: string[];
  /** How it answers; its keys until a test says otherwise. */
  answer: (init?: RequestInit) => Response | Promise<Response>;
  readonly fetch: typeof fetch;
  /** A token as Access makes it at `now`, with what a test changes; undefined takes a claim away. */
  token: (
    changes?: Readonly<Record<string, unknown>>,
    header?: Readonly<Record<string, unknown>>,
  ) => Promise<string>;
  /** From now on it signs with another key, which it publishes beside the old one. */
  rotate: (kid: string) => Promise<void>;
}

let teams = 0;

/** A team that no other test has, since its keys are kept in memory. */
export async function newTeam(now = NOW): Promise<Team> {
  teams += 1;
  const domain = `team-${teams}.cloudflareaccess.com`;
  const keys: object[] = [];
  let current = { kid: 'none', ...(await generateKeyPair('RS256', { extractable: true })) };
  const team: Team = {
    domain,
    bindings: { ACCESS_TEAM_DOMAIN: domain, ACCESS_AUD: AUDIENCE },
    asked: [],
    answer: () => Response.json({ keys, public_cert: { kid: 'k1', cert: '…' } }),
    fetch: (input, init) => {
      team.asked.push(input instanceof Request ? input.url : String(input));
      return Promise.resolve(team.answer(init));
    },
    token: (changes = {}, header = {}) => {
      const claims = {
        aud: [AUDIENCE],
        email: 'ada@example.com',
        iss: `https://${domain}`,
        iat: seconds(now / 1_000),
        nbf: seconds(now / 1_000),
        exp: seconds(now / 1_000) + 3_600,
        type: 'app',
        sub: '7335d417-61da-459d-899c-0a01c76a2f94',
        ...changes,
      };
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: current.kid, typ: 'JWT', ...header })
        .sign(current.privateKey);
    },
    rotate: async (kid) => {
      current = { kid, ...(await generateKeyPair('RS256', { extractable: true })) };
      keys.unshift({ kid, alg: 'RS256', use: 'sig', ...(await exportJWK(current.publicKey)) });
    },
  };
  await team.rotate('k1');
  return team;
}
