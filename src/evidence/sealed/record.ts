import type { LedgerRow } from '../../../schema/ledger.ts';
import { TooLarge } from '../../checkpoints/look.ts';
import { StoreFailed } from '../../checkpoints/store-git.ts';
import type { EvidencePorts } from '../evidence-ports.ts';
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
  const outcome = await judge().catch(withoutPath);
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
  await sealedOf({ ports }).keepRun(fence, hint === null ? run : { ...run, hint });
  return { ...outcome, receipt };
}

export function sealedOf({ ports }: Pick<HostRun, 'ports'>): EvidencePorts['sealed'] {
  if (ports.sealed === undefined) throw new Error('nothing sealed is at hand here');
  return ports.sealed;
}

/** An error of the file system or of git names sealed files, and would be told as the gate's own. */
function withoutPath(error: unknown): SealedOutcome {
  const isAboutFiles = error instanceof StoreFailed || error instanceof TooLarge;
  const { code } = error as NodeJS.ErrnoException;
  if (!isAboutFiles && !/^E[A-Z]+$/.test(code ?? '')) throw error;
  const reason = `its files could not be laid out: ${(error as Error).message}`;
  return { state: 'not_run', reason, hint: null, report: null, runs: [] };
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
