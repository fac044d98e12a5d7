import { createContext, type ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import type { SessionInfo } from '../api/types.ts';

const Current = createContext<SessionInfo | null>(null);

export const SessionOf = Current.Provider;

export function useSession(): SessionInfo {
  const session = useContext(Current);
  if (session === null) throw new Error('nobody is signed in');
  return session;
}

export type SessionRole = SessionInfo['role'];

const RANKS: readonly SessionRole[] = ['viewer', 'operator', 'editor'];

/** True if this person may do what needs a role. The API decides; this only hides what it would refuse. */
export const useMay = (needed: SessionRole): boolean =>
  RANKS.indexOf(useSession().role) >= RANKS.indexOf(needed);

interface ForProps {
  readonly role: SessionRole;
  readonly children: ComponentChildren;
  readonly otherwise?: ComponentChildren;
}

/** Shows `children` to those who may do it; a button that would be refused is not there. */
export const For = ({ role, children, otherwise }: ForProps) => <>{useMay(role) ? children : otherwise}</>;
