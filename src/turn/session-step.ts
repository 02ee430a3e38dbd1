import type { SaidCall } from '../agents/update-log.ts';
import { elapsedMs } from '../attempt/elapsed.ts';
import type { ReportedCall, SessionReport } from '../contract/session-report.ts';
import type { SliceStop } from '../contract/slice-stop.ts';
import { type AgentLedger, isOfAgent, openAgentLedger } from './agent-calls.ts';
import { NO_USAGE } from './agent-step.ts';
import { checkpointBeforeWrite } from './checkpoint.ts';
import { hasKilledEnough, isOutOfPlace, takeAmendments } from './model-step.ts';
import { takeSteering } from './request.ts';
import { beginLooking, lastLookOf } from './session-look.ts';
import type { SliceRun } from './slice-run.ts';

type End = Extract<SessionReport, { kind: 'end' }>;

/**
 * A turn of an external goal is worked on by a person's own session. The slice that opens it only
 * looks at the workspace; the one after the session has stopped journals what the session told, as
 * its own word, and what changed, as the host sees it. Then the turn is judged like any other.
 */
export async function takeSessionStep(run: SliceRun): Promise<SliceStop | null> {
  if (run.kind === 'wrap_up') return { end: 'turn_cap', detail: 'a session is given no last turn' };
  await run.baseline;
  await checkpointBeforeWrite(run);
  // A person let its work stand: the gate looks again, and nobody has to say anything.
  if (run.input.claim != null) return yields(run);
  const { journal } = run.ports;
  const reports = await journal.sessionReports(run.input.goalId, run.input.turn);
  const end = reports.find((report): report is End => report.kind === 'end');
  if (end === undefined) {
    await beginLooking(run);
    return { end: 'session' };
  }
  const stop = hasKilledEnough(run) ?? (await begin(run));
  if (stop !== null) return stop;
  run.step += 1;
  await record(run, reports);
  await commit(run, end.body.text);
  return yields(run);
}

function yields(run: SliceRun): null {
  run.finishReason = 'stop';
  run.hasYielded = true;
  return null;
}

const MODEL = 'agent/external';

const placeOf = (run: SliceRun, step: number) =>
  ({ turn: run.input.turn, kind: 'turn', step, attempt: run.failedAttempts + 1 }) as const;

async function begin(run: SliceRun): Promise<SliceStop | null> {
  for (;;) {
    if (isOutOfPlace(run)) return { end: 'interrupted' };
    const hasBegun = await run.ports.journal.beginStep(run.attempt.fence, {
      ...placeOf(run, run.step + 1),
      ...{ model: MODEL, estimatedInput: 0, reservedOutput: 0, ifLost: NO_USAGE },
      revision: run.brief.revision,
      tellsAll: false,
    });
    if (hasBegun) return null;
    await takeSteering(run);
    if ((await takeAmendments(run)) === 'other_mode') return { end: 'slice_cap' };
  }
}

/** An attempt that died may have recorded the first of them. */
async function record(run: SliceRun, reports: readonly SessionReport[]): Promise<void> {
  const known = run.started.filter((row) => isOfAgent(row) && row.tool.startsWith('agent.'));
  const look = await lastLookOf(run);
  const ledger = await openAgentLedger(run, run.failedAttempts + 1, look);
  const calls = reports.flatMap((report) => (report.kind === 'call' ? [report.body] : []));
  for (const [index, call] of calls.slice(known.length).entries()) tell(ledger, index, call);
  await ledger.close();
  await ledger.observe('last');
}

function tell(ledger: AgentLedger, index: number, { isError, ...call }: ReportedCall): void {
  const said: SaidCall = { id: `${index}`, status: isError ? 'failed' : 'completed', ...call };
  ledger.said(said);
}

async function commit(run: SliceRun, text: string): Promise<void> {
  const { step, messages, input } = run;
  const content = { text, calls: [] };
  await run.ports.journal.commitStep(run.attempt.fence, {
    ...placeOf(run, step),
    finishReason: 'stop',
    content,
    usage: NO_USAGE,
    activeMs: elapsedMs(run),
  });
  run.stepsInSlice += 1;
  run.failedAttempts = 0;
  run.lostAttempts = 0;
  const { seq } = messages.at(-1) ?? { seq: 0 };
  messages.push({ seq: seq + 1, turn: input.turn, step, voice: 'model', content });
}
