import { setTimeout as sleep } from 'node:timers/promises';
import { type CallPrice, findLimit, remainingOutput, WRAP_UP_RESERVE } from '../goal/budget.ts';
import type { LimitReached } from '../goal/facts.ts';
import { buildRequest } from '../model/context.ts';
import type { CallUsage, MessageContent, ModelAnswer, RequestedCall } from './ports.ts';
import { charge, elapsedMs, type SliceRun, type SliceStop } from './slice-run.ts';

/** Short tries inside of a turn; longer waits are the workflow's. */
const SHORT_RETRIES = 3;
const LONGEST_SHORT_WAIT_SECONDS = 5;
type Answer = Extract<ModelAnswer, { kind: 'answer' }>;

/** Who pays for a call, and whose prices count. */
type Payer = Pick<SliceRun, 'ports' | 'brief'>;

interface Reserved {
  readonly attempt: number;
  readonly estimatedInput: number;
  readonly maxOutputTokens: number;
  /** The budget, not the model, set the cap. */
  readonly isCappedByBudget: boolean;
}

/** One model call, journaled before and after; `null` = the turn goes on. */
export async function takeModelStep(run: SliceRun): Promise<SliceStop | null> {
  for (let tries = 1; ; tries += 1) {
    const begun = await begin(run);
    if ('end' in begun) return begun;
    const { request, reserved } = begun;
    const answer = await run.ports.model.call({
      ...request,
      model: run.brief.model,
      maxOutputTokens: reserved.maxOutputTokens,
      signal: run.signal,
    });
    if (answer.kind === 'answer') {
      const stop = await take(run, reserved, answer);
      if (stop !== 'retry') return stop;
      continue;
    }
    const stop = await fail(run, reserved, answer, tries);
    if (stop !== null) return stop;
  }
}

interface Begun {
  readonly request: ReturnType<typeof requestOf>;
  readonly reserved: Reserved;
}

/** Journals the step with its reservation; a message that was steered in goes into the request. */
async function begin(run: SliceRun): Promise<Begun | SliceStop> {
  for (;;) {
    const request = requestOf(run);
    const reserved = reserve(run, request.estimatedInput);
    if ('end' in reserved) return reserved;
    if (await beginStep(run, reserved)) return { request, reserved };
    await takeSteering(run);
  }
}

async function takeSteering({ ports, attempt, input, messages }: SliceRun): Promise<void> {
  const taken = await ports.journal.takeSteering(attempt.fence, input.turn);
  if (taken === 0) return;
  const fresh = await ports.journal.conversation(input.goalId, messages.length + taken);
  messages.splice(0, messages.length, ...fresh);
}

function requestOf(run: SliceRun) {
  return buildRequest({
    brief: { ...run.brief, todos: run.todos, plan: run.plan, usage: run.usage },
    kind: run.kind,
    messages: run.messages,
    tools: run.ports.tools.declarations(run.brief.mode),
    model: run.ports.model,
  });
}

function reserve(run: SliceRun, estimatedInput: number): Reserved | SliceStop {
  const { budget, model } = run.brief;
  const attempt = run.failedAttempts + 1;
  const modelMaximum = run.ports.model.maxOutput(model);
  if (run.kind === 'wrap_up') {
    const maxOutputTokens = Math.min(modelMaximum, WRAP_UP_RESERVE);
    return { attempt, estimatedInput, maxOutputTokens, isCappedByBudget: false };
  }
  const now = new Date().toISOString();
  const usage = { ...run.usage, activeSeconds: run.usage.activeSeconds + elapsedMs(run) / 1000 };
  // A turn that began may end: `turns` is checked when it settles.
  const limit = findLimit({ ...budget, turns: null }, usage, now);
  if (limit !== null) return { end: 'budget', limit };
  const price = pricePerMillion(run);
  const left = remainingOutput(budget, usage, estimatedInput, WRAP_UP_RESERVE, price);
  if (left <= 0) return { end: 'budget', limit: cannotPay(run, estimatedInput) };
  const maxOutputTokens = Math.min(modelMaximum, left);
  return { attempt, estimatedInput, maxOutputTokens, isCappedByBudget: left < modelMaximum };
}

/** Worst case: nothing of the input is cached. */
export function pricePerMillion({ ports, brief }: Payer): CallPrice | null {
  if (brief.budget.costUsd === null) return null;
  const million = { inputTokens: 1_000_000, cachedInputTokens: 0, outputTokens: 0 };
  const input = ports.model.price(brief.model, million);
  const output = ports.model.price(brief.model, {
    ...million,
    inputTokens: 0,
    outputTokens: 1_000_000,
  });
  if (input === null || output === null) return null;
  return { inputPerMTok: input.costUsd, outputPerMTok: output.costUsd };
}

function cannotPay(run: SliceRun, estimatedInput: number): LimitReached {
  const { budget } = run.brief;
  if (budget.tokens === null && budget.costUsd !== null) {
    return { name: 'costUsd', used: run.usage.costUsd, allowed: budget.costUsd };
  }
  return {
    name: 'tokens',
    used: `${run.usage.tokens} (the next call needs about ${estimatedInput})`,
    allowed: String(run.brief.budget.tokens),
  };
}

function beginStep(run: SliceRun, reserved: Reserved): Promise<boolean> {
  return run.ports.journal.beginStep(run.attempt.fence, {
    turn: run.input.turn,
    step: run.step + 1,
    attempt: reserved.attempt,
    model: run.brief.model,
    estimatedInput: reserved.estimatedInput,
    reservedOutput: reserved.maxOutputTokens,
  });
}

