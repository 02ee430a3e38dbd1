import { hostname } from 'node:os';
import { Readable } from 'node:stream';
import type { Goal } from '../../schema/goal.ts';
import type { ApiPorts } from '../../src/api/application.ts';
import type { ApiSettings } from '../../src/api/settings.ts';
import { Refusal } from '../../src/contract/failures.ts';
import { silentFeed } from '../../src/contract/feed.ts';
import type { IntakePort, NewGoal, StoredRequest } from '../../src/contract/intake.ts';
import type { Mutation } from '../../src/contract/mutation.ts';
import type { EventRow, Reach, ReaderPort } from '../../src/contract/reads.ts';
import type { KnownSession, SessionsPort } from '../../src/contract/sessions.ts';
import type { Standing } from '../../src/contract/standing.ts';
import { taskQueuesOf } from '../../src/contract/task-queues.ts';
import type { TokensPort } from '../../src/contract/tokens.ts';
import type { TriggersPort } from '../../src/contract/triggers.ts';
import { noUsage } from '../../src/goal/budget/budget.ts';
import { builtInRules } from '../../src/intake/service-rules.ts';
import { addressRules } from '../../src/net/addresses.ts';
import { sees } from '../../src/policy/sight.ts';
import { createMasker } from '../../src/secrets/masker.ts';
import { createApiMetrics } from '../../src/telemetry/api-metrics.ts';

const noFiles = async () => {
  throw new Refusal('not_found', 'no files here');
};

export const tokens = { viewer: 'v-1', agent: 'a-1', operator: 'o-1', admin: 'm-1' } as const;

export const settings: ApiSettings = {
  version: '0.0.0-test',
  tokens: Object.entries(tokens).map(([role, token]) => ({
    role: role as keyof typeof tokens,
    token,
  })),
  isLoopback: true,
  defaultModel: 'openai/gpt-test',
  defaultFallback: null,
  agents: {},
  models: [],
  rules: () => builtInRules,
  host: hostname(),
  isSandboxForPrograms: false,
  stream: { poll: 20, heartbeat: 30 },
  consoleFolder: null,
  approvers: 'anybody',
  temporalPages: null,
};

const TREE = { name: 'by-path-123456', host: 'here', marker: 'm' } as const;

const nothingKnown = {
  scope: 'none',
  goals: 0,
  completed: 0,
  turns: null,
  costUsd: null,
  tokensPerTurn: null,
  costPerTurn: null,
  secondsPerTurn: null,
} as const;

const idleQueue = {
  backlog: 0,
  ageSeconds: 0,
  addedRate: 0,
  takenRate: 0,
  pollers: 1,
  recentBacklog: [],
};

interface Kept {
  readonly bodyHash: string;
  readonly commitId: string;
  answer?: { httpStatus: number; answer: unknown };
}

/** Just enough of the record to see what the HTTP surface asks of it. */
export interface Memory {
  readonly goals: Map<string, Goal>;
  readonly createdBy: Map<string, Reach['createdByRole']>;
  /** Names of principals. */
  readonly startedBy: Map<string, string>;
  readonly requests: Map<string, Kept>;
  readonly events: EventRow[];
  readonly mutations: Mutation[];
  readonly started: NewGoal[];
  readonly ensured: string[];
  /** Thrown by the next mutation. */
  failure: Error | null;
  /** It is thrown behind the commit. */
  failsLate: boolean;
  notify: () => void;
}

export function createMemory(): Memory {
  return {
    goals: new Map(),
    createdBy: new Map(),
    startedBy: new Map(),
    requests: new Map(),
    events: [],
    mutations: [],
    started: [],
    ensured: [],
    failure: null,
    failsLate: false,
    notify: () => undefined,
  };
}

