import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupsIn, parseAccessRoles, roleOf } from '../../../src/admin/auth/access-roles.ts';
import { ROLES } from '../../../src/admin/auth/role.ts';

const parsed = (text: string) => {
  const roles = parseAccessRoles(text);
  if (!roles.ok) throw new Error(roles.error);
  return roles.value;
};
const team = parsed('ann@acme.com=editor, @acme.com=operator,group:support=viewer, service:ci.access=editor');

describe('ACCESS_ROLES', () => {
  it.each([
    ['ann@acme.com', [], 'editor'],
    ['Ann@ACME.com', [], 'editor'],
    ['bob@acme.com', [], 'operator'],
    ['bob@acme.com', ['support'], 'operator'],
    ['eve@acme.com.evil.example', [], null],
    ['eve@evilacme.com', [], null],
    ['eve@sub.acme.com', [], null],
    ['eve@example.com', ['support'], 'viewer'],
    ['eve@example.com', ['Support', 'supporters'], null],
    ['service:ci.access', [], 'editor'],
    ['service:other.access', [], null],
  ] as const)('gives %s of the groups %j the role %s', (actor, groups, role) => {
    expect(roleOf(team, actor, groups)).toBe(role);
  });

  it('gives everybody else what * says, and takes the first that matches', () => {
    const all = parsed('*=viewer,ann@acme.com=editor');
    expect(roleOf(all, 'ann@acme.com', [])).toBe('viewer');
    expect(roleOf(all, 'service:x', [])).toBe('viewer');
  });

  it.each([
    '',
    ' ',
    'ann@acme.com',
    'ann@acme.com=',
    'ann@acme.com=admin',
    'ann@acme.com=Editor',
    '=viewer',
    'ann=viewer',
    '@=viewer',
    'group:=viewer',
    'user:ann=viewer',
    'a b@acme.com=viewer',
    '*=viewer,',
    '*=viewer;@acme.com=editor',
    '**=viewer',
  ])('is refused as a whole when an entry is none: %j', (text) => {
    expect(parseAccessRoles(text).ok).toBe(false);
  });

  it('says which entry is wrong, and nothing of what is in it', () => {
    expect(parseAccessRoles('*=viewer, secret-person@acme.com=boss')).toEqual({
      ok: false,
      error:
        'Entry 2 of ACCESS_ROLES must be who=role, where who is an address, @domain, group:name, service:name or *, and the role is viewer, operator, editor. Separate entries with commas.',
    });
  });

  it('means the same with spaces around its parts, and knows groups with = in their names', () => {
    expect(parsed(' * = viewer ')).toEqual([{ who: '*', role: 'viewer' }]);
    expect(roleOf(parsed('group:cn=Night Shift=operator'), 'x@y.z', ['cn=Night Shift'])).toBe('operator');
  });

  it('takes no letter of another script for one of an address: the Kelvin sign is no k', () => {
    const roles = parsed('mark@acme.com=editor, @kelvin.com=operator, *=viewer');
    expect(roleOf(roles, 'MARK@Acme.com', [])).toBe('editor');
    expect(roleOf(roles, 'mar\u212a@acme.com', [])).toBe('viewer');
    expect(roleOf(roles, 'mark@\u212aelvin.com', [])).toBe('viewer');
    expect(roleOf(parsed('jürgen@acme.com=editor'), 'JÜRGEN@acme.com', [])).toBeNull();
  });

  it('never throws, and gives nobody a role whom no entry names', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...ROLES), (text, role) => {
        const roles = parseAccessRoles(`${text}=${role}`);
        if (roles.ok && !text.includes('*'))
          expect(roleOf(roles.value, 'nobody@nowhere.invalid.example', [])).toBeNull();
      }),
    );
  });
});

describe('the groups of a token', () => {
  it.each([
    [{ groups: ['a', 'b'] }, ['a', 'b']],
    [{ groups: 'a' }, ['a']],
    [{ custom: { groups: ['a'] } }, ['a']],
    [{ groups: ['a'], custom: { groups: 'b' } }, ['a', 'b']],
    [{ groups: [1, null, { name: 'a' }] }, []],
    [{ custom: 'groups' }, []],
    [{ custom: null }, []],
    [{}, []],
  ])('%j are %j', (claims, groups) => {
    expect(groupsIn(claims)).toEqual(groups);
  });
});
