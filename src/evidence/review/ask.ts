import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Payer as CallPayer,
  mostCost,
  pricePerMillion,
  usageOf,
  usageOfUnfinished,
} from '../../attempt/charges.ts';
import { lostAtEnd } from '../../attempt/lost-calls.ts';
import { usageIfLost } from '../../attempt/reservation.ts';
import { spendTrouble } from '../../attempt/spend-trouble.ts';
import { askedAlone } from '../../context/asked.ts';
import { renderPrompt } from '../../context/prompts.ts';
import type { StepPlace } from '../../contract/journal.ts';
import type { ModelAnswer } from '../../contract/model.ts';
import { ReviewerAway, ReviewUnpaid } from '../../contract/reviewer-away.ts';
import { SpendRefused } from '../../contract/spend.ts';
import type { ProviderTrouble } from '../../contract/turn-facts.ts';
import {
  addUsage,
  findLimit,
  noUsage,
  remainingOutput,
  tightestLimit,
  WRAP_UP_RESERVE,
} from '../../goal/budget/budget.ts';
import { modelNow, shortWait } from '../../goal/waits/provider-policy.ts';
import { trouble } from '../../model/errors.ts';
import type { GateRun } from '../criterion-check.ts';

const REVIEWS_OF_AN_ATTEMPT = 1000;
const LONGEST_ANSWER = 2000;

export type Asked =
  | { readonly text: string }
  /** Why there is no answer; never a verdict. */
  | { readonly problem: string };

export interface Question {
  /** Reviewer model; null = the goal's own. */
  readonly model: string | null;
  readonly text: string;
  /** Position among the reviews of this gate. */
  readonly index: number;
}

/** The reviewer in effect: the fallback replaces the goal's own model while it is active. */
export function reviewerOf({ brief, ports }: GateRun, model: string | null): string {
  return model === null || model === brief.model ? modelNow(brief, ports.now()) : model;
}

/**
 * One model call without tools and without history, reserved, fenced and charged like a step.
 * @throws ReviewerAway when the short tries are over
 * @throws ReviewUnpaid
 */
export async function askReviewer(gate: GateRun, question: Question): Promise<Asked> {
  await chargeLostCalls(gate);
  for (let attempt = 1; ; attempt += 1) {
    const model = reviewerOf(gate, question.model);
    const asked = await askOnce(gate, { ...question, model }, attempt);
    if (!('trouble' in asked)) return asked;
    const seconds = shortWait(asked.trouble, attempt, Math.random());
    if (seconds === null) throw awayBecause(gate, question, model, asked.trouble);
    await sleep(seconds * 1000, undefined, { signal: gate.signal }).catch(() => {});
    if (gate.signal.aborted) return STOPPED;
  }
}

const STOPPED: Asked = { problem: 'the review was stopped' };

function awayBecause(
  { brief }: GateRun,
  question: Question,
  model: string,
  problem: ProviderTrouble,
): ReviewerAway {
  const message = `reviewer ${model}: ${problem.message}`.slice(0, 500);
  const isGoalsModel = question.model === null || question.model === brief.model;
  return new ReviewerAway({ provider: { ...problem, message }, hasFallback: isGoalsModel });
}

async function askOnce(
  gate: GateRun,
  question: Question & { readonly model: string },
  attempt: number,
): Promise<Asked | { readonly trouble: ProviderTrouble }> {
  const { ports, input, signal } = gate;
  const { journal, model } = ports;
  const system = renderPrompt('review');
  const estimatedInput = model.countTokens(system) + model.countTokens(question.text) + 50;
  const payer = await payerOf(gate, question.model);
  if (isUnpriced(payer)) {
    const words = `it has no known price here, so the goal's cost limit can't be kept`;
    return { trouble: trouble('other', words) };
  }
  const maxOutputTokens = affordable(payer, estimatedInput);
  const place = {
    turn: input.turn,
    kind: 'review',
    step: stepOf(gate, question),
    attempt,
  } as const;
  const sent = {
    ...place,
    model: question.model,
    estimatedInput,
    reservedOutput: maxOutputTokens,
    ifLost: usageIfLost(payer, payer.brief.usage, { estimatedInput, maxOutputTokens }),
    mostUsd: mostCost(payer, { estimatedInput, maxOutputTokens }),
    asked: askedAlone(system, question.text),
  };
  if (!(await journal.beginStep(gate.attempt.fence, sent).catch(awayBySpend)))
    return { problem: 'a message has to be read first' };
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
  return await close(gate, { place, payer, estimatedInput }, answer);
}