export function memoryPorts(memory: Memory, change: Partial<ApiPorts> = {}): ApiPorts {
  return {
    settings,
    reader: memoryReader(memory),
    intake: memoryIntake(memory),
    sealed: {
      seal: async () => {
        throw new Error('nothing is sealed here');
      },
      find: async () => null,
      open: async () => ({ problem: 'there is none' }),
      runs: async () => [],
    },
    attachments: {
      keep: async () => {
        throw new Error('nothing is kept here');
      },
      find: async () => new Map(),
      ofGoal: async () => [],
      content: async () => null,
    },
    sessions: memorySessions(),
    tokens: memoryTokens(),
    schedules: {
      add: async () => undefined,
      change: async () => undefined,
      kept: async () => null,
      amend: async () => undefined,
      list: async () => [],
      get: async () => null,
      owner: async () => null,
    },
    scheduleRuns: {
      withLock: async () => false,
      hasOpen: async () => false,
      open: async () => [],
      settle: async () => undefined,
      troubled: async () => undefined,
    },
    toolPins: { list: async () => [], accept: async () => null, reset: async () => 0 },
    callStops: {
      stop: async (goalId, callId, askedBy) => ({
        ...{ goalId, callId, askedBy, askedAt: new Date(0).toISOString() },
      }),
    },
    storedRules: { list: async () => [], revoke: async () => null },
    triggers: memoryTriggers,
    lookNow: async () => undefined,
    oidc: null,
    securityLog: {
      add: async () => undefined,
      about: async () => [],
      page: async () => ({ items: [], nextCursor: null }),
      verify: async () => ({ holds: true, rows: 0, sealedFrom: null }),
    },
    anchors: {
      state: async () => ({ head: null, targets: [] }),
      verify: async () => ({ holds: true, anchors: 0, size: 0, at: null, faults: [] }),
    },
    goals: {
      ensureStarted: async ({ goalId }) => void memory.ensured.push(goalId),
      mutate: async (mutation, goalId) => mutate(memory, mutation, goalId),
      endReplaced: async () => undefined,
      ping: async () => undefined,
    },
    workspaces: {
      servedAt: async () => [],
      look: async (path) => ({ ...TREE, path }),
      register: async () => ({ name: TREE.name }),
    },
    scopes: {
      look: async () => ({ scope: null, files: 0, total: 0, notices: [], setups: [] }),
      base: async () => 'b'.repeat(40),
    },
    beginnings: { problem: async () => null },
    applies: {
      apply: async () => {
        throw new Refusal('worker_unavailable', 'No worker here');
      },
    },
    checks: {
      try: async () => {
        throw new Refusal('worker_unavailable', 'No worker here');
      },
    },
    queues: {
      names: taskQueuesOf('here'),
      describe: async (name, kind) => ({ ...idleQueue, name, kind }),
    },
    models: {
      assertUsable: (model) => {
        if (model.startsWith('openai/')) return;
        throw new Refusal('model_key_missing', `${model} needs ANTHROPIC_API_KEY`);
      },
      price: (model) => (model.includes('unpriced') ? null : { costUsd: '0', version: 'test' }),
    },
    servedModels: () => [],
    templates: {
      list: async () => ({ file: null, isCommitted: null, items: [] }),
      keep: async () => {
        throw new Refusal('not_found', 'no templates are here');
      },
      fill: async () => {
        throw new Refusal('not_found', 'no templates here');
      },
    },
    firstCallTokens: () => 2000,
    changes: {
      checkpoints: async () => ({ checkpoints: [], rewinds: [] }),
      diff: noFiles,
      list: noFiles,
      file: noFiles,
    },
    feed: {
      ...silentFeed,
      subscribe: (_goalId, onEvents) => {
        memory.notify = onEvents;
        return () => undefined;
      },
    },
    links: { read: () => null, isAbout: () => false },
    proofLinks: { sign: () => null, read: () => null },
    notifications: {
      list: async () => ({ items: [], nextCursor: null }),
      resend: async () => true,
    },
    histories: { backwards: () => noPages() },
    addresses: addressRules([]),
    mask: createMasker({}).text,
    sealTarget: (target) => target,
    ledger: {
      whole: async () => ({ holds: true, rows: 0, sealedFrom: null }),
      quick: async () => ({ holds: true, rows: 0, sealedFrom: null }),
    },
    metrics: createApiMetrics(async () => ({ ...nothing, limits: [] })),
    removedGoals: {
      withLock: async () => false,
      due: async () => [],
      staying: async () => [],
      emptyRequests: async () => 0,
    },
    proofs: {
      export: async () => {
        throw new Refusal('unsupported', 'no proof here');
      },
      publicKey: () => 'no key here',
    },
    ...change,
  };
}

async function* noPages(): AsyncGenerator<never> {}

export function memorySessions(): SessionsPort {
  const kept = new Map<string, KnownSession & { kind: string }>();
  return {
    open: async ({ secretHash, kind, consoleHash = null, tokenName, seconds }) => {
      const expiresAt = new Date(Date.now() + seconds * 1000).toISOString();
      kept.set(secretHash, { kind, consoleHash, tokenName, identity: null, expiresAt });
      return expiresAt;
    },
    find: async (secretHash, kind = 'session') => {
      const found = kept.get(secretHash);
      return found?.kind === kind ? found : null;
    },
    redeem: async (codeHash, { secretHash, consoleHash = null, seconds }) => {
      const found = kept.get(codeHash);
      if (found?.kind !== 'code' || !kept.delete(codeHash)) return null;
      const expiresAt = new Date(Date.now() + seconds * 1000).toISOString();
      kept.set(secretHash, { ...found, kind: 'session', consoleHash, expiresAt });
      return expiresAt;
    },
    list: async () => [],
    endNamed: async () => 0,
    end: async (secretHash) => void kept.delete(secretHash),
    endIdentity: async () => [],
  };
}

