import { setTimeout as sleep } from 'node:timers/promises';
import { findLimit, remainingOutput, WRAP_UP_RESERVE } from '../../goal/budget.ts';
import type { ProviderTrouble } from '../../goal/facts.ts';
import { nextTry, shortWait } from '../../goal/provider-policy.ts';
import { renderPrompt } from '../../model/prompts.ts';
import {
  type Payer as CallPayer,
  estimatedUsage,
  pricePerMillion,
  usageOf,
  usageOfUnfinished,
} from '../../turn/charges.ts';
import type { GateRun } from '../criteria/criterion-check.ts';

/** Model calls of a gate are steps of its turn, far behind those that the turn took itself. */
const FIRST_STEP = 100_000;
const STEPS_OF_A_GATE = 1000;
const LONGEST_ANSWER = 2000;

export type Asked =
  | { readonly text: string }
  /** Why no answer came; never a verdict. */
  | { readonly problem: string };

export interface Question {
  readonly model: string;
  readonly text: string;
  /** Position among the reviews of this gate. */
  readonly index: number;
}

/** One model call without tools and without history, reserved, fenced and charged like a step. */
export async function askReviewer(gate: GateRun, question: Question): Promise<Asked> {
  await chargeLostCalls(gate);
  for (let attempt = 1; ; attempt += 1) {
    const asked = await askOnce(gate, question, attempt);
    if (!('trouble' in asked)) return asked;
    const seconds = secondsUntilNext(gate, asked.trouble, attempt);
    if (seconds === null) return { problem: asked.trouble.message.slice(0, 300) };
    await sleep(seconds * 1000, undefined, { signal: gate.signal }).catch(() => {});
    if (gate.signal.aborted) return STOPPED;
  }
}

const STOPPED: Asked = { problem: 'the review was stopped' };

/** The gate itself sleeps through what a turn would leave to its workflow, as long as a wrap-up may. */
function secondsUntilNext(
  { brief }: GateRun,
  trouble: ProviderTrouble,
  attempt: number,
): number | null {
  const random = Math.random();
  const seconds = shortWait(trouble, attempt, random);
  if (seconds !== null) return seconds;
  const next = nextTry(trouble, {
    policy: brief.policy,
    retries: attempt - 1,
    hasFallbackModel: false,
    fallback: null,
    isWrapUp: true,
    now: Date.now(),
    random,
  });
  return next.kind === 'wait' ? next.seconds : null;
}

async function askOnce(
  gate: GateRun,
  question: Question,
  attempt: number,
): Promise<Asked | { readonly trouble: ProviderTrouble }> {
  const { ports, input, signal } = gate;
  const { journal, model } = ports;
  const { fence } = gate.attempt;
  const system = renderPrompt('review');
  const estimatedInput = model.countTokens(system) + model.countTokens(question.text) + 50;
  const payer = await payerOf(gate, question.model);
  if (isUnpriced(payer)) return { problem: `${question.model} has no known price` };
  const maxOutputTokens = affordable(payer, estimatedInput);
  if (maxOutputTokens <= 0) return { problem: 'the budget does not pay for the review' };
  const step = FIRST_STEP + (fence.token * STEPS_OF_A_GATE + gate.round * 100 + question.index);
  const place = { turn: input.turn, step, attempt };
  const sent = {
    ...place,
    model: question.model,
    estimatedInput,
    reservedOutput: maxOutputTokens,
    ifLost: estimatedUsage(payer, estimatedInput, 0),
  };
  if (!(await journal.beginStep(fence, sent))) return { problem: 'a message has to be read first' };
  const answer = await model.call({
    model: question.model,
    system,
    messages: [
      { seq: 1, turn: input.turn, step: null, voice: 'host', content: { text: question.text } },
    ],
    tools: [],
    maxOutputTokens,
    signal,
  });
  if (answer.kind === 'answer') {
    const usage = usageOf(payer, { estimatedInput }, answer);
    const { finishReason, text } = answer;
    await journal.commitStep(fence, { ...place, finishReason, content: null, usage });
    return { text };
  }
  const usage = usageOfUnfinished(payer, { estimatedInput }, answer);
  const trouble = answer.kind === 'trouble' ? answer.trouble : null;
  await journal.failStep(fence, { ...place, usage, trouble, partialText: null });
  return trouble === null ? STOPPED : { trouble };
}

type Payer = CallPayer & Pick<GateRun, 'brief'>;

/** The goal pays, at the reviewer's price, with what it has used by now. */
async function payerOf({ ports, input }: GateRun, model: string): Promise<Payer> {
  return { ports, brief: { ...(await ports.journal.brief(input.goalId)), model } };
}

/** Refused at the door, too; but this worker may have been started with other prices. */
const isUnpriced = (payer: Payer): boolean =>
  payer.brief.budget.costUsd !== null && pricePerMillion(payer, 1) === null;

function affordable(payer: Payer, estimatedInput: number): number {
  const { budget, usage, model } = payer.brief;
  // The turn that is being judged has begun: whether another may follow is decided afterwards.
  if (findLimit({ ...budget, turns: null }, usage, new Date().toISOString()) !== null) return 0;
  const price = pricePerMillion(payer, estimatedInput);
  const left = remainingOutput(budget, usage, estimatedInput, WRAP_UP_RESERVE, price);
  return Math.min(left, payer.ports.model.maxOutput(model), LONGEST_ANSWER);
}

/** What an earlier attempt of this gate sent before it died costs its estimate. */
async function chargeLostCalls({ ports, input, attempt }: GateRun): Promise<void> {
  const { steps } = await ports.journal.turn(input.goalId, input.turn);
  for (const lost of steps) {
    const isLost = lost.state === 'sent' && lost.step >= FIRST_STEP;
    if (!isLost || lost.token >= attempt.fence.token) continue;
    const { step, attempt: number, ifLost: usage } = lost;
    await ports.journal.loseStep(attempt.fence, {
      turn: input.turn,
      step,
      attempt: number,
      usage,
    });
  }
}
