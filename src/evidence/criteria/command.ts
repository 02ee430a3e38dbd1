import { runCheck } from '../run-check.ts';
import type { CriterionCheck } from './criterion-check.ts';

export const checkCommand: CriterionCheck<'command'> = async (gate, { criterionId, spec }) => {
  const { ports, attempt, brief, input, round, signal } = gate;
  const callId = `gate.t${input.turn}.${attempt.fence.token}.${round}.${criterionId}`;
  const check = { criterionId, spec, origin: 'gate' as const, callId, turn: input.turn };
  const run = await runCheck(ports, attempt, brief.workspace.path, check, signal);
  gate.reports.set(criterionId, run.report);
  return {
    state: run.isMet ? 'met' : 'unmet',
    isHostChecked: true,
    reason: run.reason,
    receipts: [run.row.seq],
  };
};
