import { appliedBranchSchema } from '../../../schema/applied-branch.ts';
import { principalOf, type Route } from '../application.ts';
import { goalParams, keyed } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';
import { admitReplay, answerOnce, hasLeft, storedRequest } from '../idempotency.ts';

const { config, describe } = keyed('applyBranch', {
  tag: 'goals',
  summary:
    'Bring what the branch of a worktree goal holds into the workspace that it was made from',
  answer: appliedBranchSchema,
});

export const applyBranchRoute: Route<'reader' | 'intake' | 'applies'> = (application, ports) => {
  application.route({
    method: 'POST',
    url: '/v1/goals/:goalId/apply',
    config,
    schema: { ...describe, params: goalParams },
    handler: async (request, reply) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      const principal = principalOf(request);
      const act = ({ commitId }: { readonly commitId: string }) =>
        ports.applies.apply({ goalId, commitId, principal });
      const stored = storedRequest(request, goalId);
      const answer = await answerOnce(ports.intake, stored, act, hasLeft(request));
      await admitReplay(ports, { request, reply }, answer);
      return reply.code(answer.httpStatus).send(answer.body);
    },
  });
};
