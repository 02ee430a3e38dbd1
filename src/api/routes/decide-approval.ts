import { decideApprovalSchema } from '../../../schema/goal.ts';
import { wordSchema } from '../../../schema/text.ts';
import { Refusal } from '../../contract/failures.ts';
import type { Sight } from '../../contract/sight.ts';
import { sightOf } from '../../policy/sight.ts';
import { type Ports, principalOf, type Route } from '../application.ts';
import { type ApproverNeeds, approverIssue } from '../approver.ts';
import { goalParams, mutation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';
import { type MutationNeeds, mutateGoal } from '../mutation.ts';

const { config, describe } = mutation('decideApproval', {
  tag: 'approvals',
  summary: 'Approve or deny, once',
});

const params = goalParams.extend({ approvalId: wordSchema(120) });

export const decideApprovalRoute: Route<ApproverNeeds | MutationNeeds> = (application, ports) => {
  application.route({
    method: 'POST',
    url: '/v1/goals/:goalId/approvals/:approvalId',
    config,
    schema: { ...describe, params, body: decideApprovalSchema },
    handler: async (request, reply) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      const { approvalId } = request.params;
      await assertApprovalExists(
        ports,
        { goalId, sight: sightOf(principalOf(request)) },
        approvalId,
      );
      const { decision } = request.body;
      const change = { kind: 'approval', approvalId, decision } as const;
      return mutateGoal(ports, { request, reply }, goalId, change, async () =>
        decision === 'approve' ? approverIssue(ports, principalOf(request), goalId) : null,
      );
    },
  });
};

async function assertApprovalExists(
  { reader }: Ports<'reader'>,
  { goalId, sight }: { readonly goalId: string; readonly sight: Sight },
  approvalId: string,
) {
  const all = await reader.approvals({ goalId, sight, state: 'all' });
  if (all.some((approval) => approval.approvalId === approvalId)) return;
  throw new Refusal('not_found', `The goal has no approval ${approvalId}.`, { goalId, approvalId });
}
