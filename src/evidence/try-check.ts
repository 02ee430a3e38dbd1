import type { Criterion } from '../../schema/criteria.ts';
import type { CheckResult } from '../../schema/estimate.ts';
import type { CheckLoan } from '../contract/check-loans.ts';
import { CHECK_SECONDS, type CheckOrder } from '../contract/check-order.ts';
import { Refusal } from '../contract/failures.ts';
import { judgeTool } from '../policy/tool-policy.ts';
import { loadShellParser } from '../shell/read/parse.ts';
import { baselineState, lookAtBaseline } from './baseline-look.ts';
import { runCriterion } from './command-run.ts';
import type { EvidencePorts } from './evidence-ports.ts';
import type { HostRun } from './host-run.ts';
import { unrecorded } from './unrecorded.ts';

/** Most bytes of output: a workflow's payload holds them with the text around. */
const SHOWN_BYTES = 5000;
const REASON_CHARACTERS = 1200;

/**
 * Checks a criterion once, as a baseline does, without recording it. A command holds the
 * workspace's lease meanwhile.
 */
export async function tryCheck(
  ports: EvidencePorts,
  order: CheckOrder,
  signal: AbortSignal,
): Promise<CheckResult> {
  const path = await ports.checks.pathOf(order.workspace, ports.host);
  await assertAllowed(ports, order, path);
  const look = (host: HostRun) => lookAt(host, order.criterion);
  if (!runsCommands(order.criterion)) return look(hostRun(ports, order, path, signal));
  const { checkId, workspace } = order;
  const loan = { checkId, workspace, host: ports.host, workerId: ports.workerId };
  await ports.checks.take(loan);
  return withLoan(ports, loan, () => look(hostRun(ports, order, path, signal, loan)));
}

const runsCommands = ({ kind }: Criterion): boolean => kind === 'command' || kind === 'diagnostics';

/** Releases the loan in any case; if Postgres is away, the reconciler does it. */
async function withLoan<Result>(
  { checks }: EvidencePorts,
  loan: CheckLoan,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } finally {
    await checks.giveBack(loan).catch(() => {});
  }
}

/** The rules of host and workspace also apply to a person's check. */
async function assertAllowed(
  ports: EvidencePorts,
  { workspace, criterion }: CheckOrder,
  path: string,
): Promise<void> {
  if (criterion.kind !== 'command') return;
  const { rules = [], problem = null } = ports.workspaceRules?.(workspace) ?? {};
  const all = { goal: [], workspace: rules, unreadable: problem, service: ports.toolRules ?? [] };
  const parse = await loadShellParser();
  for (const command of [criterion.setup, criterion.command]) {
    if (command === undefined) continue;
    const call = { tool: 'run_command', isSpeaking: false, command, paths: [], workspace: path };
    const { decision, rule } = judgeTool(call, all, parse);
    if (decision !== 'deny') continue;
    const field = 'criterion.command';
    throw new Refusal('forbidden', `The policy forbids it: ${rule}`, { field });
  }
}

function hostRun(
  ports: EvidencePorts,
  order: CheckOrder,
  workspace: string,
  signal: AbortSignal,
  loan?: CheckLoan,
): HostRun {
  const { checkId, network } = order;
  const goalId = `check-${checkId}`;
  const fence = { goalId, epoch: 0, token: 1 };
  const effects = ports.startEffects(
    async (helper) => {
      if (loan !== undefined) await ports.checks.recordHelper(loan, helper);
    },
    async () => ({ goalId, workspace, network }),
  );
  return {
    ports: { ...ports, journal: { ...ports.journal, ...unrecorded() } },
    attempt: { fence, effects },
    workspace,
    workspaceName: order.workspace,
    turn: 0,
    origin: 'baseline',
    prefix: goalId,
    signal: AbortSignal.any([signal, AbortSignal.timeout(CHECK_SECONDS * 1000)]),
  };
}

async function lookAt(host: HostRun, spec: Criterion): Promise<CheckResult> {
  const { effects } = host.attempt;
  const from = performance.now();
  try {
    const found = spec.kind === 'command' ? await run(host, bounded(spec)) : await see(host, spec);
    const durationMs = Math.round(performance.now() - from);
    return { ...found, reason: found.reason.slice(0, REASON_CHARACTERS), durationMs };
  } finally {
    await effects.close();
  }
}

type CheckOutcome = Omit<CheckResult, 'durationMs'>;
type Command = Extract<Criterion, { kind: 'command' }>;

/** Limits a check to one try, because a caller waits for the answer. */
function bounded(spec: Command): Command {
  const { attempts: _, ...once } = spec;
  return { ...once, timeoutSeconds: Math.min(spec.timeoutSeconds ?? CHECK_SECONDS, CHECK_SECONDS) };
}

async function run(host: HostRun, spec: Command): Promise<CheckOutcome> {
  const { last, reason } = await runCriterion(host, { criterionId: 'c', spec });
  const bytes = Buffer.from(last.output);
  const isCut = bytes.byteLength > SHOWN_BYTES;
  const shown = isCut ? bytes.subarray(bytes.byteLength - SHOWN_BYTES) : bytes;
  return {
    state: baselineState(last),
    // The output is shown beside it.
    reason: reason.split('\nIts output ends with:')[0] ?? reason,
    exitCode: last.exitCode,
    // Drops a character that the cut broke.
    output: shown.toString('utf8').replace(/^\uFFFD+/, ''),
    isCut,
    isolation: last.row.receipt?.isolation ?? null,
  };
}

async function see(host: HostRun, spec: Exclude<Criterion, Command>): Promise<CheckOutcome> {
  const { state, reason } = await lookAtBaseline(host, { criterionId: 'c', spec });
  return { state, reason, exitCode: null, output: '', isCut: false, isolation: null };
}
