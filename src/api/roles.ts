import type { Role } from '../../schema/role.ts';
import { isAtLeast } from '../policy/role-rank.ts';

/**
 * What an operation is about, which says what else than the role is asked:
 * - `goal`: the path names a goal, which the caller has to see.
 * - `thread`: the path names a thread, whose goal the caller has to see where there is one.
 * - `schedule`: the path names a schedule, which the caller has to see.
 * - `seen`: a list or a body; the handler's reads take the caller's sight.
 * - `whole`: sums over all goals, for callers that see all of them.
 * - `service`: it tells of no goal.
 */
export type About = 'goal' | 'thread' | 'schedule' | 'seen' | 'whole' | 'service';

/**
 * The least role that may call an operation. Programs that act for models (`agent`) start, read,
 * message and pause; what ends, revives or pays for a goal is a person's (`operator`, `admin`).
 */
const operations = {
  startGoal: ['agent', 'seen'],
  estimateGoal: ['agent', 'seen'],
  listGoals: ['viewer', 'seen'],
  countGoals: ['viewer', 'seen'],
  search: ['viewer', 'seen'],
  getGoal: ['viewer', 'goal'],
  amendGoal: ['operator', 'goal'],
  pauseGoal: ['agent', 'goal'],
  resumeGoal: ['operator', 'goal'],
  rewindGoal: ['operator', 'goal'],
  applyBranch: ['operator', 'goal'],
  completeGoal: ['operator', 'goal'],
  clearGoal: ['operator', 'goal'],
  cancelChain: ['operator', 'goal'],
  sendMessage: ['agent', 'goal'],
  takeBackMessage: ['agent', 'goal'],
  listMessages: ['viewer', 'goal'],
  endTurn: ['agent', 'goal'],
  tellPrompt: ['agent', 'goal'],
  reportCall: ['agent', 'goal'],
  uploadAttachment: ['agent', 'service'],
  listAttachments: ['viewer', 'goal'],
  getAttachment: ['viewer', 'goal'],
  answerQuestion: ['operator', 'goal'],
  getQuestion: ['viewer', 'goal'],
  listApprovals: ['viewer', 'seen'],
  getInbox: ['viewer', 'seen'],
  decideApproval: ['operator', 'goal'],
  listDisputes: ['viewer', 'goal'],
  decideDispute: ['operator', 'goal'],
  listNotifications: ['viewer', 'goal'],
  resendNotification: ['operator', 'goal'],
  getTodos: ['viewer', 'goal'],
  getGate: ['viewer', 'goal'],
  exportProof: ['viewer', 'goal'],
  shareProof: ['operator', 'goal'],
  listProofLinks: ['operator', 'goal'],
  takeBackProofLink: ['operator', 'goal'],
  getProofKey: ['viewer', 'service'],
  listTurns: ['viewer', 'goal'],
  listModelCalls: ['viewer', 'goal'],
  getModelCall: ['viewer', 'goal'],
  getTimeline: ['viewer', 'goal'],
  getHistory: ['viewer', 'goal'],
  getHistoryPoint: ['viewer', 'goal'],
  stopCall: ['operator', 'goal'],
  listCalls: ['viewer', 'goal'],
  getCall: ['viewer', 'goal'],
  getUsage: ['viewer', 'goal'],
  listDelegates: ['viewer', 'goal'],
  listLedger: ['viewer', 'goal'],
  verifyLedger: ['viewer', 'goal'],
  getOutput: ['viewer', 'goal'],
  getPlan: ['viewer', 'goal'],
  listCheckpoints: ['viewer', 'goal'],
  getDiff: ['viewer', 'goal'],
  listChanges: ['viewer', 'goal'],
  getFileChanges: ['viewer', 'goal'],
  streamGoalEvents: ['viewer', 'goal'],
  streamEvents: ['viewer', 'seen'],
  getThreadGoal: ['viewer', 'thread'],
  putThreadGoal: ['agent', 'seen'],
  deleteThreadGoal: ['operator', 'thread'],
  createSchedule: ['agent', 'seen'],
  listSchedules: ['viewer', 'seen'],
  getSchedule: ['viewer', 'schedule'],
  dueTimes: ['viewer', 'service'],
  changeSchedule: ['operator', 'schedule'],
  pauseSchedule: ['agent', 'schedule'],
  resumeSchedule: ['operator', 'schedule'],
  runSchedule: ['operator', 'schedule'],
  deleteSchedule: ['agent', 'schedule'],
  listModels: ['viewer', 'service'],
  listAgents: ['viewer', 'service'],
  listWorkspaces: ['viewer', 'seen'],
  serveWorkspace: ['operator', 'seen'],
  listTemplates: ['viewer', 'seen'],
  fillTemplate: ['viewer', 'seen'],
  startFromTemplate: ['agent', 'seen'],
  listToolPins: ['viewer', 'seen'],
  acceptTool: ['operator', 'seen'],
  resetToolPins: ['operator', 'seen'],
  listRules: ['viewer', 'seen'],
  revokeRule: ['operator', 'seen'],
  listWorkers: ['viewer', 'whole'],
  listQueues: ['viewer', 'whole'],
  listProviders: ['viewer', 'whole'],
  getSpend: ['viewer', 'whole'],
  getCosts: ['viewer', 'seen'],
  listSpendLimits: ['viewer', 'seen'],
  listAlerts: ['viewer', 'whole'],
  getMetrics: ['viewer', 'whole'],
  tryCheck: ['operator', 'seen'],
  sealCriterion: ['operator', 'service'],
  getSealed: ['operator', 'goal'],
  useMcp: ['viewer', 'service'],
  getSession: ['viewer', 'service'],
  createSignInCode: ['viewer', 'service'],
  listSessions: ['operator', 'service'],
  endSessions: ['operator', 'service'],
  createToken: ['operator', 'service'],
  listTokens: ['operator', 'service'],
  revokeToken: ['operator', 'service'],
  createTrigger: ['operator', 'seen'],
  listTriggers: ['operator', 'seen'],
  getTrigger: ['operator', 'seen'],
  testTrigger: ['operator', 'seen'],
  pauseTrigger: ['operator', 'seen'],
  resumeTrigger: ['operator', 'seen'],
  deleteTrigger: ['operator', 'seen'],
  getAnchors: ['operator', 'service'],
  verifyAnchors: ['admin', 'whole'],
  getSecurityLog: ['admin', 'whole'],
  verifySecurityLog: ['admin', 'whole'],
} as const satisfies Record<string, readonly [Role, About]>;

export type OperationId = keyof typeof operations;

/** What a token that is bound to templates may do beside looking; whatever else it is asks in other words. */
const OF_TEMPLATES: ReadonlySet<OperationId> = new Set(['startFromTemplate', 'pauseGoal']);
export const isOfTemplates = (operation: OperationId): boolean =>
  operations[operation][0] === 'viewer' || OF_TEMPLATES.has(operation);

const entries = Object.entries(operations) as [OperationId, readonly [Role, About]][];

export const LEAST_ROLES = Object.fromEntries(
  entries.map(([operation, [role]]) => [operation, role]),
) as Readonly<Record<OperationId, Role>>;

export const aboutOf = (operation: OperationId): About => operations[operation][1];

/** Tells whether a token of this role, bound to nothing else, may. */
export const isAllowed = (role: Role, operation: OperationId): boolean =>
  isAtLeast(role, LEAST_ROLES[operation]) && !(role === 'agent' && aboutOf(operation) === 'whole');
