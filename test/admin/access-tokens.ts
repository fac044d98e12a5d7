import { newIssuer, type Issuer } from '../signature/issuer.ts';

export const AUDIENCE = '32eafc7626e974616deaf0dc3ce63d7bcbed58a2731e84d06bc3cdf1b53c4228';
/** Now, in whole seconds, as tokens have them. */
export const NOW = Math.floor(Date.now() / 1_000) * 1_000;

const seconds = Math.floor;

/** A team of Cloudflare Access. */
export interface Team extends Issuer {
  readonly domain: string;
  readonly bindings: Readonly<Record<string, string>>;
  /** A token as Access makes it at `now`, with what a test changes; undefined takes a claim away. */
  readonly token: (
    changes?: Readonly<Record<string, unknown>>,
    header?: Readonly<Record<string, unknown>>,
  ) => Promise<string>;
}

let teams = 0;

/** A team that no other test has, since its keys are kept in memory. */
export async function newTeam(now = NOW): Promise<Team> {
  teams += 1;
  const domain = `team-${teams}.cloudflareaccess.com`;
  const issuer = await newIssuer();
  return Object.assign(issuer, {
    domain,
    bindings: { ACCESS_TEAM_DOMAIN: domain, ACCESS_AUD: AUDIENCE },
    token: (changes: Readonly<Record<string, unknown>> = {}, header = {}) => {
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
      return issuer.sign(claims, header);
    },
  });
}
