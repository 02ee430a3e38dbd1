import type { GoalProof } from '../../schema/goal-proof.ts';
import type { PolicyInput } from '../../schema/policy.ts';
import type { ShownChange } from '../../schema/proof-change.ts';
import type { GoalBrief } from '../../src/contract/goal-brief.ts';
import type { ProofFinding } from '../../src/contract/proofs.ts';
import { resolvePolicy } from '../../src/goal/defaults.ts';
import { testBox } from '../sandbox/support.ts';
import { openGround } from './gate-ground.ts';

export interface Setting {
  /** With a sandbox, as in use. */
  readonly isBoxed?: boolean;
  readonly command?: string;
  readonly change?: readonly string[];
  readonly policy?: PolicyInput;
  readonly setup?: readonly string[];
}

/** A goal over a real folder, whose setups and proofs are kept in memory. */
export async function openSetupGoal(
  workspace: string,
  { policy, setup, isBoxed = false, command = 'true', change = ['src/**'] }: Setting,
) {
  const kept: ShownChange[] = [];
  const proven: GoalProof[] = [];
  const proofs = {
    baselines: async () => [],
    keepBaselines: async () => {},
    finishedGoals: async () => [],
    keepFinding: async (_: unknown, __: number, { changes, proof }: ProofFinding) => {
      kept.push(...changes);
      if (proof !== null) proven.push(proof);
    },
  };
  const own: Partial<GoalBrief> = {
    scope: { change: [...change] },
    policy: resolvePolicy(policy),
    ...(setup && { setup }),
  };
  const ports = { proofs, ...(isBoxed && { startEffects: await boxedEffects(workspace) }) };
  const ground = openGround(workspace, [{ kind: 'command', command }], ports as never, own);
  const setups = () => ground.rows.filter(({ tool }) => tool === 'check.setup');
  return { ...ground, kept, proven, setups };
}

/** One helper for all attempts of a goal. */
async function boxedEffects(workspace: string) {
  const { effects } = await testBox({ workspace, home: `${workspace}-home` });
  const runCommand: typeof effects.runCommand = (command) => effects.runCommand(command);
  return () => ({ runCommand, close: async () => {} });
}
