import { z } from 'zod';
import { networkSchema } from './network.ts';
import { textSchema } from './text.ts';
import { toolRulesSchema } from './tool-rule.ts';

/** Numbers of design sections 4, 6 and 9 that a goal may move within the service's bounds. */
export const continuationInputSchema = z.strictObject({
  enabled: z.boolean().optional(),
  continueAt: z.int().min(1).max(100).optional(),
  warnAt: z.int().min(1).max(100).optional(),
  continuationsWithoutReceipt: z.int().min(1).max(100).optional(),
  toolFreeTurns: z.int().min(1).max(100).optional(),
  turnsWithoutProgress: z.int().min(1).max(1000).optional(),
  refusalsInRow: z.int().min(1).max(100).optional(),
  refusalsWithoutBest: z.int().min(1).max(100).optional(),
  truncatedTurns: z.int().min(1).max(100).optional(),
  toolErrors: z.int().min(1).max(100).optional(),
  repeatsNoted: z.int().min(2).max(100).optional(),
  repeatsPaused: z.int().min(2).max(100).optional(),
  protocolRetries: z.int().min(0).max(20).optional(),
  stepsPerSlice: z.int().min(1).max(1000).optional(),
  stepsPerTurn: z.int().min(1).max(100_000).optional(),
  secondsPerSlice: z.int().min(1).max(3600).optional(),
  openProposals: z.int().min(0).max(50).optional(),
  /** Delegates that one turn may ask for, and that may run at once. */
  delegatesPerTurn: z.int().min(1).max(20).optional(),
  delegatesRunning: z.int().min(1).max(20).optional(),
  /** How deep delegates may delegate; 1 = only the goal itself may. */
  delegateDepth: z.int().min(1).max(10).optional(),
  /** Waits for a provider in a row, after the turn's own short tries. */
  providerRetries: z.int().min(0).max(1000).optional(),
  /** Longest advice of a provider that is followed, seconds. */
  providerWaitSeconds: z.int().min(1).max(604_800).optional(),
  /** How long the fallback model stands in before the first one is tried again. */
  fallbackSeconds: z.int().min(1).max(604_800).optional(),
  /** Workers that may die under one model call. */
  lostCalls: z.int().min(1).max(100).optional(),
  /** Bounds of the delay of `continue_work`, seconds; if they conflict, the maximum wins. */
  delayMinSeconds: z.int().min(1).max(3600).optional(),
  delayMaxSeconds: z.int().min(1).max(86_400).optional(),
  delayDefaultSeconds: z.int().min(1).max(86_400).optional(),
  /** Most wakes in a chain that the model asked for itself. */
  chainLength: z.int().min(1).max(1000).optional(),
  /** Tokens of such a chain; 0 = no cap. */
  chainTokens: z.int().min(0).max(1_000_000_000).optional(),
  /** How long `wait_for` waits unless told, and at most, seconds. */
  waitDefaultSeconds: z.int().min(1).max(2_592_000).optional(),
  waitMaxSeconds: z.int().min(1).max(2_592_000).optional(),
  /** Polling interval of `wait_for`, growing from the minimum to the maximum, seconds. */
  pollMinSeconds: z.int().min(1).max(3600).optional(),
  pollMaxSeconds: z.int().min(1).max(3600).optional(),
});

/** At most 30 days; null = for as long as it takes. */
const patience = z.int().min(1).max(2_592_000).nullable().optional();

/** How long the goal waits for people, as set at its start. */
const waiting = {
  /** Timeout after which an undecided call counts as denied. */
  approvalTimeoutSeconds: patience,
  /** Timeout after which a question's default answer applies, if it has one. */
  questionTimeoutSeconds: patience,
  /** Default answer of questions that name none. */
  questionDefault: textSchema(500).nullable().optional(),
};

/** The reach of commands outside of the workspace. */
const sandboxSchema = z.strictObject({
  /** `none` unless told. */
  network: networkSchema,
});

/**
 * What a completion is proven by: `scope` = the original tree with the goal's changes in scope and
 * nothing else; `workspace` = the workspace as it is, which supports a claim at most.
 */
const proof = z.enum(['scope', 'workspace']);

/** The share of changed files without which some check has to fail, at least. */
const felt = z.strictObject({ share: z.number().min(0).max(1) });

/**
 * `all`: a requirement that nothing checks is a question to a person before the goal is complete.
 * `open` unless told: the completion says how many there are.
 */
const coverage = z.enum(['open', 'all']).optional();

/**
 * Packages of a registry that a goal adds: `allow` = they are installed for its proof, and are a part
 * of the work; `ask` = a person is asked, unless told otherwise.
 */
const dependencies = z.enum(['allow', 'ask']).optional();

/**
 * When Temporal lost the goal's execution, such as with its store: a person is asked, unless told
 * otherwise, or the goal goes on by itself, at most three times in an hour.
 */
const onLost = z.enum(['ask', 'resume']).optional();

export const policyInputSchema = z.strictObject({
  completion: z.enum(['verified', 'supported']).optional(),
  proof: proof.optional(),
  felt: felt.optional(),
  coverage,
  dependencies,
  onUnknown: z.enum(['continue', 'ask']).optional(),
  onLost,
  /** Kept beside the policy: a goal's workflow never carries them. */
  tools: toolRulesSchema.optional(),
  ...waiting,
  sandbox: sandboxSchema.optional(),
  continuation: continuationInputSchema.optional(),
});

export const policySchema = z.strictObject({
  completion: z.enum(['verified', 'supported']),
  proof,
  /** Absent = it is told and nothing is asked for. */
  felt: felt.optional(),
  coverage,
  dependencies,
  onUnknown: z.enum(['continue', 'ask']),
  onLost,
  tools: toolRulesSchema.optional(),
  ...waiting,
  /** Absent = `none`. */
  sandbox: sandboxSchema.optional(),
  continuation: continuationInputSchema.required(),
});

export type PolicyInput = z.infer<typeof policyInputSchema>;
export type Policy = z.infer<typeof policySchema>;
export type Continuation = Policy['continuation'];
