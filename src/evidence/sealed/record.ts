import type { LedgerRow } from '../../../schema/ledger.ts';
import type { HostRun } from '../host-run.ts';
import type { SealedOutcome, SealedSubject } from './run.ts';

/** Ledger name of a judging; its row says who was judged and whether it is met, and nothing else. */
export const SEALED_TOOL = 'check.sealed';

type Judging = Pick<HostRun, 'ports' | 'attempt' | 'turn' | 'prefix'> & {
  readonly origin: 'gate' | 'baseline';
};

/** @param judge runs it; what it returns is kept for people, encrypted */
export async function recorded(
  { ports, attempt, turn, prefix, origin }: Judging,
  { criterionId, spec }: SealedSubject,
  inputs: string,
  judge: () => Promise<SealedOutcome>,
): Promise<SealedOutcome & { readonly receipt: number }> {
  const { fence } = attempt;
  const callId = `${prefix}.sealed.${criterionId}`;
  const call = { callId, turn, step: 0, tool: SEALED_TOOL, effect: 'read' as const };
  await ports.journal.startCall(fence, { ...call, arguments: { criterionId } });
  const outcome = await judge();
  const { seq: receipt } = await ports.journal.settleCall(fence, {
    ...call,
    outcome: outcome.state === 'met' ? 'succeeded' : 'failed',
    receipt: {
      reason: outcome.state,
      ...{ origin, criterionId },
      ...(spec.checks === 'command' && outcome.runs.length > 0 && { isolation: 'full' as const }),
    },
    text: '',
    providerId: null,
    wrote: false,
  });
  const { hint, ...shown } = outcome;
  const { sealedId } = spec;
  const run = { ...shown, ...{ sealedId, criterionId, origin, turn, receipt, inputs } };
  await ports.sealed.keepRun(fence, hint === null ? run : { ...run, hint });
  return { ...outcome, receipt };
}

/** Trees that this criterion judged in this goal. */
export const timesJudged = (rows: readonly LedgerRow[], criterionId: string): number =>
  rows.filter(
    ({ tool, receipt }) =>
      tool === SEALED_TOOL &&
      receipt?.origin === 'gate' &&
      receipt.criterionId === criterionId &&
      receipt.reason !== 'not_run',
  ).length;
