import type { PromptResponse } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import type { AgentSettings } from '../../schema/agents.ts';
import { AgentFault } from '../agents/agent-fault.ts';
import { serveGoalTools } from '../agents/goal-tools.ts';
import { type AgentEnd, runAgent } from '../agents/run-agent.ts';
import { askedCall, createUpdateLog, type UpdateLog } from '../agents/update-log.ts';
import { elapsedMs } from '../attempt/elapsed.ts';
import type { RequestedCall } from '../contract/conversation.ts';
import { CommandsRefused } from '../contract/failures.ts';
import type { AgentSession } from '../contract/goal-brief.ts';
import type { CallUsage } from '../contract/journal.ts';
import type { SliceStop } from '../contract/slice-stop.ts';
import type { FinishReason, LimitReached } from '../contract/turn-facts.ts';
import { findLimit } from '../goal/budget/budget.ts';
import { trouble } from '../model/errors.ts';
import { withoutMark } from '../model/host-mark.ts';
import { UnsetVariable } from '../process/with-variables.ts';
import { type AgentLedger, openAgentLedger } from './agent-calls.ts';
import { hostFor } from './agent-host.ts';
import { answerTo, judgePermission, openGrants } from './agent-permission.ts';
import { agentPrompts } from './agent-prompt.ts';
import { goalToolsFor } from './agent-tools.ts';
import { checkpointBeforeWrite } from './checkpoint.ts';
import { hasKilledEnough, isOutOfPlace, takeAmendments } from './model-step.ts';
import { takeSteering } from './request.ts';
import { charge, type SliceRun, stopped } from './slice-run.ts';

/** How long an agent may speak on after a call that ended its turn. */
const LAST_WORDS_MS = 20_000;

/**
 * A turn of an agent of the settings is one prompt, journaled as a step before and after. What it
 * says that it does stands in the ledger as its own word; what changed, the host sees for itself.
 */
export async function takeAgentStep(run: SliceRun, name: string): Promise<SliceStop | null> {
  const settings = run.ports.agents?.[name];
  if (settings === undefined) return away(name, `this worker's settings know no agent "${name}"`);
  if (run.kind === 'wrap_up') return { end: 'turn_cap', detail: `${name} is given no last turn` };
  await run.baseline;
  await checkpointBeforeWrite(run);
  const stop = hasKilledEnough(run) ?? (await begin(run, name));
  if (stop !== null) return stop;
  run.step += 1;
  return await work(run, name, settings);
}

/** What keeps the agent from being started is told like its own fault. */
function unstarted(error: unknown): AgentEnd {
  if (!(error instanceof CommandsRefused || error instanceof UnsetVariable)) throw error;
  return { answer: new AgentFault('not_started', error.message), ran: null };
}

async function begin(run: SliceRun, name: string): Promise<SliceStop | null> {
  for (;;) {
    if (isOutOfPlace(run)) return { end: 'interrupted' };
    const limit = limitOf(run);
    if (limit !== null) return { end: 'budget', limit };
    const { turn } = run.input;
    const place = {
      turn,
      kind: 'turn',
      step: run.step + 1,
      attempt: run.failedAttempts + 1,
    } as const;
    const hasBegun = await run.ports.journal.beginStep(run.attempt.fence, {
      ...place,
      model: `agent/${name}`,
      estimatedInput: 0,
      reservedOutput: 0,
      ifLost: NO_USAGE,
      // What a turn takes, the agent tells afterwards.
      mostUsd: '0',
      revision: run.brief.revision,
      tellsAll: !run.isBehind,
    });
    if (hasBegun) return null;
    await takeSteering(run);
    if ((await takeAmendments(run)) === 'other_mode') return { end: 'slice_cap' };
  }
}

export const NO_USAGE: CallUsage = {
  ...{ inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: '0' },
  ...{ isEstimated: false, pricesVersion: null },
};

function limitOf(run: SliceRun): LimitReached | null {
  const activeSeconds = run.usage.activeSeconds + elapsedMs(run) / 1000;
  const now = new Date(run.ports.now()).toISOString();
  // A turn that began may finish: `turns` is checked when it settles.
  return findLimit({ ...run.brief.budget, turns: null }, { ...run.usage, activeSeconds }, now);
}

/** No timer can be set for longer. */
const LONGEST_MS = 2 ** 31 - 1;

/** Aborts when the time that the budget leaves is over. */
function timeOf({ brief, usage, ...run }: SliceRun): AbortSignal {
  const { activeSeconds, deadline } = brief.budget;
  const spent = usage.activeSeconds * 1000 + elapsedMs(run);
  const left = [
    ...(activeSeconds === null ? [] : [activeSeconds * 1000 - spent]),
    ...(deadline === null ? [] : [Date.parse(deadline) - run.ports.now()]),
  ];
  const milliseconds = Math.ceil(Math.min(LONGEST_MS, ...left.map((one) => one + 5)));
  return AbortSignal.timeout(Math.max(1, milliseconds));
}

