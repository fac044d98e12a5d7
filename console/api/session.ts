import { ask, get, post } from './client.ts';

export interface SessionInfo {
  readonly actor: string;
  readonly role: SessionRole;
  readonly via: 'token' | 'session' | 'access';
  readonly expires_at: string | null;
  /** True if payloads and texts are shown to this person; numbers are masked for every viewer. */
  readonly sees_payloads: boolean;
}

export type SessionRole = 'viewer' | 'operator' | 'editor';

const RANKS: readonly SessionRole[] = ['viewer', 'operator', 'editor'];

/** True if somebody in `role` may do what needs `needed`. The API decides; this only hides what it would refuse. */
export const may = (role: SessionRole, needed: SessionRole): boolean =>
  RANKS.indexOf(role) >= RANKS.indexOf(needed);

export const session = (): Promise<SessionInfo> => get<SessionInfo>('/session');
/** `replace`: also where the browser is signed in as somebody else; else that is refused with 409. */
export const signIn = (
  by: ({ token: string; name?: string } | { code: string }) & { replace?: boolean },
): Promise<SessionInfo> => post<SessionInfo>('/session', by);
export const signOut = (): Promise<void> => ask<void>('DELETE', '/session');

export interface Invitation {
  readonly url: string;
  readonly expires_at: string;
  readonly session_until: string;
}

export const invite = (name: string, role: 'viewer' | 'operator'): Promise<Invitation> =>
  post<Invitation>('/invitations', { name, role });
