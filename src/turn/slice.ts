import { type Attempt, openAttempt } from '../attempt/attempt.ts';
import { elapsedMs } from '../attempt/elapsed.ts';
import { spendTrouble } from '../attempt/spend-trouble.ts';
import { finishRewind } from '../checkpoints/finish-rewind.ts';
import type { SliceInput, SliceResult } from '../contract/activities.ts';
import { Closed, RecordAltered } from '../contract/failures.ts';
import type { GoalBrief } from '../contract/goal-brief.ts';
import type { OpenTurn } from '../contract/journal.ts';
import type { SliceStop } from '../contract/slice-stop.ts';
import { SpendRefused } from '../contract/spend.ts';
import type { TurnKind } from '../contract/turn-facts.ts';
import { ensureBaseline } from '../evidence/baseline.ts';
import { emptyTurnFacts } from '../goal/decision/empty-turn-facts.ts';
import { waitingJournal } from '../store/journal/retrying-journal.ts';
import { ensureWorktree, handOverBranch } from '../worktrees/ensure.ts';
import { takeAgentStep } from './agent-step.ts';
import { checkpointAfterTurn } from './checkpoint.ts';
import { isOutOfPlace, takeModelStep } from './model-step.ts';
import { resumeTurn } from './resume.ts';
import { runPendingCalls } from './run-calls.ts';
import { takeSessionStep } from './session-step.ts';
import { gatherFacts } from './slice-facts.ts';
import { type SliceRun, settleOwed, stopped } from './slice-run.ts';
import type { TurnPorts } from './turn-ports.ts';
import { hostTextFor } from './turn-text.ts';

/**
 * One slice of a turn: takes the goal over, resumes behind the last journaled step, and goes on
 * until the model yields, a rule inside of the turn ends it, a cap is reached or somebody stops
 * it. Killed anywhere, its retry goes on from the journal.
 * @throws Superseded when another run, attempt or epoch holds the goal
 */
export async function runSlice(
  given: TurnPorts,
  input: SliceInput,
  activitySignal: AbortSignal,
  scheduledAt: number,
): Promise<SliceResult> {
  const entry = given.running.enter(input.goalId, activitySignal);
  const over = AbortSignal.any([entry.signal, given.stopping]);
  const ports = { ...given, journal: waitingJournal(given.journal, over) };
  try {
    const attempt = await openAttempt(ports, input, scheduledAt);
    const slice = await sliceUnder(ports, input, attempt, entry.signal)
      .catch((error: unknown) => endOfAltered(input, error))
      .finally(() => attempt.effects.close());
    return await settled(ports, input, attempt, slice);
  } finally {
    entry.leave();
  }
}

/** Settles the turn with the end of its slice, where that takes nothing more. */
async function settled(
  { record }: TurnPorts,
  input: SliceInput,
  { fence }: Attempt,
  { facts, usage }: SliceResult,
): Promise<SliceResult> {
  if (usage === null) return { facts, usage };
  const done = await record.settleSlice(input, fence, { facts, usage });
  return done === null ? { facts, usage } : { facts, usage, settled: done.state };
}

