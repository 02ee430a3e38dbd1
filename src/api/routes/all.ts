import type { ApiPorts, Route } from '../application.ts';
import { amendGoalRoute } from './amend-goal.ts';
import { anchorRoutes } from './anchors.ts';
import { answerQuestionRoute } from './answer-question.ts';
import { applyBranchRoute } from './apply-branch.ts';
import { attachmentRoutes } from './attachments.ts';
import { callRoutes } from './calls.ts';
import { cancelChainRoute } from './cancel-chain.ts';
import { changeRoutes } from './changes.ts';
import { clearGoalRoute } from './clear-goal.ts';
import { completeGoalRoute } from './complete-goal.ts';
import { costRoutes } from './costs.ts';
import { countGoalsRoute } from './count-goals.ts';
import { decideApprovalRoute } from './decide-approval.ts';
import { decideByLinkRoutes } from './decide-by-link.ts';
import { deleteThreadGoalRoute } from './delete-thread-goal.ts';
import { disputeRoutes } from './disputes.ts';
import { estimateGoalRoute } from './estimate-goal.ts';
import { getGateRoute } from './get-gate.ts';
import { getGoalRoute } from './get-goal.ts';
import { historyRoutes } from './get-history.ts';
import { getInboxRoute } from './get-inbox.ts';
import { getOutputRoute } from './get-output.ts';
import { getPlanRoute } from './get-plan.ts';
import { getQuestionRoute } from './get-question.ts';
import { getThreadGoalRoute } from './get-thread-goal.ts';
import { getTimelineRoute } from './get-timeline.ts';
import { getTodosRoute } from './get-todos.ts';
import { getUsageRoute } from './get-usage.ts';
import { healthRoutes } from './health.ts';
import { hookRoutes } from './hooks.ts';
import { listAgentsRoute } from './list-agents.ts';
import { listApprovalsRoute } from './list-approvals.ts';
import { listDelegatesRoute } from './list-delegates.ts';
import { listGoalsRoute } from './list-goals.ts';
import { listLedgerRoute } from './list-ledger.ts';
import { listModelsRoute } from './list-models.ts';
import { listNotificationsRoute } from './list-notifications.ts';
import { listTurnsRoute } from './list-turns.ts';
import { listWorkersRoute } from './list-workers.ts';
import { listWorkspacesRoute } from './list-workspaces.ts';
import { messageRoutes } from './messages.ts';
import { metricsRoute } from './metrics.ts';
import { modelCallRoutes } from './model-calls.ts';
import { oidcRoutes } from './oidc.ts';
import { openProofLinkRoute } from './open-proof-link.ts';
import { operationRoutes } from './operations.ts';
import { pauseGoalRoute } from './pause-goal.ts';
import { proofRoutes } from './proof.ts';
import { putThreadGoalRoute } from './put-thread-goal.ts';
import { resendNotificationRoute } from './resend-notification.ts';
import { resumeGoalRoute } from './resume-goal.ts';
import { scheduleRoutes } from './schedules.ts';
import { sealedRoutes } from './sealed.ts';
import { searchRoute } from './search.ts';
import { securityLogRoute } from './security-log.ts';
import { sendMessageRoute } from './send-message.ts';
import { serveWorkspaceRoute } from './serve-workspace.ts';
import { sessionRoutes } from './session.ts';
import { sessionReportRoutes } from './session-reports.ts';
import { openSessionRoutes } from './sessions.ts';
import { shareProofRoutes } from './share-proof.ts';
import { startGoalRoute } from './start-goal.ts';
import { stopCallRoute } from './stop-call.ts';
import { storedRuleRoutes } from './stored-rules.ts';
import { streamEventsRoute } from './stream-events.ts';
import { streamGoalEventsRoute } from './stream-goal-events.ts';
import { tokenRoutes } from './tokens.ts';
import { toolPinRoutes } from './tool-pins.ts';
import { triggerRoutes } from './triggers.ts';
import { tryCheckRoute } from './try-check.ts';
import { verifyLedgerRoute } from './verify-ledger.ts';
import { workspaceTemplateRoutes } from './workspace-templates.ts';

export const routes: readonly Route<keyof ApiPorts>[] = [
  amendGoalRoute,
  answerQuestionRoute,
  attachmentRoutes,
  callRoutes,
  cancelChainRoute,
  changeRoutes,
  clearGoalRoute,
  completeGoalRoute,
  costRoutes,
  countGoalsRoute,
  decideApprovalRoute,
  decideByLinkRoutes,
  deleteThreadGoalRoute,
  disputeRoutes,
  estimateGoalRoute,
  getGateRoute,
  getGoalRoute,
  historyRoutes,
  getOutputRoute,
  getPlanRoute,
  getQuestionRoute,
  getThreadGoalRoute,
  getTimelineRoute,
  getTodosRoute,
  getUsageRoute,
  listDelegatesRoute,
  healthRoutes,
  listApprovalsRoute,
  getInboxRoute,
  listGoalsRoute,
  searchRoute,
  listLedgerRoute,
  anchorRoutes,
  listModelsRoute,
  listAgentsRoute,
  listNotificationsRoute,
  listTurnsRoute,
  listWorkersRoute,
  listWorkspacesRoute,
  serveWorkspaceRoute,
  workspaceTemplateRoutes,
  metricsRoute,
  modelCallRoutes,
  oidcRoutes,
  operationRoutes,
  pauseGoalRoute,
  proofRoutes,
  shareProofRoutes,
  openProofLinkRoute,
  putThreadGoalRoute,
  resendNotificationRoute,
  resumeGoalRoute,
  scheduleRoutes,
  sealedRoutes,
  securityLogRoute,
  sendMessageRoute,
  messageRoutes,
  sessionReportRoutes,
  sessionRoutes,
  startGoalRoute,
  streamEventsRoute,
  streamGoalEventsRoute,
  openSessionRoutes,
  tokenRoutes,
  triggerRoutes,
  hookRoutes,
  toolPinRoutes,
  storedRuleRoutes,
  stopCallRoute,
  applyBranchRoute,
  tryCheckRoute,
  verifyLedgerRoute,
];
