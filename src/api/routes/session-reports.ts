import { z } from 'zod';
import type { Goal } from '../../../schema/goal.ts';
import { endTurnSchema, promptSchema, reportCallSchema } from '../../../schema/session-report.ts';
import { Refusal } from '../../contract/failures.ts';
import type { Route } from '../application.ts';
import { goalParams, mutation, operation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';
import { type MutationNeeds, mutateGoal } from '../mutation.ts';

const tag = 'goals';
const end = mutation('endTurn', {
  tag,
  summary: 'The session that works on an external goal has stopped: its turn is judged',
});
const prompt = mutation('tellPrompt', {
  tag,
  summary: 'What a person said in the session that works on an external goal',
});
const call = operation('reportCall', {
  tag,
  summary: 'A tool call of the session that works on an external goal; it proves nothing',
  answer: z.strictObject({ isKept: z.boolean() }),
});

/** What the hooks of a person's own session tell. */
export const sessionReportRoutes: Route<'reader' | MutationNeeds> = (application, ports) => {
  const externalGoal = async (prefix: string): Promise<string> => {
    const goal = await existingGoal(ports.reader, prefix);
    assertExternal(goal);
    return goal.goalId;
  };
  application.route({
    method: 'POST',
    url: '/v1/goals/:goalId/turn-end',
    config: end.config,
    schema: { ...end.describe, params: goalParams, body: endTurnSchema },
    handler: async (request, reply) => {
      const goalId = await externalGoal(request.params.goalId);
      const { sessionId, turn } = request.body;
      return mutateGoal(ports, { request, reply }, goalId, { kind: 'end_turn', sessionId, turn });
    },
  });
  application.route({
    method: 'POST',
    url: '/v1/goals/:goalId/prompts',
    config: prompt.config,
    schema: { ...prompt.describe, params: goalParams, body: promptSchema },
    handler: async (request, reply) => {
      const goalId = await externalGoal(request.params.goalId);
      const { sessionId } = request.body;
      return mutateGoal(ports, { request, reply }, goalId, { kind: 'prompt', sessionId });
    },
  });
  application.route({
    method: 'POST',
    url: '/v1/goals/:goalId/agent-calls',
    config: call.config,
    schema: { ...call.describe, params: goalParams, body: reportCallSchema },
    handler: async (request) => {
      const goalId = await externalGoal(request.params.goalId);
      return { isKept: await ports.intake.reportCall(goalId, request.body) };
    },
  });
};

/** @throws Refusal */
function assertExternal({ goalId, driver }: Goal): void {
  if (driver === 'external') return;
  throw new Refusal(
    'invalid_transition',
    `${goalId} is driven by the service: only a goal that was adopted, with "driver": "external", takes what a session tells`,
    { goalId },
  );
}
