import type { Goal } from '../../schema/goal.ts';
import { WRAP_UP_RESERVE } from '../../src/goal/budget/budget.ts';
import { addDecimals, compareDecimals, subtractDecimals } from '../../src/goal/budget/decimal.ts';
import type { Database } from '../../src/store/client.ts';
import { type Plan, PRICES } from './plan.ts';
import type { Delivered } from './provider.ts';

/** A model call as the goal was charged for it. */
interface ChargedStep {
  readonly kind: string;
  readonly state: string;
  readonly finishReason: string | null;
  readonly estimatedInput: number;
  readonly reservedOutput: number;
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly costUsd: string;
  readonly isEstimated: boolean;
}

export interface Outcome {
  readonly index: number;
  readonly ended: string;
  readonly calls: number;
  readonly wrapUpCalls: number;
  /** Answers that were cut off where the budget ended. */
  readonly cutCalls: number;
  /** Tokens above the limit, and how many the bound lets it be. */
  readonly tokens: Overshoot | null;
  /** Dollars. */
  readonly cost: Overshoot | null;
  /** A call was made whose worst case did not fit into what was left. */
  readonly isUnreserved: boolean;
  readonly turns: number | null;
  readonly seconds: number | null;
  readonly doubled: number;
  readonly lost: number;
  /** The goal's totals are not the sums of its rows, or a row isn't priced as it should be. */
  readonly miscounted: number;
}

export interface Overshoot {
  readonly over: number;
  readonly bound: number;
}

/** Compares what the provider delivered, what the rows charged, and what the goal was allowed. */
export async function auditGoal(
  db: Database,
  plan: Plan,
  goal: Goal,
  delivered: readonly Delivered[],
): Promise<Outcome> {
  const steps = await stepsOf(db, goal.goalId);
  const { usage } = goal;
  const { tokens, costUsd, turns, activeSeconds } = plan.budget;
  const overCost = subtractDecimals(usage.costUsd, costUsd ?? usage.costUsd);
  return {
    index: plan.index,
    ended: goal.status === 'paused' ? `paused/${goal.pause?.reason}` : limitOf(goal),
    calls: steps.length,
    wrapUpCalls: steps.filter(isPaidWrapUp).length,
    cutCalls: steps.filter(({ finishReason }) => finishReason === 'length').length,
    tokens: tokens ? { over: Math.max(0, usage.tokens - tokens), bound: tokenBound(steps) } : null,
    cost: costUsd ? { over: Number(overCost), bound: costBound(steps) } : null,
    isUnreserved: isUnreserved(plan, steps),
    turns: turns ? Math.max(0, usage.turns - turns) : null,
    seconds: activeSeconds ? Math.max(0, usage.activeSeconds - activeSeconds) : null,
    ...compareBooks(steps, delivered),
    miscounted: miscountedBy(goal, steps),
  };
}

const limitOf = ({ status, activity }: Goal): string =>
  `${status}/${activity.reason.split(':', 1)[0]}`;

function stepsOf(db: Database, goalId: string): Promise<ChargedStep[]> {
  return db<ChargedStep[]>`
    SELECT t.kind, s.state, s.finish_reason AS "finishReason", s.estimated_input AS "estimatedInput", s.reserved_output AS "reservedOutput", s.input_tokens AS input,
      s.cached_input_tokens AS cached, s.output_tokens AS output,
      trim_scale(s.cost_usd)::text AS "costUsd", s.is_estimated AS "isEstimated"
    FROM step s JOIN turn t USING (goal_id, turn)
    WHERE s.goal_id = ${goalId} ORDER BY s.turn, s.step, s.attempt`;
}

const underestimate = ({ input, estimatedInput }: ChargedStep): number =>
  Math.max(0, input - estimatedInput);

const isWrapUp = ({ kind }: ChargedStep): boolean => kind === 'wrap_up';
const isPaidWrapUp = (step: ChargedStep): boolean => isWrapUp(step) && step.input > 0;

