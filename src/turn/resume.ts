import type { LedgerRow } from '../../schema/ledger.ts';
import type { Attempt } from '../attempt/attempt.ts';
import { lostAtEnd } from '../attempt/lost-calls.ts';
import { emptyTally, type Tally, tallyCall } from '../attempt/tally.ts';
import type { SliceInput } from '../contract/activities.ts';
import type { RequestedCall } from '../contract/conversation.ts';
import type { JournaledStep, TurnRecord } from '../contract/journal.ts';
import type { SliceStop } from '../contract/slice-stop.ts';
import type { TurnKind } from '../contract/turn-facts.ts';
import { startBaseline } from '../evidence/baseline.ts';
import { hasEnded } from '../reply/text-call.ts';
import { closeAgentCalls, isOfAgent, tallyAgentCall } from './agent-calls.ts';
import { closeLeftOpen } from './asked-calls.ts';
import { charge, type SliceRun } from './slice-run.ts';
import type { TurnPorts } from './turn-ports.ts';

interface Opened {
  readonly ports: TurnPorts;
  readonly attempt: Attempt;
  readonly input: SliceInput;
  readonly kind: TurnKind;
  readonly signal: AbortSignal;
  readonly startedAt: number;
}

/** Rebuilds the slice's memory from the journal and closes what earlier attempts left open. */
export async function resumeTurn(opened: Opened): Promise<SliceRun> {
  const asks = await closeEarlierTurns(opened);
  const run = await rebuild(opened);
  return { ...run, asks, baseline: startBaseline(run) };
}

/**
 * Closes earlier turns: a turn that a person ended while its worker was dead was settled without
 * it. Its open calls are charged and reported before the next model call; none of them runs.
 */
async function closeEarlierTurns(opened: Opened): Promise<SliceStop | null> {
  const { goalId, turn: present } = opened.input;
  for (let turn = present - 1; turn > 0; turn -= 1) {
    const record = await opened.ports.journal.turn(goalId, turn);
    if (isLeftOpen(record)) {
      const left = await rebuild({ ...opened, input: { ...opened.input, turn } });
      return await closeLeftOpen(left, opened.kind);
    }
    // The attempt that took this turn's first step had closed earlier turns before.
    if (record.steps.length > 0) return null;
  }
  return null;
}

function isLeftOpen({ steps, settled }: TurnRecord): boolean {
  const last = steps.findLast(isAnswered);
  const isSettled = ({ callId }: RequestedCall) => settled.some((row) => row.callId === callId);
  return steps.some(({ state }) => state === 'sent') || !(last?.calls ?? []).every(isSettled);
}

/** Calls of a gate or a compaction request no tools. */
const isAnswered = ({ state, kind }: JournaledStep): boolean =>
  state === 'committed' && kind === 'turn';

async function rebuild(opened: Opened): Promise<SliceRun> {
  const { journal } = opened.ports;
  const { goalId, turn } = opened.input;
  const [brief, record, conversation] = await Promise.all([
    journal.brief(goalId),
    journal.turn(goalId, turn),
    journal.conversation(goalId),
  ]);
  const committed = record.steps.findLast(isAnswered);
  const settled = new Set(record.settled.map((row) => row.callId));
  const step = committed?.step ?? 0;
  const tries = record.steps.filter((row) => row.kind === 'turn' && row.step === step + 1);
  const run: SliceRun = {
    ...opened,
    brief,
    openedAt: brief.revision,
    compaction: conversation.compaction,
    lostAttempts: lostAtEnd(tries),
    hasPaidInVain: tries.some((row) => row.isPaidFailure),
    sleptMs: 0,
    tally: tallyOf(opened.ports, record),
    messages: [...conversation.messages],
    contents: new Map(),
    started: record.started,
    baseline: Promise.resolve(),
    asks: null,
    checkpoint: brief.checkpoint ?? null,
    isCheckpointed: false,
    isBehind: false,
    usage: brief.usage,
    todos: brief.todos,
    plan: brief.plan,
    writeSeq: brief.workspace.writeSeq,
    step,
    stepsInSlice: 0,
    failedAttempts: Math.max(0, ...tries.map(({ attempt }) => attempt)),
    protocolErrors: 0,
    finishReason: committed?.finishReason ?? 'absent',
    begun: null,
    owed: null,
    hasYielded: committed !== undefined && hasEnded(committed.calls),
    pending: committed?.calls.filter((call) => !settled.has(call.callId)) ?? [],
  };
  await chargeLostSteps(run, record);
  await closeAgentCalls(run, record);
  return run;
}

/** Charges the estimate of calls that were sent without a stored answer. */
async function chargeLostSteps(run: SliceRun, record: TurnRecord): Promise<void> {
  for (const lost of record.steps.filter((step) => step.state === 'sent')) {
    const { kind, step, attempt, ifLost: usage } = lost;
    const { turn } = run.input;
    await run.ports.journal.loseStep(run.attempt.fence, { turn, kind, step, attempt, usage });
    charge(run, usage);
  }
}

function tallyOf(ports: TurnPorts, record: TurnRecord): Tally {
  const tally = emptyTally();
  const calls = new Map<string, RequestedCall>();
  for (const call of record.steps.flatMap((step) => step.calls)) calls.set(call.callId, call);
  for (const row of record.settled) tallyRow(ports, tally, row, calls.get(row.callId));
  return tally;
}

function tallyRow(
  ports: TurnPorts,
  tally: Tally,
  row: LedgerRow,
  call: RequestedCall | undefined,
): void {
  if (isOfAgent(row)) tallyAgentCall(tally, row);
  if (call === undefined || row.outcome === undefined) return;
  const tool = ports.tools.find(row.tool);
  tallyCall(tally, {
    tool: row.tool,
    input: call.input,
    outcome: row.outcome,
    receipt: row.receipt ?? {},
    isLifecycle: tool?.isLifecycle === true,
    isPlanned: tool?.plan !== undefined,
  });
}