/** The settings' tokens are all there are. */
export const memoryTokens = (): TokensPort => ({
  add: async () => {
    throw new Refusal('name_taken', 'no tokens are made here');
  },
  list: async () => [],
  revoke: async () => null,
  template: async () => null,
  use: async () => null,
  named: async () => null,
  makersOf: async () => [],
  hasRole: async () => false,
});

function mutate(memory: Memory, mutation: Mutation, goalId: string): { revision: number } {
  if (memory.failure !== null && !memory.failsLate) throw memory.failure;
  memory.mutations.push(mutation);
  const goal = memory.goals.get(goalId);
  if (goal === undefined) throw new Error('mutated a goal that is not there');
  const moved = { ...goal, revision: goal.revision + 1 };
  memory.goals.set(goalId, moved);
  const kept = [...memory.requests.values()].find((one) => one.commitId === mutation.commitId);
  if (kept !== undefined) kept.answer = { httpStatus: 200, answer: moved };
  if (memory.failure !== null) throw memory.failure;
  return { revision: moved.revision };
}

function memoryIntake(memory: Memory): IntakePort {
  const keyOf = (request: StoredRequest) =>
    `${request.principal.name} ${request.route} ${request.key}`;
  const byCommit = (commitId: string) =>
    [...memory.requests].find(([, kept]) => kept.commitId === commitId);
  const reserve = (request: StoredRequest): Kept => {
    const kept = memory.requests.get(keyOf(request));
    if (kept !== undefined && kept.bodyHash !== request.bodyHash) {
      throw new Refusal('idempotency_mismatch', 'The key was used with another body');
    }
    const mine = kept ?? { bodyHash: request.bodyHash, commitId: request.commitId };
    memory.requests.set(keyOf(request), mine);
    return mine;
  };
  return {
    reportCall: async () => true,
    startGoal: async (request, newGoal, { expectedGoalId, replace, sight }) => {
      const kept = reserve(request);
      if (kept.answer !== undefined) {
        return { goal: kept.answer.answer as Goal, isNew: false, replaced: null };
      }
      if (replace && expectedGoalId && !sees(sight, ownerOf(memory, expectedGoalId))) {
        throw new Refusal('goal_conflict', 'The thread is in use: take another one.');
      }
      const goal = goalOf(newGoal);
      memory.started.push(newGoal);
      memory.goals.set(goal.goalId, goal);
      memory.createdBy.set(goal.goalId, request.principal.role);
      memory.startedBy.set(goal.goalId, request.principal.name);
      kept.answer = { httpStatus: 201, answer: goal };
      return { goal, isNew: true, replaced: null };
    },
    reserveRequest: async (request) => {
      const kept = reserve(request);
      return kept.answer === undefined
        ? { kind: 'proceed', commitId: kept.commitId }
        : { kind: 'answered', ...kept.answer };
    },
    answerOf: async (commitId) => byCommit(commitId)?.[1].answer ?? null,
    dropRequest: async (commitId) => {
      const found = byCommit(commitId);
      if (found !== undefined) memory.requests.delete(found[0]);
    },
    registerWorkspace: async () => undefined,
  };
}

const nothing: Standing = {
  goals: [],
  workers: [],
  queued: 0,
  openApprovals: 0,
  oldestApprovalSeconds: 0,
  oldestUnstartedSeconds: 0,
  oldestDueSeconds: 0,
  undelivered: 0,
};

