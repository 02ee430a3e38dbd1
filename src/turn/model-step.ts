import { mostCost, usageOf, usageOfUnfinished } from '../attempt/charges.ts';
import { elapsedMs } from '../attempt/elapsed.ts';
import { cannotPay, payerOf, type Reserved, reserve, usageIfLost } from '../attempt/reservation.ts';
import type { AskedRequest } from '../contract/asked-request.ts';
import type { MessageContent, RequestedCall } from '../contract/conversation.ts';
import type { CallUsage } from '../contract/journal.ts';
import type { Saying } from '../contract/live.ts';
import type { ModelAnswer, Timed } from '../contract/model.ts';
import type { SliceStop } from '../contract/slice-stop.ts';
import type { ProviderTrouble } from '../contract/turn-facts.ts';
import { modelNow, shortWait } from '../goal/waits/provider-policy.ts';
import { hasEnded, readTextCall } from '../reply/text-call.ts';
import { callToBegin } from './call-to-begin.ts';
import { makeRoom, makeRoomAfter } from './compaction.ts';
import { providerError, stoppedBy, waitShortly } from './provider-stops.ts';
import { readContents, requestOf, takeSteering } from './request.ts';
import { charge, type SliceRun, settleOwed } from './slice-run.ts';

/** Workers that may die during a wrap-up: the goal has no budget left to pay for more. */
const LOST_WRAP_UPS = 2;
type Answer = Extract<ModelAnswer, { kind: 'answer' }>;

/** One model call, journaled before and after; `null` = the turn goes on. */
export async function takeModelStep(run: SliceRun): Promise<SliceStop | null> {
  for (let tries = 1; ; tries += 1) {
    const begun = hasKilledEnough(run) ?? wrapUpPaid(run) ?? (await begin(run));
    if ('end' in begun) return begun;
    const { request, reserved } = begun;
    const said = sayingOf(run, reserved);
    try {
      const { asked: _, ...sent } = request;
      const answer = await run.ports.model.call({
        ...sent,
        model: reserved.model,
        maxOutputTokens: reserved.maxOutputTokens,
        cacheKey: run.input.goalId,
        signal: run.signal,
        ...(said && { onText: said.say }),
      });
      const stop =
        answer.kind === 'answer'
          ? await take(run, reserved, answer, tries)
          : await fail(run, reserved, answer, tries);
      if (stop !== 'retry') return stop;
    } finally {
      // The end is published after the commit; until then, watchers have only the pieces.
      said?.end();
    }
  }
}

function sayingOf({ ports, input, step }: SliceRun, { attempt }: Reserved): Saying | undefined {
  return ports.tellText?.({ goalId: input.goalId, turn: input.turn, step: step + 1, attempt });
}

/** Stops a step whose answers keep killing workers, which would never end. */
export function hasKilledEnough(run: SliceRun): SliceStop | null {
  const died = run.lostAttempts;
  const { lostCalls } = run.brief.policy.continuation;
  if (died < (run.kind === 'wrap_up' ? Math.min(lostCalls, LOST_WRAP_UPS) : lostCalls)) return null;
  const detail = `${died} workers in a row died during the same model call, which is not sent again.`;
  return { end: 'lost_calls', detail };
}

/** Stops a wrap-up after one paid call, even if its answer broke off. */
function wrapUpPaid({ kind, hasPaidInVain }: SliceRun): SliceStop | null {
  if (kind !== 'wrap_up' || !hasPaidInVain) return null;
  return { end: 'turn_cap', detail: 'the provider broke the one step off' };
}

interface Begun {
  readonly request: ReturnType<typeof requestOf>;
  readonly reserved: Reserved;
}

/** Journals the step with its reservation, after taking new messages and changes. */
async function begin(run: SliceRun): Promise<Begun | SliceStop> {
  for (;;) {
    if (isOutOfPlace(run)) return { end: 'interrupted' };
    const model = modelNow(run.brief, run.ports.now());
    await readContents(run, model);
    const request = requestOf(run, model);
    const made = await makeRoom(run, model, request);
    if (made === 'compacted') continue;
    if (made !== null) return made;
    const reserved = reserve(run, model, request.estimatedInput);
    if ('end' in reserved) return reserved;
    if (await beginStep(run, reserved, request.asked)) return { request, reserved };
    await takeSteering(run);
    if ((await takeAmendments(run)) === 'other_mode') return { end: 'slice_cap' };
  }
}

