import { RecordAltered } from '../contract/failures.ts';
import type { GoalBrief } from '../contract/goal-brief.ts';
import type { Execution } from '../contract/record.ts';
import type { WaitEnd } from '../contract/wake-request.ts';
import { lookAtFile } from '../evidence/look-at-file.ts';
import { addressRules } from '../net/addresses.ts';
import { judgeCall } from '../turn/judge-call.ts';
import type { TurnPorts } from '../turn/turn-ports.ts';
import { PathRefused, resolveInside } from '../workspace/paths.ts';
import { lookAtUrl } from './look-at-url.ts';
import { lookByCommand } from './look-by-command.ts';
import type { WaitCheck, WaitCheckInput } from './looking.ts';

const LONGEST_SEEN = 1500;

/**
 * One look, kept with the election; null = it doesn't hold yet, or nothing waits any more. A stop
 * of the goal ends the look at once, as it ends a slice.
 */
export async function lookForWait(
  ports: TurnPorts,
  execution: Execution,
  activitySignal: AbortSignal,
  scheduledAt: number,
): Promise<WaitEnd | null> {
  const entry = ports.running.enter(execution.goalId, activitySignal);
  try {
    return await lookUnder(ports, execution, entry.signal, scheduledAt);
  } finally {
    entry.leave();
  }
}

async function lookUnder(
  ports: TurnPorts,
  execution: Execution,
  signal: AbortSignal,
  scheduledAt: number,
): Promise<WaitEnd | null> {
  const brief = await briefOf(ports, execution);
  if (brief === 'altered') return 'refused';
  const { election } = brief;
  if (election?.state !== 'waiting') return null;
  const look = await lookAt({ ports, execution, brief, election, signal, scheduledAt });
  // The aborted look saw nothing, and the change that aborted it also changed what is waited for.
  if (signal.aborted && !look.holds) return null;
  const seen = look.seen.slice(0, LONGEST_SEEN);
  const isWaiting = await ports.journal.countLook(execution, election, seen);
  if (!isWaiting) return null;
  if (look.isRefused) return 'refused';
  return look.holds ? 'met' : null;
}

/** The turn that follows says why nothing is done by a row that nobody vouches for. */
async function briefOf(
  { journal }: TurnPorts,
  { goalId }: Execution,
): Promise<GoalBrief | 'altered'> {
  try {
    return await journal.brief(goalId);
  } catch (error) {
    if (error instanceof RecordAltered) return 'altered';
    throw error;
  }
}

async function lookAt(looking: WaitCheckInput): Promise<WaitCheck> {
  const { ports, brief, election, signal } = looking;
  const forbidden = await forbiddenBy(looking);
  if (forbidden !== null) return { holds: false, seen: forbidden, isRefused: true };
  const { command, file, url, event } = election.spec;
  if (typeof command === 'string') return lookByCommand(looking, command);
  if (typeof file === 'string') return lookForFile(brief.workspace.path, file);
  if (typeof event === 'string') return lookForEvent(looking, event);
  if (typeof url !== 'string') throw new TypeError(`${brief.goalId} waits for nothing`);
  return lookAtUrl(url, { addresses: ports.addresses ?? addressRules([]), signal });
}

/** Rules may be stricter since the model asked. Approval is not asked for again. */
async function forbiddenBy({ ports, brief, election }: WaitCheckInput): Promise<string | null> {
  const tool = ports.tools.find(election.tool);
  if (tool === undefined) return null;
  const { decision, rule } = await judgeCall({ ports, brief }, tool, election.spec);
  return decision === 'deny' ? `the policy forbids it by now: ${rule}` : null;
}

/** What came is told by the commit that ends the wait, so a look that is lost loses nothing. */
async function lookForEvent({ ports, brief }: WaitCheckInput, event: string): Promise<WaitCheck> {
  const { heard, isBrought } = await ports.journal.heardEvents(brief.goalId, event);
  if (heard > 0) return { holds: true, seen: heard === 1 ? 'it came' : `it came ${heard} times` };
  const seen = isBrought ? 'it has not come' : `it has not come, and no trigger brings ${event}`;
  return { holds: false, seen };
}

async function lookForFile(workspace: string, path: string): Promise<WaitCheck> {
  try {
    await resolveInside(workspace, path);
  } catch (error) {
    if (!(error instanceof PathRefused)) throw error;
    return { holds: false, seen: error.message, isRefused: true };
  }
  const spec = { kind: 'file', path, exists: true } as const;
  const { holds, reason } = await lookAtFile(workspace, spec, undefined);
  return { holds, seen: reason };
}
