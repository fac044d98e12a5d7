import { err, ok, type Result } from '../../lib/result.ts';
import { ROLES, type Role } from './role.ts';

/** An entry of `ACCESS_ROLES`: a login and its role. The first entry that matches counts. */
export interface AccessRole {
  /** An address, `@` and its domain, `group:` and a name, `service:` and a name, or `*` for all. */
  readonly who: string;
  readonly role: Role;
}

/** Without `ACCESS_ROLES`, everybody whom Access lets through may do everything. */
export const EVERYBODY: readonly AccessRole[] = [{ who: '*', role: 'editor' }];

const WHO = /^(\*|[^\s@:=;]*@[^\s@:=;]+|(group|service):.+)$/;

/**
 * Reads `ann@acme.com=editor, @acme.com=operator, group:support=viewer, *=viewer`. The error names an entry by its
 * number, since a stranger may read the error.
 */
export function parseAccessRoles(text: string): Result<readonly AccessRole[], string> {
  const roles: AccessRole[] = [];
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

/**
 * The role of a person or service; null if there is none. ASCII case counts in names of groups, but not in addresses.
 */
export function roleOf(roles: readonly AccessRole[], actor: string, groups: readonly string[]): Role | null {
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

/**
 * The groups that a token names. Cloudflare puts the claims that the identity provider's settings ask for under
 * `custom`. A person's other groups are not in the token.
 */
export function groupsIn(claims: Readonly<Record<string, unknown>>): readonly string[] {
  const { groups, custom } = claims;
  const others: unknown =
    typeof custom === 'object' && custom !== null ? Reflect.get(custom, 'groups') : undefined;
  return [groups, others].flat().filter((one) => typeof one === 'string');
}
