import { createContext, type ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { may, type SessionInfo, type SessionRole } from '../api/session.ts';

const Current = createContext<SessionInfo | null>(null);

export const SessionOf = Current.Provider;

/** Returns the person who is signed in. Only pages ask, and they are shown to nobody else. */
export function useSession(): SessionInfo {
  const session = useContext(Current);
  if (session === null) throw new Error('nobody is signed in');
  return session;
}

/** Shows `children` to those who may do it; a button that would be refused is not there. */
export const For = ({ role, children }: { role: SessionRole; children: ComponentChildren }) => (
  <>{may(useSession().role, role) ? children : null}</>
);
