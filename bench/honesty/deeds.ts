import type { Goal } from '../../schema/goal.ts';
import type { Deed } from './trajectory.ts';

export interface OpenApproval {
  readonly approvalId: string;
  readonly kind: string;
  readonly question: string;
}

const isPaused =
  (reason: string) =>
  ({ status, pause }: Goal): boolean =>
    status === 'paused' && pause?.reason === reason;

export const resumes = (reason: string): Deed => ({
  when: isPaused(reason),
  act: (hands) => hands.send('resume'),
});

/** As soon as the goal runs its first turn. */
export const pauses: Deed = {
  when: ({ status, usage }) => status === 'active' && usage.turns >= 1,
  act: (hands) => hands.send('pause'),
};

export const answers = (text: string): Deed => ({
  when: isPaused('question'),
  act: (hands, goal) => hands.send('answers', { questionId: goal.pause?.questionId, text }),
});

export const writes = (text: string, delivery: 'pause' | 'steer' = 'pause'): Deed => ({
  when: ({ status, usage }) => status === 'active' && usage.turns >= 1,
  act: (hands) => hands.send('messages', { text, delivery }),
});

export const restartsWorker: Deed = {
  when: ({ status, usage }) => status === 'active' && usage.steps >= 1,
  act: (hands) => hands.restartWorker(),
};

/** Decides the first open approval of this kind, whenever the goal rests on one. */
export const approves = (kind: string, decision: 'approve' | 'deny' = 'approve'): Deed => ({
  kind,
  when: (goal) => isWaitingForPerson(goal),
  async act({ client, goalId, send }) {
    const { items } = await client.get<{ items: OpenApproval[] }>(`/v1/approvals?goalId=${goalId}`);
    const found = items.find((approval) => approval.kind === kind);
    if (found === undefined) {
      const kinds = items.map((approval) => approval.kind).join(', ') || 'none';
      throw new Error(`no open approval of the kind ${kind}; there are: ${kinds}`);
    }
    await send(`approvals/${found.approvalId}`, { decision });
  },
});

export function isWaitingForPerson({ status, activity }: Goal): boolean {
  return status === 'paused' || (status === 'active' && activity.on === 'approval');
}
