import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { probeQuery } from '../api/queries.ts';
import { createFollower } from './followed.ts';
import { patchGoal } from './patch.ts';
import { type Connection, type LiveStream, openStream } from './stream.ts';

interface Live {
  readonly connection: Connection;
  readonly tryNow: () => void;
}

const LiveContext = createContext<Live>({ connection: { state: 'connecting' }, tryNow: () => {} });

export const useLive = (): Live => useContext(LiveContext);

/** Actions are off while nobody knows what the goals do. */
export const useIsOffline = (): boolean => useLive().connection.state === 'offline';

/** Follows the service while somebody is signed in. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [connection, setConnection] = useState<Connection>({ state: 'connecting' });
  const stream = useRef<LiveStream | null>(null);
  useEffect(() => {
    const follower = createFollower(client);
    stream.current = openStream({
      onConnection: (now) => {
        setConnection(now);
        // A stream says nothing about why it was refused; the session does.
        if (now.state === 'offline') void client.fetchQuery(probeQuery).catch(() => {});
      },
      onGap: () => void client.invalidateQueries(),
      onGoal: (goal) => {
        if (patchGoal(client, goal) === 'moved') follower.lists();
        follower.goal(goal.goalId);
      },
    });
    return () => {
      stream.current?.close();
      follower.close();
    };
  }, [client]);
  const live = useMemo(
    () => ({ connection, tryNow: () => stream.current?.tryNow() }),
    [connection],
  );
  return <LiveContext value={live}>{children}</LiveContext>;
}
