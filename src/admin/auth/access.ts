import { log } from '../../lib/log.ts';
import { SERVICE } from '../../lib/person-name.ts';
import { ownValue } from '../../lib/json.ts';
import { secret } from '../../lib/secret.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { type JwtClaims, readJws, issuedClaims } from '../../signature/schemes/jwt.ts';
import type { VerifyContext } from '../../signature/certificates/fetched.ts';
import { type Role, ROLES } from './tokens.ts';

/** Matches the team's host and nothing else, since the keys are fetched from that address. */
const TEAM = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+cloudflareaccess\.com$/;

/** The difference between Cloudflare's clocks, in ms. */
const CLOCK_TOLERANCE = 30_000;

/** Reads `ACCESS_TEAM_DOMAIN`, `ACCESS_AUD` and `ACCESS_ROLES`; null if none is set. The error says how to fix them. */
export function accessSettings(env: Env) {
  const team = secret(env, 'ACCESS_TEAM_DOMAIN');
  const given = secret(env, 'ACCESS_ROLES');
  const audiences = (secret(env, 'ACCESS_AUD') ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
  if (team === undefined)
    return audiences.length === 0 && given === undefined
      ? ok(null)
      : err('ACCESS_AUD or ACCESS_ROLES is set without ACCESS_TEAM_DOMAIN.');
  if (!TEAM.test(team))
    return err('ACCESS_TEAM_DOMAIN must be a plain host name such as `acme.cloudflareaccess.com`.');
  if (audiences.length === 0)
    return err('ACCESS_TEAM_DOMAIN is set without ACCESS_AUD, the AUD tag of the Access application.');
  const roles = given === undefined ? ok(EVERYBODY) : parseAccessRoles(given);
  return roles.ok ? ok({ team, audiences, roles: roles.value }) : roles;
}

type AccessSettings = NonNullable<Extract<ReturnType<typeof accessSettings>, { ok: true }>['value']>;

/** `refused`: the token is of another team or application, or not valid now. Callers do not get the reason. */
export async function verifyAccess(
  token: string,
  { team, audiences, roles }: AccessSettings,
  context: VerifyContext,
) {
  // Cheap checks come before a key is fetched: a text that cannot be a token of Access costs no call.
  const jws = readJws(token, 'RS256');
  if (!jws.ok || jws.value.signature.byteLength === 0) return err('refused');
  if (typeof jws.value.header['kid'] !== 'string') return err('refused');
  const issuer = `https://${team}`;
  const key = { url: `${issuer}/cdn-cgi/access/certs`, algorithm: 'RS256' } as const;
  const rules = { issuer, audiences, require_exp: true, tolerance: CLOCK_TOLERANCE };
  const issued = await issuedClaims(jws.value, key, rules, context);
  if (!issued.ok) {
    const { code, detail, asked } = issued.error;
    if (asked === true) log('error', 'admin.access.failed', { team, error: detail });
    return err(code === 'unavailable' ? 'unavailable' : 'refused');
  }
  const { claims } = issued.value;
  const actor = actorOf(claims);
  if (actor === null) return err('refused');
  const role = roleOf(roles, actor, groupsIn(claims));
  // Its rules require it, so it is a number.
  return ok({ actor, role, expiresAt: Number(claims['exp']) * 1_000 });
}

/** The name in the record of who did what, an e-mail address or `service:` and a name: it must not look like our own. */
const EMAIL = /^[^\s@:]{1,100}@[^\s@:]{1,200}$/;
const SERVICE_ID = /^[\w.-]{1,200}$/;

function actorOf({ email, common_name: service }: JwtClaims): string | null {
  if (typeof email === 'string' && EMAIL.test(email)) return email;
  return typeof service === 'string' && SERVICE_ID.test(service) ? `${SERVICE}${service}` : null;
}

/** Entries of `ACCESS_ROLES`: the first that matches a login counts. */
type AccessRoles = readonly { readonly who: string; readonly role: Role }[];

/** Without `ACCESS_ROLES`, everybody whom Access lets through may do everything. */
export const EVERYBODY: AccessRoles = [{ who: '*', role: 'editor' }];

/** An address, `@` and its domain, `group:` and a name, `service:` and a name, or `*` for all. */
const WHO = /^(\*|[^\s@:=;]*@[^\s@:=;]+|(group|service):.+)$/;

/** Reads `ann@acme.com=editor, @acme.com=operator, *=viewer`. An error names an entry by its number: a stranger may read it. */
export function parseAccessRoles(text: string): Result<AccessRoles, string> {
  const roles: AccessRoles[number][] = [];
  for (const [at, entry] of text.split(',').entries()) {
    const equals = entry.lastIndexOf('=');
    const who = entry.slice(0, Math.max(0, equals)).trim();
    const role = ROLES.find((one) => one === entry.slice(equals + 1).trim());
    if (role === undefined || !WHO.test(who))
      return err(
        `Entry ${at + 1} of ACCESS_ROLES must be who=role, where who is an address, @domain, group:name, service:name or *, and the role is ${ROLES.join(', ')}. Separate entries with commas.`,
      );
    roles.push({ who, role });
  }
  return ok(roles);
}

/** Null if there is none. ASCII case counts in names of groups, but not in addresses. */
export function roleOf(roles: AccessRoles, actor: string, groups: readonly string[]): Role | null {
  const address = lowered(actor);
  const found = roles.find(({ who }) => {
    if (who.startsWith('group:')) return groups.includes(who.slice('group:'.length));
    if (who.startsWith('@')) return address.endsWith(lowered(who));
    return who === '*' || lowered(who) === address;
  });
  return found?.role ?? null;
}

/** Lowers ASCII letters only. Unicode's lower case turns the Kelvin sign into a k, and would make two people one. */
const lowered = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The groups in a token. Cloudflare puts those that the identity provider's settings ask for under `custom`. */
export function groupsIn(claims: Readonly<Record<string, unknown>>): readonly string[] {
  const { groups, custom } = claims;
  return [groups, ownValue(custom, 'groups')].flat().filter((one) => typeof one === 'string');
}
