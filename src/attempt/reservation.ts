import type { UsageFields } from '../../schema/budget.ts';
import type { GoalBrief } from '../contract/goal-brief.ts';
import type { CallUsage } from '../contract/journal.ts';
import type { ModelPort } from '../contract/model.ts';
import type { SliceStop } from '../contract/slice-stop.ts';
import type { LimitReached, TurnKind } from '../contract/turn-facts.ts';
import {
  addUsage,
  findLimit,
  noUsage,
  remainingOutput,
  tightestLimit,
  WRAP_UP_RESERVE,
} from '../goal/budget/budget.ts';
import { estimatedUsage, type Payer, pricePerMillion } from './charges.ts';
import { type Clocked, elapsedMs } from './elapsed.ts';

/** Estimated output of a lost call when the goal has no answer to compare with, tokens. */
const TYPICAL_OUTPUT = 500;

/** Least output when a request nearly fills the window: the provider decides if it is too long. */
const LEAST_OUTPUT = 256;

/** The part of a slice that decides how much its next call may use. */
export interface Spender extends Clocked {
  readonly ports: {
    readonly model: ModelPort;
    readonly clock: () => number;
    /** By the database's clock. */
    readonly now: () => number;
  };
  readonly brief: Pick<GoalBrief, 'budget' | 'setAside'>;
  readonly kind: TurnKind;
  readonly usage: UsageFields;
  readonly failedAttempts: number;
}

/** Most tokens of a call, reserved before it is sent. */
export interface Reserved {
  readonly model: string;
  readonly attempt: number;
  readonly estimatedInput: number;
  readonly maxOutputTokens: number;
  /** The budget, not the model, set the cap. */
  readonly isCappedByBudget: boolean;
}

export const payerOf = (
  { ports, brief }: Pick<Spender, 'ports' | 'brief'>,
  model: string,
): Payer => ({
  ports,
  brief: { model, budget: brief.budget },
});

export function reserve(run: Spender, model: string, estimatedInput: number): Reserved | SliceStop {
  const { budget } = run.brief;
  const attempt = run.failedAttempts + 1;
  const modelMaximum = mostOutput(run, model, estimatedInput);
  if (run.kind === 'wrap_up') {
    const maxOutputTokens = Math.min(modelMaximum, WRAP_UP_RESERVE);
    return { model, attempt, estimatedInput, maxOutputTokens, isCappedByBudget: false };
  }
  const now = new Date(run.ports.now()).toISOString();
  const usage = { ...run.usage, activeSeconds: run.usage.activeSeconds + elapsedMs(run) / 1000 };
  // A turn that began may finish: `turns` is checked when it settles.
  const limit = findLimit({ ...budget, turns: null }, usage, now);
  if (limit !== null) return { end: 'budget', limit };
  const price = pricePerMillion(payerOf(run, model), estimatedInput);
  if (budget.costUsd !== null && price === null) return unpriced(model);
  const held = addUsage(usage, run.brief.setAside ?? noUsage);
  const left = remainingOutput(budget, held, estimatedInput, WRAP_UP_RESERVE, price);
  if (left <= 0) return { end: 'budget', limit: cannotPay(run, estimatedInput, model) };
  const maxOutputTokens = Math.min(modelMaximum, left);
  const isCappedByBudget = left < modelMaximum;
  return { model, attempt, estimatedInput, maxOutputTokens, isCappedByBudget };
}

/** Providers refuse a request whose input and longest answer don't fit into the window together. */
function mostOutput({ ports }: Spender, model: string, estimatedInput: number): number {
  const left = ports.model.contextWindow(model) - estimatedInput;
  return Math.max(LEAST_OUTPUT, Math.min(ports.model.maxOutput(model), left));
}

/** The API refuses such models too, but this worker may run with other prices. */
function unpriced(model: string): SliceStop {
  const message = `${model} has no known price here, so the goal's cost limit can't be kept.`;
  const provider = { kind: 'other', isRetryable: false, retryAfterSeconds: null, message } as const;
  return { end: 'provider_error', provider, detail: message };
}

export function cannotPay(run: Spender, estimatedInput: number, model: string): LimitReached {
  const price = pricePerMillion(payerOf(run, model), estimatedInput);
  const held = addUsage(run.usage, run.brief.setAside ?? noUsage);
  return tightestLimit(run.brief.budget, held, estimatedInput, price);
}

type Reservation = Pick<Reserved, 'estimatedInput' | 'maxOutputTokens'>;

/** The input as counted, and as much output as this goal's answers had on average. */
export function usageIfLost(
  payer: Payer,
  { steps, outputTokens }: Pick<UsageFields, 'steps' | 'outputTokens'>,
  { estimatedInput, maxOutputTokens }: Reservation,
): CallUsage {
  const usual = steps === 0 ? TYPICAL_OUTPUT : Math.ceil(outputTokens / steps);
  return estimatedUsage(payer, estimatedInput, Math.min(usual, maxOutputTokens));
}