/** Characters of a turn that are shown while they come; nobody follows more. */
const MOST_SHOWN = 100_000;

async function work(
  run: SliceRun,
  name: string,
  settings: AgentSettings,
): Promise<SliceStop | null> {
  const { ports, input, attempt } = run;
  const ledger = await openAgentLedger(run, run.failedAttempts + 1);
  const said = ports.tellText?.({
    ...{ goalId: input.goalId, turn: input.turn, step: run.step, attempt: run.failedAttempts + 1 },
  });
  const log = createUpdateLog(ledger.said);
  const time = timeOf(run);
  const hasSpoken = new AbortController();
  let lastWords: NodeJS.Timeout | undefined;
  const tools = goalToolsFor(run, ledger, () => {
    lastWords = setTimeout(() => hasSpoken.abort(), LAST_WORDS_MS);
  });
  const mask = ports.secrets?.mask;
  const words = await agentPrompts(run);
  const grants = await openGrants(run);
  const host = hostFor(run, ledger, tools, { grants, onEnding: () => hasSpoken.abort() });
  let session = run.brief.agentSession ?? null;
  let shown = 0;
  const stream = mask?.stream('words');
  try {
    const end = await runAgent({
      ...{ name, settings, home: ports.home, goalId: input.goalId },
      workspace: run.brief.workspace.path,
      effects: attempt.effects,
      sessionId: run.brief.agentSession?.id ?? null,
      promptFor: (isGoneOn) => mask?.text(words(isGoneOn)) ?? words(isGoneOn),
      onSession: async (id) => {
        session = { id, costUsd: '0' };
        await ports.journal.keepAgentSession(attempt.fence, session);
      },
      onUpdate(update) {
        log.take(update);
        if (update.sessionUpdate !== 'agent_message_chunk' || update.content.type !== 'text')
          return;
        const text = update.content.text.slice(0, Math.max(0, MOST_SHOWN - shown));
        shown += text.length;
        if (text === '') return;
        said?.say(stream === undefined ? text : stream.push(text));
      },
      onPermission: async (asked) => {
        const known = log.calls().find(({ id }) => id === asked.toolCall.toolCallId);
        const call = askedCall(asked, known);
        const word = await judgePermission(run, call, grants);
        if (word.decision === 'deny')
          await ledger.refused(call, word.reason.slice(0, 2000), word.rule);
        if (word.decision === 'allow_once') await ledger.granted(word.by);
        if (word.decision === 'allow_always') await ledger.covered(word.asked, word.rule);
        if (word.decision === 'ask') {
          tools.askPerson(word.asked);
          hasSpoken.abort();
        }
        return answerTo(asked, word.decision);
      },
      host,
      onTools: (socket) => serveGoalTools(socket, host.goalTools),
      stop: AbortSignal.any([run.signal, ports.stopping, time, hasSpoken.signal]),
    })
      .finally(() => host.close())
      .catch(unstarted);
    await record(name, ledger, log, end);
    return await conclude(run, { name, log, end, ending: tools.ending(), time, session });
  } finally {
    clearTimeout(lastWords);
    said?.end();
  }
}

async function record(
  name: string,
  ledger: AgentLedger,
  log: UpdateLog,
  { ran, answer }: AgentEnd,
): Promise<void> {
  await ledger.close();
  await ledger.observe(ran ?? 'last', answer instanceof AgentFault ? told(name, answer) : null);
  await ledger.note('think', log.thoughts());
  await ledger.note('plan', log.plan());
  if (log.leftOut() > 0) await ledger.note('other', `${log.leftOut()} further calls are left out.`);
}

interface Concluded {
  readonly name: string;
  readonly log: UpdateLog;
  readonly end: AgentEnd;
  readonly ending: RequestedCall | null;
  readonly time: AbortSignal;
  readonly session: AgentSession | null;
}

async function conclude(
  run: SliceRun,
  { name, log, end, ending, time, session }: Concluded,
): Promise<SliceStop | null> {
  const text = withoutMark(log.text(), run.ports.hostMark?.(run.input.goalId));
  const { answer } = end;
  const stop = stopped(run);
  if (stop !== null) return await fail(run, { name, text, stop });
  if (ending === null && time.aborted) {
    const limit = limitOf(run);
    if (limit !== null) return await fail(run, { name, text, stop: { end: 'budget', limit } });
  }
  if (answer instanceof AgentFault && ending === null)
    return await fail(run, { name, text, fault: answer });
  const reason = answer instanceof AgentFault ? 'stop' : FINISH[answer.stopReason];
  const finish = ending === null ? reason : 'tool_calls';
  await commit(run, { text, reason: finish, ending, session, costs: log.cost(), answer });
  return null;
}

