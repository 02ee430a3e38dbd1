import { unmaskedInput } from '../attempt/secrets.ts';
import type { CriterionEvidence } from '../contract/evidence.ts';
import { type GateRun, hostRunOf } from './criterion-check.ts';
import { runAsHost } from './host-run.ts';

/** Id in `missing` of the command that the claim itself names. */
const CLAIM = 'claim';
const TIMEOUT_SECONDS = 120;

/**
 * Runs the command that the claim names as what shows it (C18). It can refuse the claim and never
 * prove it: the model chose it. Null when the turn ended without one, or in a mode without commands.
 */
export async function checkClaimedCommand(gate: GateRun): Promise<CriterionEvidence | null> {
  const command = gate.brief.mode === 'agent' ? await claimedCommand(gate) : null;
  if (command === null || isRerunAnyway(gate, command)) return null;
  const expectExit = expectedExit(gate, command);
  const spec = { kind: 'command' as const, command, expectExit, timeoutSeconds: TIMEOUT_SECONDS };
  const run = await runAsHost(hostRunOf(gate), { criterionId: CLAIM, spec });
  return {
    criterionId: CLAIM,
    state: run.isMet ? 'met' : 'unmet',
    baseline: 'met',
    isHostChecked: false,
    reason: `\`${command}\`, which the claim names, ${run.reason}`,
    remedy: 'repair what it shows, or claim again with a command that shows the result.',
    receipts: [run.row.seq],
  };
}

/** True when a criterion of this gate runs the same command anyway. */
function isRerunAnyway({ brief }: GateRun, command: string): boolean {
  return brief.criteria.some(
    ({ spec }) =>
      spec.kind === 'command' &&
      (spec.check ?? 'rerun') === 'rerun' &&
      spec.cwd === undefined &&
      spec.command.trim() === command.trim(),
  );
}

async function claimedCommand({ ports, input }: GateRun): Promise<string | null> {
  const { steps } = await ports.journal.turn(input.goalId, input.turn);
  const calls = steps.flatMap((step) => step.calls);
  const claim = calls.findLast(({ tool }) => tool === 'attempt_completion');
  if (claim === undefined) return null;
  const given = unmaskedInput(ports.secrets, input.goalId, claim);
  if (given === null) return null;
  const parsed = await ports.tools.parse(claim.tool, given);
  return parsed.ok ? ((parsed.args as { command?: string }).command ?? null) : null;
}

/**
 * Exit code that the model declared when it ran the command: a search that must find nothing fails
 * rightly (C4).
 */
function expectedExit({ receipts }: GateRun, command: string): number {
  const run = receipts.findLast(
    ({ tool, receipt }) => tool === 'run_command' && receipt?.command?.trim() === command.trim(),
  );
  const isExpected = run?.outcome === 'succeeded' && run.receipt?.expectFailure === true;
  return isExpected ? (run.receipt?.exitCode ?? 0) : 0;
}