/** Some call's worst case did not fit into what was left beside the wrap-up's part. */
function isUnreserved({ budget }: Plan, steps: readonly ChargedStep[]): boolean {
  let tokens = (budget.tokens ?? Number.POSITIVE_INFINITY) - WRAP_UP_RESERVE;
  let dollars = Number(budget.costUsd ?? 'Infinity') - WRAP_UP_RESERVE * OUTPUT_PRICE;
  for (const step of steps.filter((one) => !isWrapUp(one))) {
    const { estimatedInput, reservedOutput, input, cached, output, costUsd } = step;
    const worst = estimatedInput * INPUT_PRICE + reservedOutput * OUTPUT_PRICE;
    if (estimatedInput + reservedOutput > tokens || worst > dollars + NOBODYS_MONEY) return true;
    if (!step.isEstimated && output > reservedOutput) return true;
    tokens -= input - cached + output;
    dollars -= Number(costUsd);
  }
  return false;
}

/** Dollars are compared in floating point here. */
export const NOBODYS_MONEY = 1e-9;

const INPUT_PRICE = Number(PRICES.inputPerMTok) / 1e6;
const OUTPUT_PRICE = Number(PRICES.outputPerMTok) / 1e6;

/** What docs/budget.md states, in tokens of input: the last ordinary call's underestimate and the wrap-up. */
function tokenBound(steps: readonly ChargedStep[]): number {
  const last = steps.findLast((step) => !isWrapUp(step) && step.input > 0);
  const error = last === undefined ? 0 : underestimate(last);
  return error + (steps.find(isPaidWrapUp)?.input ?? 0);
}

const costBound = (steps: readonly ChargedStep[]) => tokenBound(steps) * INPUT_PRICE;

/**
 * Every delivery with a usage is charged by exactly one row with exactly its numbers; every one
 * whose usage nobody could read is charged by one estimate; a refused one is free.
 */
function compareBooks(
  steps: readonly ChargedStep[],
  delivered: readonly Delivered[],
): { doubled: number; lost: number } {
  const reported = delivered.filter(({ how }) => how === 'whole').map(({ usage }) => usage);
  const charged = steps.filter((step) => !step.isEstimated && step.input > 0);
  const key = ({ input, cached = 0, output }: { input: number; cached?: number; output: number }) =>
    `${input} ${cached} ${output}`;
  const exact = difference(charged.map(key), reported.map(key));
  const unread = delivered.filter(({ how }) => how === 'cut' || how === 'without usage').length;
  const estimated = steps.filter(({ isEstimated }) => isEstimated).length;
  return {
    doubled: exact.more + Math.max(0, estimated - unread),
    lost: exact.fewer + Math.max(0, unread - estimated),
  };
}

function difference(left: readonly string[], right: readonly string[]) {
  const rest = [...right];
  let more = 0;
  for (const one of left) {
    const at = rest.indexOf(one);
    if (at < 0) more += 1;
    else rest.splice(at, 1);
  }
  return { more, fewer: rest.length };
}

function miscountedBy({ usage }: Goal, steps: readonly ChargedStep[]): number {
  const sum = (pick: (step: ChargedStep) => number) =>
    steps.reduce((total, step) => total + pick(step), 0);
  const cost = steps.reduce((total, step) => addDecimals(total, step.costUsd), '0');
  const isRight = [
    usage.inputTokens === sum(({ input }) => input),
    usage.cachedInputTokens === sum(({ cached }) => cached),
    usage.outputTokens === sum(({ output }) => output),
    compareDecimals(usage.costUsd, cost) === 0,
    steps.every((step) => compareDecimals(step.costUsd, priceOf(step)) === 0),
  ];
  return isRight.filter((holds) => !holds).length;
}

/** In billionths of a dollar, where these prices have no fraction. */
function priceOf({ input, cached, output }: ChargedStep): string {
  const nano = (input - cached) * 1250 + cached * 125 + output * 10_000;
  const digits = String(nano).padStart(10, '0');
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`;
}