const FINISH: Readonly<Record<PromptResponse['stopReason'], FinishReason>> = {
  end_turn: 'stop',
  max_tokens: 'length',
  max_turn_requests: 'length',
  refusal: 'content_filter',
  cancelled: 'other',
};

interface Committed {
  readonly text: string;
  readonly reason: FinishReason;
  readonly ending: RequestedCall | null;
  readonly session: AgentSession | null;
  /** Of the whole session, US dollars. */
  readonly costs: number | null;
  readonly answer: PromptResponse | AgentFault;
}

async function commit(run: SliceRun, committed: Committed): Promise<void> {
  const { text, reason, ending, session, costs } = committed;
  const { turn } = run.input;
  const { step } = run;
  const callId = `t${turn}.s${step}.1`;
  const calls = ending === null ? [] : [{ ...ending, callId, providerId: callId }];
  const content = { text, calls };
  const usage = usageOf(committed);
  await run.ports.journal.commitStep(run.attempt.fence, {
    ...{ turn, kind: 'turn', step, attempt: run.failedAttempts + 1 },
    finishReason: reason,
    content,
    usage,
    activeMs: elapsedMs(run),
  });
  charge(run, usage);
  // A death before this charges it once more, rather than never.
  if (session !== null && costs !== null) {
    const costUsd = costs.toFixed(12);
    await run.ports.journal.keepAgentSession(run.attempt.fence, { id: session.id, costUsd });
  }
  run.stepsInSlice += 1;
  run.failedAttempts = 0;
  run.lostAttempts = 0;
  run.finishReason = reason;
  run.pending = calls;
  run.hasYielded = calls.length === 0;
  const { seq } = run.messages.at(-1) ?? { seq: 0 };
  run.messages.push({ seq: seq + 1, turn, step, voice: 'model', content });
}

/** What the agent tells: tokens of this turn, and what its session cost as a whole. */
function usageOf({ answer, session, costs }: Committed): CallUsage {
  const more = costs === null ? 0 : Math.max(0, costs - Number(session?.costUsd ?? 0));
  return { ...NO_USAGE, ...tokensOf(answer), costUsd: more.toFixed(12) };
}

const usageSchema = z.object({
  inputTokens: z.int().min(0),
  outputTokens: z.int().min(0),
  cachedReadTokens: z.int().min(0).nullish(),
  cachedWriteTokens: z.int().min(0).nullish(),
});

/** Agents tell them before the protocol's stable part names the field. */
function tokensOf(answer: object): Partial<CallUsage> {
  const { usage } = answer as { readonly usage?: unknown };
  const told = usageSchema.safeParse(usage);
  if (!told.success) return {};
  const { outputTokens, cachedReadTokens, cachedWriteTokens } = told.data;
  const cachedInputTokens = cachedReadTokens ?? 0;
  const inputTokens = told.data.inputTokens + cachedInputTokens + (cachedWriteTokens ?? 0);
  return { inputTokens, cachedInputTokens, outputTokens };
}

interface Failed {
  readonly name: string;
  readonly text: string;
  readonly stop?: SliceStop;
  readonly fault?: AgentFault;
}

/** The step ends without an answer; what the agent did stays, and its next turn is told so. */
async function fail(run: SliceRun, { name, text, stop, fault }: Failed): Promise<SliceStop> {
  const { turn } = run.input;
  const { step } = run;
  const ended = stop ?? stopOf(name, fault);
  await run.ports.journal.failStep(run.attempt.fence, {
    ...{ turn, kind: 'turn', step, attempt: run.failedAttempts + 1 },
    usage: null,
    trouble: fault === undefined ? null : trouble('other', told(name, fault)),
    partialText: text === '' ? null : text,
    activeMs: elapsedMs(run),
  });
  run.step = step - 1;
  run.failedAttempts += 1;
  return ended;
}

/** A turn that broke off goes on with the next one; what no turn would mend pauses the goal. */
function stopOf(name: string, fault: AgentFault | undefined): SliceStop {
  if (fault === undefined) return { end: 'interrupted' };
  const goesOn = fault.kind === 'died' || fault.kind === 'timed_out';
  const detail = told(name, fault);
  return goesOn ? { end: 'turn_cap', detail } : away(name, fault.message);
}

const told = (name: string, { message }: AgentFault): string =>
  `The agent ${name}: ${message}`.slice(0, 500);

function away(name: string, why: string): SliceStop {
  const message = `The agent ${name}: ${why}`.slice(0, 500);
  return { end: 'provider_error', provider: trouble('other', message), detail: message };
}