async function take(
  run: SliceRun,
  reserved: Reserved,
  answer: Answer,
): Promise<SliceStop | null | 'retry'> {
  const usage = usageOf(run, reserved, answer);
  if (isProtocolError(answer)) {
    await close(run, reserved, usage, null, null);
    run.protocolErrors += 1;
    return run.kind === 'wrap_up' ||
      run.protocolErrors > run.brief.policy.continuation.protocolRetries
      ? { end: 'protocol_error', detail: 'an answer with neither text nor tool calls' }
      : 'retry';
  }
  const step = run.step + 1;
  const content = contentOf(run, step, answer);
  await run.ports.journal.commitStep(run.attempt.fence, {
    turn: run.input.turn,
    step,
    attempt: reserved.attempt,
    finishReason: answer.finishReason,
    content,
    usage,
  });
  charge(run, usage);
  advance(run, step, answer, content);
  const isCutByBudget = answer.finishReason === 'length' && reserved.isCappedByBudget;
  return isCutByBudget && content.calls?.length === 0
    ? { end: 'budget', limit: cannotPay(run, reserved.estimatedInput) }
    : null;
}

/** Asks for calls and names none, or says nothing at all. */
const isProtocolError = ({ calls, text, finishReason }: Answer): boolean =>
  calls.length === 0 &&
  (finishReason === 'tool_calls' ||
    (text.trim() === '' && finishReason !== 'content_filter' && finishReason !== 'length'));

function contentOf(run: SliceRun, step: number, answer: Answer): MessageContent {
  const calls: RequestedCall[] = answer.calls.map((call, index) => ({
    ...call,
    callId: `t${run.input.turn}.s${step}.${index + 1}`,
  }));
  const { providerParts, text } = answer;
  return { text, calls, ...(providerParts === undefined ? {} : { providerParts }) };
}

function advance(run: SliceRun, step: number, answer: Answer, content: MessageContent): void {
  run.step = step;
  run.stepsInSlice += 1;
  run.failedAttempts = 0;
  run.finishReason = answer.finishReason;
  run.pending = content.calls ?? [];
  run.hasYielded = run.pending.length === 0;
  const { seq } = run.messages.at(-1) ?? { seq: 0 };
  run.messages.push({ seq: seq + 1, turn: run.input.turn, step, voice: 'model', content });
}

export function usageOf(
  run: Payer,
  reserved: Pick<Reserved, 'estimatedInput'>,
  answer: Answer,
): CallUsage {
  if (answer.usage === null) {
    const text = answer.text + answer.calls.map((call) => call.input).join('');
    return estimatedUsage(run, reserved.estimatedInput, run.ports.model.countTokens(text));
  }
  return { ...answer.usage, ...priceOf(run, answer.usage), isEstimated: false };
}

/** What a call without a reported usage is charged. */
export function estimatedUsage(run: Payer, inputTokens: number, outputTokens: number): CallUsage {
  const counted = { inputTokens, cachedInputTokens: 0, outputTokens };
  return { ...counted, ...priceOf(run, counted), isEstimated: true };
}

function priceOf(
  run: Payer,
  usage: { inputTokens: number; cachedInputTokens: number; outputTokens: number },
): Pick<CallUsage, 'costUsd' | 'pricesVersion'> {
  const price = run.ports.model.price(run.brief.model, usage);
  return { costUsd: price?.costUsd ?? '0', pricesVersion: price?.version ?? null };
}

async function fail(
  run: SliceRun,
  reserved: Reserved,
  answer: Exclude<ModelAnswer, { kind: 'answer' }>,
  tries: number,
): Promise<SliceStop | null> {
  const output = run.ports.model.countTokens(answer.partialText);
  const usage = answer.hasStarted ? estimatedUsage(run, reserved.estimatedInput, output) : null;
  const partial = answer.partialText === '' ? null : answer.partialText;
  await close(run, reserved, usage, answer.kind === 'trouble' ? answer.trouble : null, partial);
  if (answer.kind === 'aborted') {
    return { end: run.ports.stopping.aborted ? 'shutdown' : 'interrupted' };
  }
  const { trouble } = answer;
  const seconds = trouble.retryAfterSeconds ?? 0.5 * 2 ** (tries - 1);
  const isWorthIt =
    trouble.isRetryable && tries <= SHORT_RETRIES && seconds <= LONGEST_SHORT_WAIT_SECONDS;
  if (!isWorthIt)
    return { end: 'provider_error', provider: trouble, detail: trouble.message.slice(0, 500) };
  await sleep(seconds * 1000, undefined, { signal: run.signal }).catch(() => {});
  return run.signal.aborted
    ? { end: run.ports.stopping.aborted ? 'shutdown' : 'interrupted' }
    : null;
}

async function close(
  run: SliceRun,
  reserved: Reserved,
  usage: CallUsage | null,
  trouble: Parameters<SliceRun['ports']['journal']['failStep']>[1]['trouble'],
  partialText: string | null,
): Promise<void> {
  await run.ports.journal.failStep(run.attempt.fence, {
    turn: run.input.turn,
    step: run.step + 1,
    attempt: reserved.attempt,
    usage,
    trouble,
    partialText,
  });
  if (usage !== null) charge(run, usage);
  run.failedAttempts += 1;
}
