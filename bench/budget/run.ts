import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GoalWorld, openGoalWorld } from '../../test/support/goal-world.ts';
import { auditGoal, type Outcome } from './audit.ts';
import { type Plan, PRICES, planGoals } from './plan.ts';
import { createProvider, type Provider } from './provider.ts';

const PATIENCE_MS = 300_000;

/** Only the budget may stop these goals. */
const UNCAPPED = {
  toolFreeTurns: 100,
  turnsWithoutProgress: 1000,
  continuationsWithoutReceipt: 100,
  truncatedTurns: 100,
} as const;

/** Runs so many goals with random budgets to their end, some at once, and audits each. */
export async function runBudgets(options: {
  readonly goals: number;
  readonly seed: number;
  readonly atOnce: number;
  /** Of answers that are longer than most budgets have room for at their end. */
  readonly longShare?: number;
  readonly onEnd?: (outcome: Outcome) => void;
}): Promise<Outcome[]> {
  const plans = planGoals(options.goals, options.seed);
  const provider = createProvider(plans, options.longShare ?? 0.05);
  const folder = await mkdtemp(join(tmpdir(), 'goalkeeper-budget-'));
  const prices = join(folder, 'prices.json');
  const scripted = { ...PRICES, contextWindow: 400_000 };
  await writeFile(prices, JSON.stringify({ models: { 'compatible/scripted': scripted } }));
  const world = await openGoalWorld({
    script: provider.script,
    environment: { GOALKEEPER_PRICES: prices },
  });
  try {
    const outcomes: Outcome[] = [];
    const waiting = [...plans];
    const hand = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const outcome = await runOne(world, provider, next);
        outcomes.push(outcome);
        options.onEnd?.(outcome);
      }
    };
    await Promise.all(Array.from({ length: options.atOnce }, hand));
    return outcomes.sort((a, b) => a.index - b.index);
  } finally {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function runOne(world: GoalWorld, provider: Provider, plan: Plan): Promise<Outcome> {
  const { goalId } = await world.start({
    objective: `budget ${plan.index}: spend it`,
    criteria: [],
    workspace: { path: await world.workspace({}) },
    budget: plan.budget,
    policy: { continuation: UNCAPPED },
  });
  const goal = await world.until(
    goalId,
    ({ status, activity }) => status !== 'active' && activity.state === 'idle',
    PATIENCE_MS,
  );
  return auditGoal(world.database, plan, goal, provider.delivered(plan.index));
}
