import { createContext, useContext } from 'react';
import type { Session } from '../api/types.ts';

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('nobody is signed in');
  return session;
}

/** Tells whether the user may decide, resume, edit and pay. The service enforces it. */
export function useMayAct(): boolean {
  const role = useContext(SessionContext)?.role;
  return role === 'operator' || role === 'admin';
}

/** Sums over all goals are for those who see all of them. */
export function useSeesAll(): boolean {
  const session = useContext(SessionContext);
  return session !== null && session.role !== 'agent' && session.workspaces === null;
}

/** What tells of everybody who calls the service is for admins that no workspace binds. */
export function useSeesLog(): boolean {
  const session = useContext(SessionContext);
  return session?.role === 'admin' && session.workspaces === null;
}

/** Pausing and messages are for agents, too. */
export function useMayPause(): boolean {
  return useContext(SessionContext)?.role !== 'viewer';
}