/** True when a limit was reached since the turn began: only the wrap-up may follow. */
export const isOutOfPlace = ({ brief, kind }: SliceRun): boolean =>
  brief.limit !== null && kind !== 'wrap_up';

/**
 * Takes changes of the goal except criteria, whose baseline belongs to the slice's beginning. Another
 * mode takes another slice: what it may do, and what has to be looked at first, begins there.
 */
export async function takeAmendments(run: SliceRun): Promise<'taken' | 'other_mode'> {
  const now = await run.ports.journal.brief(run.input.goalId);
  if (now.mode !== run.brief.mode) return 'other_mode';
  const { objective, model, fallbackModel, fallback, budget, policy, limit } = now;
  const { revision, generation, toolRules, requirements = [], attachments = [] } = now;
  const amended = { objective, model, fallbackModel, fallback, budget, policy, limit };
  const ruled = toolRules === undefined ? {} : { toolRules };
  const named = attachments.length === 0 ? {} : { attachments };
  run.isBehind = now.criteriaRevision !== run.brief.criteriaRevision;
  run.brief = { ...run.brief, ...amended, ...ruled, ...named, requirements, revision, generation };
  return 'taken';
}

/** Settles the previous call in the same commit, or apart if that isn't possible. */
async function beginStep(run: SliceRun, reserved: Reserved, asked: AskedRequest): Promise<boolean> {
  const step = { ...stepOf(run, reserved), asked };
  const { attempt, owed, ports } = run;
  if (owed === null) return await ports.journal.beginStep(attempt.fence, step);
  try {
    if (await ports.journal.beginStep(attempt.fence, { ...step, settles: owed })) {
      run.owed = null;
      return true;
    }
  } finally {
    // A database outage must not lose the call's end, so settling waits.
    await settleOwed(run);
  }
  return await ports.journal.beginStep(attempt.fence, step);
}

function stepOf(run: SliceRun, reserved: Reserved) {
  return {
    turn: run.input.turn,
    kind: 'turn' as const,
    step: run.step + 1,
    attempt: reserved.attempt,
    model: reserved.model,
    estimatedInput: reserved.estimatedInput,
    reservedOutput: reserved.maxOutputTokens,
    ifLost: usageIfLost(payerOf(run, reserved.model), run.usage, reserved),
    mostUsd: mostCost(payerOf(run, reserved.model), reserved),
    revision: run.brief.revision,
    tellsAll: !run.isBehind,
  };
}

async function take(
  run: SliceRun,
  reserved: Reserved,
  answer: Answer,
  tries: number,
): Promise<SliceStop | null | 'retry'> {
  const usage = usageOf(payerOf(run, reserved.model), reserved, answer);
  if (answer.finishReason === 'content_filter') {
    const refused = { usage, trouble: REFUSED_CONTENT, partialText: textOrNull(answer.text) };
    await close(run, reserved, answer, refused);
    return await goOnAfter(run, reserved, REFUSED_CONTENT, tries);
  }
  if (isProtocolError(answer) && !hasHandedOver(run, answer)) {
    await close(run, reserved, answer, { usage, trouble: null, partialText: null });
    run.protocolErrors += 1;
    return run.kind === 'wrap_up' ||
      run.protocolErrors > run.brief.policy.continuation.protocolRetries
      ? { end: 'protocol_error', detail: 'an answer with neither text nor tool calls' }
      : 'retry';
  }
  const step = run.step + 1;
  const content = contentOf(run, step, answer);
  const first = await callToBegin(run, step, content.calls?.[0]);
  const { hasBegun } = await run.ports.journal.commitStep(run.attempt.fence, {
    turn: run.input.turn,
    kind: 'turn',
    step,
    attempt: reserved.attempt,
    finishReason: answer.finishReason,
    content,
    usage,
    firstTokenMs: answer.firstTokenMs,
    activeMs: elapsedMs(run),
    firstCall: first?.start,
  });
  run.begun = hasBegun ? first : null;
  charge(run, usage);
  advance(run, step, answer, content);
  const isCutByBudget = answer.finishReason === 'length' && reserved.isCappedByBudget;
  return isCutByBudget && content.calls?.length === 0
    ? { end: 'budget', limit: cannotPay(run, reserved.estimatedInput, reserved.model) }
    : null;
}

