import type { Approval } from '../../../schema/approval.ts';
import { decideApprovalSchema } from '../../../schema/goal.ts';
import { wordSchema } from '../../../schema/text.ts';
import { Refusal } from '../../contract/failures.ts';
import type { Sight } from '../../contract/sight.ts';
import { editedIssue } from '../../intake/edited-criterion.ts';
import type { Issue } from '../../intake/issue.ts';
import { handOverIssue } from '../../intake/resolve-hand-over.ts';
import { toldCriteria } from '../../intake/sealed.ts';
import { sightOf } from '../../policy/sight.ts';
import { type Ports, principalOf, type Route } from '../application.ts';
import { type ApproverNeeds, approverIssue } from '../approver.ts';
import { goalParams, mutation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';
import { readStandingFacts, refuse, type StandingNeeds } from '../intake-facts.ts';
import { type MutationNeeds, mutateGoal } from '../mutation.ts';
import { refuseUnworkable } from '../refuse-commands.ts';
import { startUnlessStarted } from '../start-goal.ts';

const { config, describe } = mutation('decideApproval', {
  tag: 'approvals',
  summary: 'Approve or deny, once',
});

const params = goalParams.extend({ approvalId: wordSchema(120) });

type Needs = ApproverNeeds | MutationNeeds | StandingNeeds | 'workspaces';

export const decideApprovalRoute: Route<Needs> = (application, ports) => {
  application.route({
    method: 'POST',
    url: '/v1/goals/:goalId/approvals/:approvalId',
    config,
    schema: { ...describe, params, body: decideApprovalSchema },
    handler: async (request, reply) => {
      const goal = await existingGoal(ports.reader, request.params.goalId);
      const { goalId } = goal;
      const { approvalId } = request.params;
      const caller = principalOf(request);
      const { kind, always } = await existingApproval(
        ports,
        { goalId, sight: sightOf(caller) },
        approvalId,
      );
      const { decision, criteria } = request.body;
      const handsOver = kind === 'plan' && decision === 'approve';
      const facts = await readStandingFacts(ports, {
        criteria: criteria ?? [],
        held: goal.criteria.map(({ spec }) => spec),
        sight: sightOf(caller),
      });
      // The stored request is what the record takes the criteria from.
      if (criteria !== undefined) {
        request.body = { ...request.body, criteria: [...toldCriteria(criteria, facts.sealed)] };
      }
      const forGood = request.body.always === true;
      const change = {
        ...({ kind: 'approval', approvalId, decision } as const),
        ...(forGood && { always: { address: request.ip } }),
      };
      const judge = async () => {
        if (decision === 'deny') return null;
        if (forGood) refuse(alwaysIssue(ports, always));
        const issue = await approverIssue(ports, caller, goalId);
        if (issue !== null) return issue;
        if (kind === 'criterion' && criteria !== undefined)
          return editedIssue(facts, goal, request.body.criteria ?? []);
        if (!handsOver) return null;
        await refuseUnworkable(ports, goal);
        return handOverIssue(facts, goal, request.body, new Date().toISOString());
      };
      return mutateGoal(ports, { request, reply }, goalId, change, judge, ({ handedTo }) =>
        handedTo === undefined ? Promise.resolve() : startUnlessStarted(ports, handedTo),
      );
    },
  });
};

function alwaysIssue({ settings }: Ports<'settings'>, always: Approval['always']): Issue | null {
  const detail =
    settings.approvers === 'others'
      ? 'A second person grants each call here (GOALKEEPER_APPROVERS), and none beforehand.'
      : 'No rule can say what this is about.';
  if (always !== null && settings.approvers === 'anybody') return null;
  return {
    code: 'invalid_request',
    detail: `${detail} Leave always out, and it is approved once.`,
    data: { field: 'always' },
  };
}

async function existingApproval(
  { reader }: Ports<'reader'>,
  { goalId, sight }: { readonly goalId: string; readonly sight: Sight },
  approvalId: string,
): Promise<Approval> {
  const all = await reader.approvals({ goalId, sight, state: 'all' });
  const found = all.find((approval) => approval.approvalId === approvalId);
  if (found !== undefined) return found;
  throw new Refusal('not_found', `The goal has no approval ${approvalId}.`, { goalId, approvalId });
}
