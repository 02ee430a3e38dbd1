import { z } from 'zod';
import { isolationSchema } from './isolation.ts';
import { reachedSchema } from './network.ts';
import { toolDecisionSchema } from './tool-rule.ts';

export const effectSchema = z.enum(['read', 'write', 'once']);
export const outcomeSchema = z.enum(['succeeded', 'failed', 'refused', 'unknown']);

/** The hashed content of a `settled` row. Paths are relative to the workspace. */
export const receiptSchema = z.strictObject({
  exitCode: z.int().optional(),
  signal: z.string().optional(),
  reason: z.string().optional(),
  /** The person who had it ended before its end. */
  stoppedBy: z.string().optional(),
  reads: z.array(z.string()).optional(),
  writes: z.array(z.string()).optional(),
  /** SHA-256 of each written file after the call; null = it is gone. */
  hashes: z.record(z.string(), z.string().nullable()).optional(),
  /** The workspace's write counter after this call; of writes and commands. */
  writeSeq: z.int().optional(),
  outputBytes: z.int().optional(),
  outputSha256: z.string().optional(),
  /** SHA-256 of each image among the result. */
  images: z.array(z.string()).optional(),
  durationMs: z.int().optional(),
  expectFailure: z.boolean().optional(),
  /** Why a run that exited zero tested nothing, read from its output. */
  ranNothing: z.string().optional(),
  command: z.string().optional(),
  cwd: z.string().optional(),
  /**
   * `gate` and `baseline` runs are the host's own; only these prove a rerun criterion. `person`: a
   * rewind. `agent`: what an agent of the settings says that it did, which proves nothing.
   */
  origin: z.enum(['model', 'gate', 'baseline', 'person', 'dispute', 'agent']).optional(),
  /** For a rewind: who ordered it, its checkpoint and its outcome. */
  rewind: z
    .strictObject({
      by: z.string(),
      checkpoint: z.string(),
      changed: z.int().optional(),
      left: z.array(z.strictObject({ path: z.string(), why: z.string() })).optional(),
    })
    .optional(),
  criterionId: z.string().optional(),
  /** A proof run: its tree as git names it, and a digest of all that the run was given. */
  proof: z.strictObject({ tree: z.string(), inputs: z.string() }).optional(),
  /** The test runner's report on a host's own run. */
  tests: z
    .strictObject({ runner: z.string(), ran: z.int(), failed: z.int(), skipped: z.int() })
    .optional(),
  /**
   * The rule of the policy that let it run, asked about it or refused it; absent = none matched.
   */
  policy: z
    .strictObject({
      decision: toolDecisionSchema,
      rule: z.string(),
      /** The approval, if a person decided. */
      approvalId: z.string().optional(),
      by: z.string().optional(),
    })
    .optional(),
  /** Files that a run of the host changed; they don't make evidence stale. */
  ownWrites: z.array(z.string()).optional(),
  /** Isolation of a command: `full` or `partial` sandbox, or `none`. */
  isolation: isolationSchema.optional(),
  /** Settings that a command left for git to run later; the host removed them. */
  disarmed: z.array(z.string()).optional(),
  /**
   * Settings that git would run later, by a person or by a command whose end was not seen; they are
   * still there.
   */
  undecided: z.array(z.string()).optional(),
  /** Where a command that may reach listed domains connected, or tried to; the first 50 places. */
  reached: z.array(reachedSchema).optional(),
});

export const ledgerRowSchema = z.strictObject({
  seq: z.int(),
  phase: z.enum(['started', 'settled']),
  callId: z.string(),
  turn: z.int(),
  step: z.int(),
  /** Fencing token of the attempt that wrote the row. */
  token: z.int(),
  tool: z.string(),
  effect: effectSchema,
  outcome: outcomeSchema.optional(),
  arguments: z.unknown().optional(),
  /** For a `started` write: the file's content before and after. */
  plan: z
    .strictObject({ path: z.string(), before: z.string().nullable(), after: z.string().nullable() })
    .optional(),
  receipt: receiptSchema.optional(),
  outputRef: z.string().optional(),
  at: z.string(),
  previous: z.string(),
  hash: z.string(),
});

/** `key`: the row can't be judged; everything else: the row is not what was written. */
export const chainFaultSchema = z.enum([
  'edited',
  'missing',
  'moved',
  'added',
  'output',
  /** Not sealed although a key is set. */
  'unsealed',
  'key',
]);

/** Whether a ledger is what was written; its first problem if not. */
export const chainVerdictSchema = z.strictObject({
  holds: z.boolean(),
  /** Rows that were looked at, from the first one. */
  rows: z.int(),
  /** The first row that a key sealed: from there on only the key's owner can have written. */
  sealedFrom: z.int().nullable(),
  /** Records that stood there before seals covered them: sealed as they were found then. */
  adopted: z.int().optional(),
  /** Seq of the row; for another record, of the last row before it. */
  at: z.int().optional(),
  /** The record that isn't what was written, if it is no row of the ledger. */
  record: z
    .strictObject({
      kind: z.enum([
        'seal',
        'start',
        'decision',
        'completion',
        /** Objective, criteria, budget, policy: what was asked for. */
        'terms',
        /** Baseline, streaks, isolation, webhooks: what it is judged by and how it runs. */
        'ground',
        /** A request of a person or program that the goal took. */
        'order',
        'approval',
        'answer',
        'dispute',
        'message',
        /** A list of requirements that a person set. */
        'requirements',
        /** Where the goal stands: it works, waits, is paused, over or cleared. */
        'state',
        /** Tokens, cost, turns, steps and active time. */
        'usage',
        /** What a criterion told before the work. */
        'baseline',
        /** What the last gate of a turn found. */
        'finding',
        /** What was handed on: its share of the budget, its place in its chain. */
        'delegate',
        /** What a trigger brought, and in whose sight. */
        'delivery',
        /** Where the goal works. */
        'workspace',
        /** What is written once: conversation, inbox, lists, plan, files, checkpoints, notifications. */
        'written',
      ]),
      /**
       * Number of the seal, turn of the decision or gate, revision of the list, name of the
       * workspace, table and number of what is written once, empty where a goal has one, id of all others.
       */
      subject: z.string(),
    })
    .optional(),
  fault: chainFaultSchema.optional(),
  problem: z.string().optional(),
  wayOut: z.string().optional(),
});

export type ChainFault = z.infer<typeof chainFaultSchema>;
/** What has its seal in or beside its row, and none in the goal's chain of seals. */
export type RowKind =
  | 'state'
  | 'usage'
  | 'baseline'
  | 'finding'
  | 'delegate'
  | 'delivery'
  | 'workspace'
  | 'written';
export type SealKind = Exclude<NonNullable<ChainVerdict['record']>['kind'], 'seal' | RowKind>;
export type ChainVerdict = z.infer<typeof chainVerdictSchema>;
export type Effect = z.infer<typeof effectSchema>;
export type Outcome = z.infer<typeof outcomeSchema>;
export type Receipt = z.infer<typeof receiptSchema>;
export type ProofInputs = NonNullable<Receipt['proof']>;
export type LedgerRow = z.infer<typeof ledgerRowSchema>;
