import type { Role } from '../../schema/role.ts';
import { isAtLeast } from '../policy/role-rank.ts';

/**
 * The least role that may call an operation. Programs that act for models (`agent`) start, read,
 * message and pause; what ends, revives or pays for a goal is a person's (`operator`, `admin`).
 */
const leastRoles = {
  startGoal: 'agent',
  estimateGoal: 'agent',
  listGoals: 'viewer',
  countGoals: 'viewer',
  getGoal: 'viewer',
  amendGoal: 'operator',
  pauseGoal: 'agent',
  resumeGoal: 'operator',
  rewindGoal: 'operator',
  completeGoal: 'operator',
  clearGoal: 'operator',
  cancelChain: 'operator',
  sendMessage: 'agent',
  answerQuestion: 'operator',
  getQuestion: 'viewer',
  listApprovals: 'viewer',
  decideApproval: 'operator',
  listDisputes: 'viewer',
  decideDispute: 'operator',
  listNotifications: 'viewer',
  resendNotification: 'operator',
  getTodos: 'viewer',
  getGate: 'viewer',
  exportProof: 'viewer',
  getProofKey: 'viewer',
  listTurns: 'viewer',
  getTimeline: 'viewer',
  getHistory: 'viewer',
  getHistoryPoint: 'viewer',
  listCalls: 'viewer',
  getCall: 'viewer',
  getUsage: 'viewer',
  listDelegates: 'viewer',
  listLedger: 'viewer',
  verifyLedger: 'viewer',
  getOutput: 'viewer',
  getPlan: 'viewer',
  listCheckpoints: 'viewer',
  getDiff: 'viewer',
  streamGoalEvents: 'viewer',
  streamEvents: 'viewer',
  getThreadGoal: 'viewer',
  putThreadGoal: 'agent',
  deleteThreadGoal: 'operator',
  listModels: 'viewer',
  listWorkspaces: 'viewer',
  listWorkers: 'viewer',
  listQueues: 'viewer',
  listProviders: 'viewer',
  getSpend: 'viewer',
  listAlerts: 'viewer',
  tryCheck: 'operator',
  sealCriterion: 'operator',
  getSealed: 'operator',
  useMcp: 'viewer',
  getSession: 'viewer',
  createSignInCode: 'viewer',
} as const satisfies Record<string, Role>;

export type OperationId = keyof typeof leastRoles;
export const LEAST_ROLES: Readonly<Record<OperationId, Role>> = leastRoles;

export function isAllowed(role: Role, operation: OperationId): boolean {
  return isAtLeast(role, LEAST_ROLES[operation]);
}