async function sliceUnder(
  ports: TurnPorts,
  input: SliceInput,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<SliceResult> {
  const { journal } = ports;
  const { fence } = attempt;
  const startedAt = ports.clock();
  const before = await briefWithTree(ports, attempt, input.goalId);
  if ('problem' in before) {
    const facts = emptyTurnFacts(input.turn, input.kind, before.mode, 'tool_error_cap');
    return { facts: { ...facts, detail: before.problem }, usage: before.usage };
  }
  let run: SliceRun | null = null;
  try {
    // A delegate that only reads needs no lease: it may run while its parent works.
    const isReader = before.mode === 'gather' && before.criteria.length === 0;
    if (!isReader && !(await journal.leaseWorkspace(fence, before.workspace.name))) {
      const facts = emptyTurnFacts(input.turn, input.kind, before.mode, 'workspace_busy');
      return { facts: { ...facts, detail: before.workspace.name }, usage: before.usage };
    }
    if (before.isRewinding === true) await finishRewind(ports, input.goalId, attempt);
    const opened = openTurnOf(before, input);
    const kind = await journal.openTurn(fence, opened);
    const trusting = await withTrustedTools(ports, before);
    run = await resumeTurn({ ports: trusting, attempt, input, kind, signal, startedAt });
    const stop = run.asks ?? recheck(run) ?? (await go(run));
    return await closeSlice(run, stop);
  } catch (error) {
    if (error instanceof RecordAltered && run !== null)
      return await closeSlice(run, altered(error));
    if (error instanceof SpendRefused && run !== null)
      return await closeSlice(run, refusedBySpend(error));
    if (!(error instanceof Closed)) throw error;
    if (run !== null) return await closeSlice(run, { end: 'interrupted' });
    const facts = emptyTurnFacts(input.turn, input.kind, before.mode, 'interrupted');
    return { facts, usage: before.usage };
  }
}

type Briefed = GoalBrief | (GoalBrief & { readonly problem: string });

const altered = ({ message }: RecordAltered) =>
  ({ end: 'record_altered', detail: message }) satisfies SliceStop;

function refusedBySpend(error: SpendRefused): SliceStop {
  const provider = spendTrouble(error);
  return { end: 'provider_error', provider, detail: provider.message };
}

/** The turn ended before it began: nothing is done by a row that nobody vouches for. */
function endOfAltered({ turn, kind }: SliceInput, error: unknown): SliceResult {
  if (!(error instanceof RecordAltered)) throw error;
  const { end, detail } = altered(error);
  return { facts: { ...emptyTurnFacts(turn, kind, error.mode, end), detail }, usage: null };
}

/** Makes the goal's own worktree on the worker of its first turn. */
async function briefWithTree(
  ports: TurnPorts,
  { fence }: Attempt,
  goalId: string,
): Promise<Briefed> {
  const brief = await ports.journal.brief(goalId);
  if (!brief.workspace.origin) return brief;
  const problem = await ensureWorktree(ports, fence);
  if (brief.workspace.path !== '') return brief;
  return problem === null ? await ports.journal.brief(goalId) : { ...brief, problem };
}

/** The tools of MCP servers as they were trusted in the goal's workspace. */
async function withTrustedTools(
  ports: TurnPorts,
  { goalId, workspace }: GoalBrief,
): Promise<TurnPorts> {
  const { tools, toolPins } = ports;
  const offered = tools.offered();
  if (toolPins === undefined || offered.length === 0) return ports;
  const hashes = await toolPins.see(goalId, ownWorkspace(workspace), offered);
  return { ...ports, tools: tools.trusting(hashes) };
}

/** A worktree has the pins of the workspace that it was made from. */
const ownWorkspace = ({ name, origin }: GoalBrief['workspace']): string => origin ?? name;

function openTurnOf(brief: GoalBrief, { turn, kind, claim }: SliceInput): OpenTurn {
  if (claim) return { turn, kind, hostText: null, isRecheck: true };
  const hostText = hostTextFor(brief, kind, turn);
  const attached = kind === 'start' ? { attached: brief.attached } : {};
  return { turn, kind, hostText, ...attached, ...openTo(brief, kind) };
}

/**
 * A session hears an opening where that answers its stop, and nothing more until it stops again.
 * Where it was let go, nobody showed it one.
 */
function openTo(
  { isExternal, lastDecision, revision }: GoalBrief,
  kind: TurnKind,
): Pick<OpenTurn, 'keepsKind' | 'tells'> {
  if (isExternal !== true) return {};
  const isHeard = kind === 'start' || BLOCKS.includes(lastDecision?.action ?? '');
  return { keepsKind: true, ...(isHeard ? { tells: revision } : {}) };
}

const BLOCKS: readonly string[] = ['continue', 'nudge', 'refuse'];

/** A person let the claim stand: the gate checks again, unless somebody wrote meanwhile. */
function recheck({ input, kind, step }: SliceRun): SliceStop | null {
  const isSilent = kind === input.kind && step === 0;
  return input.claim && isSilent ? { end: 'claim', openCall: input.claim } : null;
}

async function go(run: SliceRun): Promise<SliceStop> {
  // A baseline failure surfaces at the first write, which awaits it; it must not turn a yield into
  // an error.
  run.baseline.catch(() => {});
  if (isOutOfPlace(run)) return { end: 'interrupted' };
  for (;;) {
    if (run.pending.length > 0) {
      const stop = await runPendingCalls(run);
      if (stop !== null) return stop;
    }
    const stop = yielded(run) ?? stopped(run) ?? capped(run) ?? (await takeStep(run));
    if (stop !== null) return stop;
  }
}

/** The next words: of the goal's own model, of the agent that works on it, or of a session. */
function takeStep(run: SliceRun): Promise<SliceStop | null> {
  const { agent, isExternal } = run.brief;
  if (isExternal === true) return takeSessionStep(run);
  return agent === undefined ? takeModelStep(run) : takeAgentStep(run, agent);
}

const yielded = (run: SliceRun): SliceStop | null => (run.hasYielded ? { end: 'yield' } : null);

/** Each change adds to the workflow's history, which is only reset between slices. */
const CHANGES_A_SLICE = 200;

export function capped(run: SliceRun): SliceStop | null {
  const { stepsPerTurn, stepsPerSlice, secondsPerSlice } = run.brief.policy.continuation;
  if (run.kind === 'wrap_up' && run.step >= 1) return { end: 'turn_cap', detail: 'one step' };
  const changes = run.brief.revision - run.openedAt;
  if (run.step >= stepsPerTurn) return { end: 'turn_cap', detail: `${stepsPerTurn} steps` };
  const isFull = run.stepsInSlice >= stepsPerSlice || elapsedMs(run) >= secondsPerSlice * 1000;
  return isFull || changes >= CHANGES_A_SLICE ? { end: 'slice_cap' } : null;
}

const GOES_ON: readonly SliceStop['end'][] = ['slice_cap', 'shutdown'];

async function closeSlice(run: SliceRun, stop: SliceStop): Promise<SliceResult> {
  await settleOwed(run);
  await ensureBaseline(run);
  await checkpointAfterTurn(run);
  if (run.brief.workspace.branch && !GOES_ON.includes(stop.end)) {
    await handOverBranch(run.ports, run.attempt.fence);
  }
  const spent = elapsedMs(run);
  await run.ports.journal.addActiveTime(run.attempt.fence, spent);
  const usage = { ...run.usage, activeSeconds: run.usage.activeSeconds + spent / 1000 };
  return { facts: await gatherFacts(run, stop, spent), usage };
}
