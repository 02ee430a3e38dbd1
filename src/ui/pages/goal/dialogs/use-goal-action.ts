import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { answerOf } from '../../../api/client.ts';
import { goalQuery } from '../../../api/queries.ts';
import type { Goal } from '../../../api/types.ts';
import { useAct } from '../../../api/use-act.ts';
import { patchGoal } from '../../../live/patch.ts';
import { sendFollowed } from '../../../live/send-followed.ts';
import { useToast } from '../../../shell/toasts.tsx';

export type Send = (
  expectedRevision: number,
  key: string,
) => Promise<{ data?: Goal; error?: unknown; response: Response }>;

/**
 * Sends an action for the revision that was seen. Where that is no longer the newest, it counts as
 * a conflict only if what the action rests on has changed.
 */
export function useGoalAction(options: {
  readonly goal: Goal;
  readonly send: Send;
  readonly isSame: (before: Goal, now: Goal) => boolean;
  readonly doneText: string;
  readonly onDone: (goal: Goal) => void;
}) {
  const client = useQueryClient();
  const toast = useToast();
  const base = useRef(options.goal);
  const keys = useRef(new Map<number, string>());
  const [conflict, setConflict] = useState<Goal | null>(null);

  /** The same try has the same key, so that a lost answer is asked for and not done twice. */
  const keyFor = (revision: number): string => {
    const key = keys.current.get(revision) ?? crypto.randomUUID();
    keys.current.set(revision, key);
    return key;
  };
  const current = () => client.fetchQuery({ ...goalQuery(options.goal.goalId), staleTime: 0 });

  const mutation = useAct({
    mutationFn: async (over: Goal | null): Promise<Goal | null> => {
      const followed = await sendFollowed({
        base: over ?? base.current,
        seen: over ?? options.goal,
        isSame: options.isSame,
        send: (revision) => answerOf(options.send(revision, keyFor(revision))),
        current,
      });
      if (followed.kind === 'done') return followed.goal;
      setConflict(followed.goal);
      return null;
    },
    onSuccess: (after) => {
      if (after === null) return;
      patchGoal(client, after);
      toast(options.doneText);
      options.onDone(after);
    },
  });
  return {
    base: base.current,
    conflict,
    isPending: mutation.isPending,
    error: mutation.error,
    run: () => mutation.mutate(null),
    runOver: (theirs: Goal) => {
      setConflict(null);
      mutation.mutate(theirs);
    },
  };
}
