import { api } from './client.ts';
import type { operations } from './schema.d.ts';

type Body<Operation extends keyof operations> = operations[Operation] extends {
  requestBody?: { content: { 'application/json': infer Content } };
}
  ? Content
  : never;

/** One idempotency key for each dialog, so that a retry after a lost answer acts once. */
const on = (goalId: string, key: string) => ({
  params: { path: { goalId } },
  headers: { 'idempotency-key': key },
});

export const startGoal = (body: Body<'startGoal'>, key: string) =>
  api.POST('/v1/goals', { headers: { 'idempotency-key': key }, body });

export const startFromTemplate = (
  path: { readonly workspace: string; readonly template: string },
  values: Readonly<Record<string, string>>,
  key: string,
) =>
  api.POST('/v1/workspaces/{workspace}/templates/{template}/goals', {
    params: { path },
    headers: { 'idempotency-key': key },
    body: { values: { ...values } },
  });

/** Acts on no goal: a repeat is another upload. The file goes as it is. */
export const uploadAttachment = (file: File) =>
  api.POST('/v1/attachments', {
    params: { query: { name: file.name.replace(/[/\\\p{C}]/gu, '_').slice(0, 200) || 'file' } },
    headers: { 'content-type': 'application/octet-stream' },
    // The document describes JSON alone.
    body: file as never,
    bodySerializer: () => file,
  });

/** A repeat finds nothing that waits any more. */
export const acceptTool = (body: Body<'acceptTool'>) => api.POST('/v1/tool-pins/accept', { body });

/** Acts on no goal and has no idempotency key, so a repeat runs the check again. */
export const tryCheck = (body: Body<'tryCheck'>) => api.POST('/v1/checks', { body });

/** Acts on no goal: a repeat seals it again, under another id. */
export const sealCriterion = (body: Body<'sealCriterion'>) => api.POST('/v1/sealed', { body });

/** A repeat finds it taken back. */
export const takeBackProofLink = (goalId: string, linkId: string) =>
  api.DELETE('/v1/goals/{goalId}/proof/links/{linkId}', { params: { path: { goalId, linkId } } });

/** A repeat makes another link; none of them is stored. */
export const shareProof = (goalId: string, body: Body<'shareProof'>) =>
  api.POST('/v1/goals/{goalId}/proof/links', { params: { path: { goalId } }, body });

export const pauseGoal = (goalId: string, body: Body<'pauseGoal'>, key: string) =>
  api.POST('/v1/goals/{goalId}/pause', { ...on(goalId, key), body });

export const resumeGoal = (goalId: string, body: Body<'resumeGoal'>, key: string) =>
  api.POST('/v1/goals/{goalId}/resume', { ...on(goalId, key), body });

export const rewindGoal = (goalId: string, body: Body<'rewindGoal'>, key: string) =>
  api.POST('/v1/goals/{goalId}/rewind', { ...on(goalId, key), body });

/** A repeat under the key is answered with what came of the first. */
export const applyBranch = (goalId: string, key: string) =>
  api.POST('/v1/goals/{goalId}/apply', on(goalId, key));

export const clearGoal = (goalId: string, body: Body<'clearGoal'>, key: string) =>
  api.POST('/v1/goals/{goalId}/clear', { ...on(goalId, key), body });

export const cancelChain = (goalId: string, body: Body<'cancelChain'>, key: string) =>
  api.POST('/v1/goals/{goalId}/chain/cancel', { ...on(goalId, key), body });

export const completeGoal = (goalId: string, body: Body<'completeGoal'>, key: string) =>
  api.POST('/v1/goals/{goalId}/complete', { ...on(goalId, key), body });

export const amendGoal = (goalId: string, body: Body<'amendGoal'>, key: string) =>
  api.PATCH('/v1/goals/{goalId}', { ...on(goalId, key), body });

export const sendMessage = (goalId: string, body: Body<'sendMessage'>, key: string) =>
  api.POST('/v1/goals/{goalId}/messages', { ...on(goalId, key), body });

export const takeBackMessage = (goalId: string, messageId: string, key: string) =>
  api.POST('/v1/goals/{goalId}/messages/{messageId}/take-back', {
    params: { path: { goalId, messageId } },
    headers: { 'idempotency-key': key },
    body: {},
  });

/** The order is the call's own: a repeat is the same one. */
export const stopCall = (goalId: string, callId: string) =>
  api.POST('/v1/goals/{goalId}/calls/{callId}/stop', { params: { path: { goalId, callId } } });

export const answerQuestion = (goalId: string, body: Body<'answerQuestion'>, key: string) =>
  api.POST('/v1/goals/{goalId}/answers', { ...on(goalId, key), body });

export const decideDispute = (
  goalId: string,
  disputeId: string,
  body: Body<'decideDispute'>,
  key: string,
) =>
  api.POST('/v1/goals/{goalId}/disputes/{disputeId}', {
    params: { path: { goalId, disputeId } },
    headers: { 'idempotency-key': key },
    body,
  });

export const decideApproval = (
  goalId: string,
  approvalId: string,
  body: Body<'decideApproval'>,
  key: string,
) =>
  api.POST('/v1/goals/{goalId}/approvals/{approvalId}', {
    params: { path: { goalId, approvalId } },
    headers: { 'idempotency-key': key },
    body,
  });