/** A spend limit of the service is waited for like a provider. */
function awayBySpend(error: unknown): never {
  if (!(error instanceof SpendRefused)) throw error;
  throw new ReviewerAway({ provider: spendTrouble(error), hasFallback: false });
}

/** Step number that is unique among all attempts, rounds and reviews of the turn. */
const stepOf = ({ attempt, round }: GateRun, { index }: Question): number =>
  attempt.fence.token * REVIEWS_OF_AN_ATTEMPT + round * 100 + index;

interface Sent {
  readonly place: StepPlace;
  readonly payer: Payer;
  readonly estimatedInput: number;
}

async function close(
  { ports: { journal }, attempt: { fence } }: GateRun,
  { place, payer, estimatedInput }: Sent,
  answer: ModelAnswer,
): Promise<Asked | { readonly trouble: ProviderTrouble }> {
  const problem = problemIn(answer);
  const { firstTokenMs } = answer;
  if (answer.kind === 'answer' && problem === null) {
    const usage = usageOf(payer, { estimatedInput }, answer);
    const { finishReason, text } = answer;
    await journal.commitStep(fence, { ...place, finishReason, content: null, usage, firstTokenMs });
    return { text };
  }
  const usage =
    answer.kind === 'answer'
      ? usageOf(payer, { estimatedInput }, answer)
      : usageOfUnfinished(payer, { estimatedInput }, answer);
  const failed = { usage, trouble: problem, partialText: null, firstTokenMs };
  await journal.failStep(fence, { ...place, ...failed });
  return problem === null ? STOPPED : { trouble: problem };
}

/** Empty and filtered answers are provider trouble; any other answer is judged. */
function problemIn(answer: ModelAnswer): ProviderTrouble | null {
  if (answer.kind === 'trouble') return answer.trouble;
  if (answer.kind === 'aborted') return null;
  if (answer.finishReason === 'content_filter') {
    return trouble('content_refused', 'content refused: its answer was cut off by a filter');
  }
  return answer.text.trim() === '' ? trouble('malformed', 'an empty answer') : null;
}

type Payer = CallPayer & Pick<GateRun, 'brief' | 'ports'>;

/** The goal pays the reviewer's price; its usage is read anew. */
async function payerOf({ ports, input }: GateRun, model: string): Promise<Payer> {
  return { ports, brief: { ...(await ports.journal.brief(input.goalId)), model } };
}

/** The API refuses such models too, but this worker may run with other prices. */
const isUnpriced = (payer: Payer): boolean =>
  payer.brief.budget.costUsd !== null && pricePerMillion(payer, 1) === null;

/** @throws ReviewUnpaid */
function affordable(payer: Payer, estimatedInput: number): number {
  const { budget, usage, setAside, model } = payer.brief;
  // The judged turn has begun; whether another may follow is decided afterwards.
  const limit = findLimit(
    { ...budget, turns: null },
    usage,
    new Date(payer.ports.now()).toISOString(),
  );
  if (limit !== null) throw new ReviewUnpaid(limit);
  const price = pricePerMillion(payer, estimatedInput);
  const held = addUsage(usage, setAside ?? noUsage);
  const left = remainingOutput(budget, held, estimatedInput, WRAP_UP_RESERVE, price);
  if (left <= 0) throw new ReviewUnpaid(tightestLimit(budget, held, estimatedInput, price));
  return Math.min(left, payer.ports.model.maxOutput(model), LONGEST_ANSWER);
}

/**
 * Charges calls that an earlier attempt of this gate sent before it died, by estimate. The number
 * of workers that may die this way is bounded.
 */
async function chargeLostCalls({ ports, input, attempt, brief }: GateRun): Promise<void> {
  const { steps } = await ports.journal.turn(input.goalId, input.turn);
  const reviews = steps.filter(({ kind }) => kind === 'review');
  for (const lost of reviews) {
    if (lost.state !== 'sent' || lost.token >= attempt.fence.token) continue;
    const { kind, step, attempt: number, ifLost: usage } = lost;
    const place = { turn: input.turn, kind, step, attempt: number };
    await ports.journal.loseStep(attempt.fence, { ...place, usage });
  }
  const died = lostAtEnd(reviews);
  if (died < brief.policy.continuation.lostCalls) return;
  const words = `${died} workers in a row died during the same review, which is not asked again.`;
  throw new ReviewerAway({ provider: trouble('other', words), hasFallback: false });
}
