import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { keys } from '../api/keys.ts';
import { useSession } from '../session/session-context.tsx';
import { createFollower } from './followed.ts';
import { createLiveOutputs, type LiveOutputs, type Printed } from './live-output.ts';
import { createLiveTexts, type LiveTexts, type Said } from './live-text.ts';
import { patchGoal } from './patch.ts';
import { type Connection, type LiveStream, openStream } from './stream.ts';

interface Live {
  readonly connection: Connection;
  readonly tryNow: () => void;
  readonly listenTo: (goalId: string | null) => void;
  readonly texts: LiveTexts;
  readonly outputs: LiveOutputs;
}

const LiveContext = createContext<Live>({
  connection: { state: 'connecting' },
  tryNow: () => {},
  listenTo: () => {},
  texts: createLiveTexts(),
  outputs: createLiveOutputs(),
});

export const useLive = (): Live => useContext(LiveContext);

/** Actions are off while the goals' state is unknown. */
export const useIsOffline = (): boolean => useLive().connection.state === 'offline';

/** The text of the goal's running model call; null = none was received. */
export function useSaid(goalId: string): Said | null {
  const { texts } = useLive();
  return useSyncExternalStore(texts.subscribe, () => texts.of(goalId));
}

/** What the goal's call printed, as far as it was heard; null = nothing was. */
export function usePrinted(goalId: string, callId: string | null): Printed | null {
  const { outputs } = useLive();
  return useSyncExternalStore(outputs.subscribe, () =>
    callId === null ? null : outputs.of(goalId, callId),
  );
}

/** Listens to the goal while a page of it is open. */
export function useListening(goalId: string, isWanted: boolean): void {
  const { listenTo } = useLive();
  useEffect(() => {
    if (!isWanted) return;
    listenTo(goalId);
    return () => listenTo(null);
  }, [goalId, isWanted, listenTo]);
}

/** Follows the service while a user is signed in. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const session = useSession();
  const [connection, setConnection] = useState<Connection>({ state: 'connecting' });
  const stream = useRef<LiveStream | null>(null);
  // A page may ask before there is a stream: effects of children come first.
  const listened = useRef<string | null>(null);
  const [texts] = useState(createLiveTexts);
  const [outputs] = useState(() => createLiveOutputs());
  useEffect(() => {
    const follower = createFollower(client);
    stream.current = openStream({
      onConnection: setConnection,
      onGap: () => void client.invalidateQueries(),
      onRefused: () => client.setQueryData(keys.sessionEnded, true),
      onText: texts.hear,
      onOutput: outputs.hear,
      onGoal: (goal) => {
        if (patchGoal(client, goal) === 'moved') follower.lists();
        follower.proposals();
        follower.goal(goal.goalId);
      },
    });
    stream.current.listenTo(listened.current);
    return () => {
      stream.current?.close();
      follower.close();
    };
  }, [client, texts, outputs]);
  // A user who signs in again over the open page gets another session.
  const first = useRef(session);
  useEffect(() => {
    if (first.current === session) return;
    first.current = session;
    stream.current?.tryNow();
  }, [session]);
  const [acts] = useState(() => ({
    tryNow: () => stream.current?.tryNow(),
    listenTo(goalId: string | null) {
      listened.current = goalId;
      stream.current?.listenTo(goalId);
    },
  }));
  const live = useMemo(
    () => ({ connection, texts, outputs, ...acts }),
    [connection, texts, outputs, acts],
  );
  return <LiveContext value={live}>{children}</LiveContext>;
}
