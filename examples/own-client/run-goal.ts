import { setTimeout as pause } from 'node:timers/promises';
// In an application of yours: from 'goalkeeper/client'.
import { answerOf, createClient, type Goal } from '../../src/library/client.ts';

/** Starts a goal, and answers when it rests: complete, or waiting for a person. */
export async function runGoal(
  service: { readonly url: string; readonly token: string },
  objective: string,
  workspace: string,
  model?: string,
): Promise<Goal> {
  const client = createClient(service);
  const { goalId } = await answerOf(
    client.POST('/v1/goals', {
      body: {
        objective,
        workspace: { path: workspace },
        criteria: [{ kind: 'command', command: 'npm test' }],
        ...(model !== undefined && { model }),
      },
    }),
  );
  for (;;) {
    const asked = client.GET('/v1/goals/{goalId}', { params: { path: { goalId } } });
    const goal = await answerOf(asked);
    if (goal.status !== 'active') return goal;
    await pause(500);
  }
}