function memoryReader(memory: Memory): ReaderPort {
  const all = () => [...memory.goals.values()];
  const current = (threadId: string) =>
    all().find((goal) => goal.threadId === threadId && goal.archivedAt === undefined) ?? null;
  return {
    goal: async (goalId) => memory.goals.get(goalId) ?? null,
    removedGoal: async () => null,
    goalIds: async (prefix) =>
      [...memory.goals.keys()].filter((id) => id.startsWith(prefix)).slice(0, 2),
    threadGoal: async (threadId) => current(threadId),
    owner: async (goalId) => (memory.goals.has(goalId) ? ownerOf(memory, goalId) : null),
    reach: async (goalId) => reachOf(memory, goalId),
    goals: async () => ({ items: all(), nextCursor: null }),
    goalsHolding: async () => ({ items: [], nextCursor: null }),
    beginning: async ({ goalId, turn }) => ({ goalId, checkpoint: `t${turn}` }),
    assertTakesWorktree: async () => {},
    goalCounts: async () => ({
      total: all().length,
      statuses: { active: all().length, paused: 0, budget_limited: 0, complete: 0 },
      groups: { you: 0, agent: all().length, waiting: 0, team: 0, complete: 0 },
    }),
    timeline: async () => ({ items: [], nextCursor: null }),
    calls: async () => ({ items: [], nextCursor: null }),
    call: async () => null,
    freshness: async () => ({ lastWrite: null, receipts: [] }),
    turns: async () => ({ items: [], nextCursor: null }),
    ledger: async () => ({ items: [], nextCursor: null }),
    proofBase: async () => ({ missing: 'no store' }),
    ledgerSegment: async () => ({ previous: '', rows: [], head: { seq: 0, hash: '' } }),
    output: async (_goalId, seq) =>
      seq === 2 ? { bytes: 3, pieces: Readable.from([Buffer.from('ok\n')]) } : null,
    plan: async () => null,
    todos: async () => ({ revision: 0, items: [] }),
    delegates: async () => [],
    setAside: async () => noUsage,
    usageSeries: async () => [],
    usageSteps: async () => ({ items: [], nextCursor: null }),
    modelCalls: async () => [],
    modelCall: async () => null,
    usageOfSteps: async () => ({
      calls: 0,
      inputTokens: 0,
      cachedInputTokens: 0,
      outputTokens: 0,
      tokens: 0,
      costUsd: '0',
      estimated: { calls: 0, tokens: 0, costUsd: '0' },
    }),
    events: async (goalId, afterSeq, limit) =>
      memory.events.filter((row) => row.goalId === goalId && row.seq > afterSeq).slice(0, limit),
    runs: async () => [],
    historyTurns: async () => [],
    newestEvent: async () => 0,
    eventsPrunedTo: async () => 0,
    point: async () => null,
    sentMessages: async () => [],
    question: async () => null,
    answered: async () => null,
    approvals: async () => [],
    inbox: async () => ({ items: [], total: 0 }),
    disputes: async () => [],
    lastGate: async () => null,
    workspaces: async () => [
      {
        name: 'shop',
        path: '/srv/shop',
        host: 'here',
        leaseGoalId: null,
        leaseCheckId: null,
        writeSeq: 0,
        worktreeProblem: null,
        queue: [],
      },
    ],
    alteredWorkspaces: async () => [],
    folderOf: async () => ({ path: '/srv/shop', host: 'here' }),
    workers: async () => [],
    goalsOn: async () => [],
    past: async () => nothingKnown,
    busyHosts: async () => [],
    stuck: async () => [],
    undelivered: async () => [],
    standing: async () => nothing,
    providers: async () => [],
    standingLimits: async () => [],
    spend: async ({ from, to, by }) => ({ from, to, by, costUsd: '0', items: [] }),
    ping: async () => undefined,
  };
}

const ownerOf = (memory: Memory, goalId: string) => ({
  startedBy: memory.startedBy.get(goalId) ?? 'somebody',
  workspace: memory.goals.get(goalId)?.workspace.name ?? '',
});

function reachOf(memory: Memory, goalId: string): Reach | null {
  const goal = memory.goals.get(goalId);
  if (goal === undefined) return null;
  return {
    goalId,
    threadId: goal.threadId,
    epoch: 1,
    runId: null,
    status: goal.status,
    revision: goal.revision,
    isArchived: goal.archivedAt !== undefined,
    createdByRole: memory.createdBy.get(goalId) ?? 'operator',
  };
}

const noUse = {
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  tokens: 0,
  costUsd: '0',
  turns: 0,
  steps: 0,
  activeSeconds: 0,
};

export function goalOf(newGoal: NewGoal): Goal {
  const at = '2026-01-01T00:00:00.000Z';
  return {
    goalId: newGoal.goalId,
    threadId: newGoal.threadId,
    objective: newGoal.objective,
    status: 'active',
    activity: { state: 'running', reason: 'starts', since: at, actor: 'Agent' },
    revision: 1,
    criteria: [...newGoal.criteria],
    budget: newGoal.budget,
    usage: { ...noUse, own: noUse },
    todos: { revision: 0, total: 0, done: 0 },
    model: newGoal.model,
    mode: newGoal.mode,
    workspace: { name: newGoal.workspace, path: '/srv/shop', mode: 'shared' },
    policy: newGoal.policy,
    isolation: newGoal.isolation,
    createdAt: at,
    updatedAt: at,
  };
}

/** None is made here. */
const memoryTriggers: TriggersPort = {
  add: async () => {
    throw new Refusal('name_taken', 'no trigger is made here');
  },
  list: async () => [],
  find: async () => null,
  pause: async () => null,
  remove: async () => false,
  armed: async () => null,
  noteRefused: async () => undefined,
  journal: async () => null,
  delivery: async () => null,
  claim: async () => null,
  target: async (_deliveryId, goalId) => goalId,
  settle: async () => undefined,
  tellEvent: async () => [],
};
