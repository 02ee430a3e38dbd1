import type { CommandCriterion } from '../../schema/criteria.ts';
import type { ProofInputs } from '../../schema/ledger.ts';
import type { Attempt } from '../attempt/attempt.ts';
import type { Lent } from '../contract/effects.ts';
import type { GoalBrief } from '../contract/goal-brief.ts';
import { ruledWorkspace } from '../workspace/ruled-workspace.ts';
import type { WorkspaceWatch } from '../workspace/watch.ts';
import type { EvidencePorts } from './evidence-ports.ts';
import { type CheckRun, runCheck } from './run-check.ts';

/** What a command of the host is run and noted with. */
export interface HostRunPorts extends Pick<EvidencePorts, 'home' | 'seeds' | 'workspaceRules'> {
  readonly journal: Pick<EvidencePorts['journal'], 'startCall' | 'settleCall'>;
  readonly proofs: Pick<EvidencePorts['proofs'], 'baselines'>;
  /** Absent where nothing sealed is at hand, as where an exported proof is repeated. */
  readonly sealed?: EvidencePorts['sealed'];
}

/** The context of commands that the host runs itself, at the baseline, at the gate and for a dispute. */
export interface HostRun {
  readonly ports: HostRunPorts;
  readonly attempt: Attempt;
  readonly workspace: string;
  /** Workspace whose rules apply. */
  readonly workspaceName: string;
  readonly turn: number;
  readonly origin: 'gate' | 'baseline' | 'dispute';
  /** Begins the ledger id of every run, so that no two looks share one. */
  readonly prefix: string;
  readonly watch?: WorkspaceWatch;
  /** Of a proof run: what it was given. */
  readonly proof?: ProofInputs;
  readonly signal: AbortSignal;
}

interface Work extends Pick<HostRun, 'ports' | 'attempt' | 'signal'> {
  readonly brief: Pick<GoalBrief, 'workspace'>;
  readonly input: Pick<HostRun, 'turn'>;
}

/** @param prefix see `HostRun` */
export const hostRunIn = (
  { ports, attempt, brief: { workspace }, input: { turn }, signal }: Work,
  origin: HostRun['origin'],
  prefix: string,
): HostRun => ({
  ...{ ports, attempt, turn, origin, prefix, signal },
  ...{ workspace: workspace.path, workspaceName: ruledWorkspace(workspace) },
});

export interface HostCommand {
  readonly criterionId: string;
  /** Tells the runs of one criterion apart. */
  readonly label?: string;
  readonly spec: CommandCriterion;
  readonly checkout?: string;
  readonly lent?: readonly Lent[];
  /** See `Check`, as for what follows. */
  readonly home?: string;
  readonly plain?: CheckRun;
  readonly isSetup?: boolean;
  readonly endsAfterTests?: boolean;
}

/** Throws where it was not to run any more: then its outcome says nothing. */
export async function runAsHost(
  host: HostRun,
  { label, ...command }: HostCommand,
): Promise<CheckRun> {
  const { ports, attempt, workspace, turn, origin, prefix, watch, proof, signal } = host;
  const callId = [prefix, command.criterionId, label]
    .filter((part) => part !== undefined)
    .join('.');
  const watched = watch === undefined ? {} : { watch };
  const given = proof === undefined ? {} : { proof };
  const check = { ...command, origin, callId, turn, ...watched, ...given };
  const ran = await runCheck(ports, attempt, workspace, check, signal);
  signal.throwIfAborted();
  return ran;
}
