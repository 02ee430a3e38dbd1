import type { components, operations } from './schema.d.ts';

type Schemas = components['schemas'];

export type Goal = Schemas['Goal'];
export type Problem = Schemas['Problem'];
export type Approval = Schemas['Approval'];
export type Criterion = Schemas['TrackedCriterion'];
export type TodoItem = Schemas['TodoItem'];
export type Turn = Schemas['Turn'];
export type TurnOutline = Schemas['TurnOutline'];
export type Call = Schemas['Call'];
export type History = operations['getHistory']['responses'][200]['content']['application/json'];
export type HistoryTurn = Schemas['HistoryTurn'];
export type HistoryRun = History['runs'][number];
export type HistoryPoint = Schemas['HistoryPoint'];
export type PointPlace = NonNullable<operations['getHistoryPoint']['parameters']['query']>;
export type GoalFile =
  operations['listAttachments']['responses'][200]['content']['application/json']['items'][number];
export type GoalStatus = Goal['status'];
export type GoalCounts = operations['countGoals']['responses'][200]['content']['application/json'];
export type Session = operations['getSession']['responses'][200]['content']['application/json'];
export type Gate = operations['getGate']['responses'][200]['content']['application/json'];
export type SentMessage =
  operations['listMessages']['responses'][200]['content']['application/json']['items'][number];
export type Question = NonNullable<
  operations['getQuestion']['responses'][200]['content']['application/json']['question']
>;
export type Found = Answer<'search'>['items'][number];
export type GoalQuery = NonNullable<operations['listGoals']['parameters']['query']>;
export type CallQuery = NonNullable<operations['listCalls']['parameters']['query']>;
type Answer<Operation extends keyof operations> = operations[Operation] extends {
  responses: { 200: { content: { 'application/json': infer Content } } };
}
  ? Content
  : never;
export type ModelCall = Answer<'listModelCalls'>['items'][number];
export type AskedModelCall = Answer<'getModelCall'>;
export type ModelRequest = NonNullable<AskedModelCall['request']>;
export type RequestMessage = ModelRequest['messages'][number];
export type Checkpoints = Answer<'listCheckpoints'>;
export type Changes = Answer<'listChanges'>;
export type FileChange = Changes['files'][number];
export type ChangedHunk = Answer<'getFileChanges'>['hunks'][number];
export type FileChanges = Answer<'getFileChanges'>;
export type Inbox = Answer<'getInbox'>;
export type InboxItem = Inbox['items'][number];
export type Notification = Answer<'listNotifications'>['items'][number];
export type Dispute = Answer<'listDisputes'>['items'][number];
export type Delegate = Answer<'listDelegates'>['items'][number];
export type Estimate = Answer<'estimateGoal'>;
export type CheckResult = Answer<'tryCheck'>;
export type AppliedBranch = Answer<'applyBranch'>;
export type Model = Answer<'listModels'>['items'][number];
export type Agent = Answer<'listAgents'>['items'][number];
export type Workspace = Answer<'listWorkspaces'>['items'][number];
export type WorkspaceTemplate = Answer<'listTemplates'>['items'][number];
export type ToolPin = Answer<'listToolPins'>['items'][number];
export type Worker = Answer<'listWorkers'>['items'][number];
export type Queue = Answer<'listQueues'>['items'][number];
export type Provider = Answer<'listProviders'>['items'][number];
export type Spend = Answer<'getSpend'>;
export type SpendLimit = Answer<'listSpendLimits'>['items'][number];
export type Alerts = Answer<'listAlerts'>;
export type Alert = Alerts['items'][number];
export type ChainVerdict =
  operations['verifyLedger']['responses'][200]['content']['application/json'];
export type Schedule = Answer<'listSchedules'>['items'][number];
export type Trigger = Answer<'getTrigger'>;
export type TriggerDelivery = NonNullable<Trigger['deliveries']>[number];
export type NewTrigger = operations['createTrigger']['requestBody']['content']['application/json'];
export type MadeTrigger =
  operations['createTrigger']['responses'][201]['content']['application/json'];
export type StoredRule = Answer<'listRules'>['items'][number];
export type Token = Answer<'listTokens'>['items'][number];
export type NewToken = operations['createToken']['requestBody']['content']['application/json'];
export type MadeToken = operations['createToken']['responses'][201]['content']['application/json'];
export type OpenSession = Answer<'listSessions'>['items'][number];
export type LogEntry = Answer<'getSecurityLog'>['items'][number];
export type LogFilter = Omit<
  NonNullable<operations['getSecurityLog']['parameters']['query']>,
  'cursor' | 'limit'
>;
export type AnchorState = Answer<'getAnchors'>;
export type AnchorVerdict = Answer<'verifyAnchors'>;
export type SealInput = operations['sealCriterion']['requestBody']['content']['application/json'];
export type Sealed = operations['sealCriterion']['responses'][201]['content']['application/json'];
