import { z } from 'zod';
import { decimalSchema } from './budget.ts';
import { actorSchema } from './goal.ts';
import { isolationSchema } from './isolation.ts';

/** `lost`: heartbeats stopped without a shutdown. */
export const workerStateSchema = z.enum(['up', 'draining', 'lost']);

export const refusedWorkspaceSchema = z.strictObject({
  name: z.string(),
  path: z.string(),
  why: z.string(),
});

export const workerSchema = z.strictObject({
  workerId: z.string(),
  state: workerStateSchema,
  /** The version of Goalkeeper that it runs. */
  build: z.string(),
  host: z.string(),
  pid: z.int(),
  taskQueues: z.array(z.string()),
  /** Slices that it runs now, and at most at once. */
  slices: z.int(),
  slots: z.int(),
  tools: z.array(z.string()),
  /** Models that only this worker knows. */
  models: z.array(z.string()),
  /** Names of the workspaces of its host. */
  workspaces: z.array(z.string()),
  isolation: isolationSchema,
  /** What holds its commands to memory and processes; `counting`: it looks several times a second. */
  limitedBy: z.enum(['kernel', 'counting']),
  /** Id of the key by which it encrypts what it sends to Temporal; null = it does not. */
  temporalKey: z.string().nullable(),
  /** Workspaces that it was told to serve and does not. */
  refused: z.array(refusedWorkspaceSchema),
  startedAt: z.string(),
  seenAt: z.string(),
});

export const queueSchema = z.strictObject({
  name: z.string(),
  kind: z.enum(['workflow', 'activity']),
  /** Null for the queue that every host shares. */
  host: z.string().nullable(),
  /** Tasks that no worker has taken yet, as Temporal counts them. */
  backlog: z.int(),
  /** Age of the oldest task. */
  ageSeconds: z.number(),
  /** Tasks a second over the last half minute. */
  addedRate: z.number(),
  takenRate: z.number(),
  /** Pollers that asked for tasks within the last minutes. */
  pollers: z.int(),
  /**
   * The most that waited in each of the last twenty minutes, the present one last, as this API
   * process saw it; null = it did not look.
   */
  recentBacklog: z.array(z.int().nullable()),
});

export const providerSchema = z.strictObject({
  model: z.string(),
  calls: z.int(),
  /** Calls that the provider, or the way to it, ended; a worker's death is none. */
  errors: z.int(),
  kinds: z.array(z.strictObject({ kind: z.string(), calls: z.int() })),
  /** Median of answered calls; null before the first one. */
  p50Seconds: z.number().nullable(),
  p95Seconds: z.number().nullable(),
  costUsd: decimalSchema,
  /** Calls and errors of each of the last twenty minutes, oldest first. */
  recentCalls: z.array(z.int()),
  recentErrors: z.array(z.int()),
});

export const spendBySchema = z.enum(['hour', 'day', 'model', 'workspace', 'principal', 'goal']);

export const spendSchema = z.strictObject({
  from: z.string(),
  to: z.string(),
  by: spendBySchema,
  /** All of it, exactly; the items add up to it. */
  costUsd: decimalSchema,
  items: z.array(
    z.strictObject({
      /** The beginning of the hour or day, the model, the workspace, the principal or the goal. */
      key: z.string(),
      costUsd: decimalSchema,
      /** Charged by estimate, because the provider didn't tell. */
      estimatedUsd: decimalSchema,
      calls: z.int(),
      tokens: z.int(),
    }),
  ),
});

export const alertSchema = z.strictObject({
  /** Stable while the alert is about the same problem. */
  alertId: z.string(),
  kind: z.enum([
    'no_worker',
    'stuck',
    'worker_lost',
    'worker_draining',
    'backlog',
    'provider',
    'chain',
    'webhook',
    'anchor',
    'workspace',
    'budget',
  ]),
  level: z.enum(['high', 'medium', 'low']),
  title: z.string(),
  detail: z.string(),
  /** The next actor; null = nobody has to act. */
  actor: actorSchema.nullable(),
  action: z.string(),
  /** Since when, where it is known. */
  at: z.string().nullable(),
  goalId: z.string().nullable(),
});

export const alertsSchema = z.strictObject({
  items: z.array(alertSchema),
  /** Ledgers whose hash chain was looked at lately; the newest goals come first. */
  chainsChecked: z.int(),
  /** Sources that could not be read: alerts about them may be missing. */
  unknown: z.array(z.string()),
  at: z.string(),
});

export type Worker = z.infer<typeof workerSchema>;
export type WorkerState = z.infer<typeof workerStateSchema>;
export type RefusedWorkspace = z.infer<typeof refusedWorkspaceSchema>;
export type Queue = z.infer<typeof queueSchema>;
export type Provider = z.infer<typeof providerSchema>;
export type SpendBy = z.infer<typeof spendBySchema>;
export type Spend = z.infer<typeof spendSchema>;
export type Alert = z.infer<typeof alertSchema>;
export type Alerts = z.infer<typeof alertsSchema>;