/** True when the answer announces calls without naming one, or is empty. */
const isProtocolError = ({ calls, text, finishReason }: Answer): boolean =>
  calls.length === 0 &&
  (finishReason === 'tool_calls' ||
    (text.trim() === '' && finishReason !== 'content_filter' && finishReason !== 'length'));

/** True when the model stops silently after it handed the work to delegates. */
const hasHandedOver = ({ tally }: SliceRun, { finishReason }: Answer): boolean =>
  tally.delegates > 0 && finishReason !== 'tool_calls';

function contentOf(run: SliceRun, step: number, answer: Answer): MessageContent {
  const spoken: ReturnType<typeof readTextCall> = run.brief.textTokens
    ? readTextCall(answer)
    : answer;
  const calls: RequestedCall[] = spoken.calls.map((call, index) => ({
    ...call,
    callId: `t${run.input.turn}.s${step}.${index + 1}`,
  }));
  const { text, token } = spoken;
  const { providerParts } = answer;
  return {
    text,
    calls,
    ...(token === undefined ? {} : { token }),
    ...(providerParts === undefined ? {} : { providerParts }),
  };
}

function advance(run: SliceRun, step: number, answer: Answer, content: MessageContent): void {
  run.step = step;
  run.stepsInSlice += 1;
  run.failedAttempts = 0;
  run.lostAttempts = 0;
  run.hasPaidInVain = false;
  run.finishReason = answer.finishReason;
  run.pending = content.calls ?? [];
  run.hasYielded = hasEnded(run.pending);
  const { seq } = run.messages.at(-1) ?? { seq: 0 };
  run.messages.push({ seq: seq + 1, turn: run.input.turn, step, voice: 'model', content });
}

const REFUSED_CONTENT: ProviderTrouble = {
  kind: 'content_refused',
  isRetryable: false,
  retryAfterSeconds: null,
  message: 'content refused: the provider cut its answer off by a content filter',
};

const textOrNull = (text: string): string | null => (text === '' ? null : text);

async function fail(
  run: SliceRun,
  reserved: Reserved,
  answer: Exclude<ModelAnswer, { kind: 'answer' }>,
  tries: number,
): Promise<SliceStop | null | 'retry'> {
  const usage = usageOfUnfinished(payerOf(run, reserved.model), reserved, answer);
  const trouble = answer.kind === 'trouble' ? answer.trouble : null;
  const partialText = textOrNull(answer.partialText);
  await close(run, reserved, answer, { usage, trouble, partialText });
  return trouble === null ? stoppedBy(run) : await goOnAfter(run, reserved, trouble, tries);
}

/** Retries shortly, or ends the slice so that the workflow decides. */
async function goOnAfter(
  run: SliceRun,
  reserved: Reserved,
  trouble: ProviderTrouble,
  tries: number,
): Promise<SliceStop | 'retry'> {
  const paid = wrapUpPaid(run);
  if (paid !== null) return paid;
  if (trouble.kind === 'context_overflow') {
    const made = await makeRoomAfter(run, reserved, trouble);
    return made === 'compacted' ? 'retry' : made;
  }
  const seconds = shortWait(trouble, tries, Math.random());
  if (seconds === null) return providerError(run, reserved.model, trouble);
  return await waitShortly(run, seconds);
}

async function close(
  run: SliceRun,
  reserved: Reserved,
  { firstTokenMs }: Timed,
  closed: {
    readonly usage: CallUsage | null;
    readonly trouble: ProviderTrouble | null;
    readonly partialText: string | null;
  },
): Promise<void> {
  const { usage, trouble } = closed;
  await run.ports.journal.failStep(run.attempt.fence, {
    turn: run.input.turn,
    kind: 'turn',
    step: run.step + 1,
    attempt: reserved.attempt,
    ...closed,
    firstTokenMs,
    activeMs: elapsedMs(run),
  });
  if (usage !== null) charge(run, usage);
  run.failedAttempts += 1;
  run.hasPaidInVain ||= usage !== null && trouble !== null;
  // A refusal without output says nothing about what killed the workers.
  if (usage !== null) run.lostAttempts = 0;
}
