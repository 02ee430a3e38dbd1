import { goalIdOf, objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { Approval } from '../../schema/approval.ts';
import type { Goal } from '../../schema/goal.ts';
import type { Problem } from '../../schema/problem.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { waitUntil } from './helpers.ts';

export const answerExists = { kind: 'file', path: 'answer.txt', exists: true } as const;
export const claim = (result = 'It is done.') => reply.call('attempt_completion', { result });
export const write = (path: string, content = 'x\n') => reply.call('write_file', { path, content });

/** A world whose goals are scripted by the first word of their objective. */
export async function openApprovalWorld(
  scripts: Record<string, Script>,
  options: { worker?: boolean; environment?: Record<string, string>; isUnsealed?: true } = {},
) {
  const script: Script = (request) =>
    (scripts[objectiveOf(request).split(':')[0] ?? ''] ?? sequence([reply.text('?')]))(request);
  const world = await openGoalWorld({ script, ...options });
  return { world, ...callsOf(world) };
}

function callsOf(world: GoalWorld) {
  const approvals = async (goalId: string, state: 'open' | 'all' = 'open') => {
    const path = `/v1/approvals?goalId=${goalId}&state=${state}`;
    return (await world.client.get<{ items: Approval[] }>(path)).items;
  };
  const send = (goalId: string, what: string, body: object = {}) =>
    world.client.send<Goal>('POST', `/v1/goals/${goalId}/${what}`, body);
  return {
    approvals,
    send,
    async open(name: string, goal: object = {}, files: Record<string, string> = {}) {
      const path = await world.workspace(files);
      const objective = `${name}: go`;
      const { goalId } = await world.start({ objective, workspace: { path }, ...goal });
      return { goalId, path };
    },
    /** The one that is open, as soon as there is one. */
    asked: (goalId: string) => waitUntil(async () => (await approvals(goalId))[0]),
    decide: (approval: Approval, decision: 'approve' | 'deny', note?: string) =>
      send(approval.goalId, `approvals/${approval.approvalId}`, {
        decision,
        ...(note === undefined ? {} : { note }),
      }),
    modelCalls: (goalId: string) =>
      world.model.requests.filter((request) => goalIdOf(request) === goalId).length,
    /** Did the model ever read this, in whatever voice? */
    wasTold: (goalId: string, text: string) =>
      world.model.requests.some(
        (request) =>
          goalIdOf(request) === goalId &&
          request.messages.some((message) => message.text.includes(text)),
      ),
    eventTypes: async (goalId: string) =>
      (
        await world.database<{ type: string }[]>`
          SELECT type FROM event WHERE goal_id = ${goalId} ORDER BY seq`
      ).map(({ type }) => type),
    holdsLease: async (goalId: string) =>
      (await world.database`SELECT 1 FROM workspace WHERE lease_goal_id = ${goalId}`).count > 0,
  };
}

export const problemOf = (sent: Promise<unknown>): Promise<Problem> =>
  sent.then(
    () => Promise.reject(new Error('it was accepted')),
    (error: { problem: Problem }) => error.problem,
  );
