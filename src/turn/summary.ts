import { mostCost, usageOf, usageOfUnfinished } from '../attempt/charges.ts';
import { elapsedMs } from '../attempt/elapsed.ts';
import { lostAtEnd } from '../attempt/lost-calls.ts';
import { payerOf, type Reserved, reserve, usageIfLost } from '../attempt/reservation.ts';
import { askedAlone } from '../context/asked.ts';
import type { CompactionInput, Replacement } from '../context/compaction-plan.ts';
import { escapeText } from '../context/goal-block.ts';
import { renderPrompt } from '../context/prompts.ts';
import { transcriptOf } from '../context/transcript.ts';
import type { AskedRequest } from '../contract/asked-request.ts';
import type { CallUsage } from '../contract/journal.ts';
import type { ModelAnswer, Timed } from '../contract/model.ts';
import type { SliceStop } from '../contract/slice-stop.ts';
import type { FinishReason, ProviderTrouble } from '../contract/turn-facts.ts';
import { shortWait } from '../goal/waits/provider-policy.ts';
import { trouble } from '../model/errors.ts';
import { providerError, stoppedBy, waitShortly } from './provider-stops.ts';
import { charge, type SliceRun } from './slice-run.ts';

/** The call that is charged with the compaction. */
export interface SummaryCall extends Timed {
  readonly step: number;
  readonly attempt: number;
  readonly finishReason: FinishReason;
  readonly usage: CallUsage;
}

type Summarised =
  /** `notes` is null where none could be had. */
  | { readonly kind: 'answered'; readonly notes: string | null; readonly call: SummaryCall | null }
  /** A person's message interrupted the summary. */
  | { readonly kind: 'interrupted' }
  | SliceStop;

/** Workers that may die under the summary of one compaction. */
const LOST_SUMMARIES = 2;
/** Fewer tokens than this are useless for notes. */
const LEAST_NOTES = 64;
/** Share of the conversation's room that the transcript may use. */
const SHARE_OF_TRANSCRIPT = 0.8;
const OBJECTIVE_SHOWN = 2000;
const NONE: Summarised = { kind: 'answered', notes: null, call: null };

/** Notes by the model for what is replaced: one call, journaled, reserved and charged like a step. */
export async function summarise(
  run: SliceRun,
  model: string,
  ground: CompactionInput,
  replacement: Replacement,
): Promise<Summarised> {
  const step = (ground.compaction?.number ?? 0) + 1;
  const earlier = await triesOf(run, step);
  const isHopeless = earlier.lost >= LOST_SUMMARIES || replacement.mostNotes < LEAST_NOTES;
  // A wrap-up is one call; the goal has no budget for a second one.
  if (run.kind === 'wrap_up' || isHopeless) return NONE;
  const request = requestFor(run, ground, replacement);
  for (let tries = 1; ; tries += 1) {
    const reserved = reserve(run, model, request.estimatedInput);
    if ('end' in reserved) return NONE;
    const maxOutputTokens = Math.min(reserved.maxOutputTokens, replacement.mostNotes);
    const sent = { ...reserved, step, attempt: earlier.attempts + tries, maxOutputTokens };
    if (!(await begin(run, sent, request.asked))) return { kind: 'interrupted' };
    const { system, messages } = request;
    const { signal } = run;
    const asked = { model, system, messages, tools: [], maxOutputTokens, signal };
    const done = await close(run, sent, await run.ports.model.call(asked), replacement);
    if (!('kind' in done) || done.kind !== 'trouble') return done;
    const stop = await afterTrouble(run, model, done.trouble, tries);
    if (stop !== 'retry') return stop ?? NONE;
  }
}

async function triesOf(run: SliceRun, step: number) {
  const { steps } = await run.ports.journal.turn(run.input.goalId, run.input.turn);
  const own = steps.filter((row) => row.kind === 'compaction' && row.step === step);
  return { attempts: Math.max(0, ...own.map(({ attempt }) => attempt)), lost: lostAtEnd(own) };
}

function requestFor(
  run: SliceRun,
  { room, compaction }: CompactionInput,
  { replaced }: Replacement,
) {
  const count = run.ports.model.countTokens;
  const system = renderPrompt('summarise');
  const objective = escapeText(run.brief.objective.slice(0, OBJECTIVE_SHOWN));
  const fits = (text: string) => count(text) <= room * SHARE_OF_TRANSCRIPT;
  const text = renderPrompt('transcript', {
    objective,
    entries: transcriptOf(replaced, compaction?.notes ?? null, fits),
  });
  const turn = run.input.turn;
  const message = { seq: 1, turn, step: null, voice: 'host', content: { text } } as const;
  const estimatedInput = Math.ceil((count(system) + count(text)) * 1.1) + 50;
  return { system, messages: [message], estimatedInput, asked: askedAlone(system, text) };
}

type Sent = Reserved & { readonly step: number };

function begin(run: SliceRun, sent: Sent, asked: AskedRequest): Promise<boolean> {
  const { step, attempt, model, estimatedInput, maxOutputTokens } = sent;
  return run.ports.journal.beginStep(run.attempt.fence, {
    turn: run.input.turn,
    kind: 'compaction',
    step,
    attempt,
    model,
    estimatedInput,
    reservedOutput: maxOutputTokens,
    ifLost: usageIfLost(payerOf(run, model), run.usage, sent),
    mostUsd: mostCost(payerOf(run, model), sent),
    asked,
  });
}

type Closed = Summarised | { readonly kind: 'trouble'; readonly trouble: ProviderTrouble };

/** Charges the call here unless it was answered; an answer is charged with its compaction. */
async function close(
  run: SliceRun,
  sent: Sent,
  answer: ModelAnswer,
  { mostNotes }: Replacement,
): Promise<Closed> {
  const payer = payerOf(run, sent.model);
  const { firstTokenMs } = answer;
  if (answer.kind !== 'answer') {
    const problem = answer.kind === 'trouble' ? answer.trouble : null;
    const usage = usageOfUnfinished(payer, sent, answer);
    await fail(run, { ...sent, firstTokenMs }, usage, problem);
    return problem === null ? stoppedBy(run) : { kind: 'trouble', trouble: problem };
  }
  const usage = usageOf(payer, sent, answer);
  if (answer.finishReason === 'content_filter') {
    await fail(run, { ...sent, firstTokenMs }, usage, CUT_BY_FILTER);
    return NONE;
  }
  const { step, attempt } = sent;
  const notes = notesIn(answer.text);
  const isTooLong = notes !== null && run.ports.model.countTokens(notes) > mostNotes * 1.5;
  const call = { step, attempt, finishReason: answer.finishReason, usage, firstTokenMs };
  return { kind: 'answered', notes: isTooLong ? null : notes, call };
}

const CUT_BY_FILTER = trouble('content_refused', 'content refused: the notes were cut off');
const LEAST_CHARACTERS = 20;
const LONGEST_EXCUSE = 500;
const EXCUSE = /\b(?:sorry|unable to|can(?:no|['’])t (?:help|assist|comply|do that|summari))/i;

/** The notes in an answer; null for silence, a word or two, or an excuse. */
export function notesIn(answer: string): string | null {
  const text = answer.trim();
  if (text.length < LEAST_CHARACTERS) return null;
  return text.length < LONGEST_EXCUSE && EXCUSE.test(text) ? null : text;
}

async function fail(
  run: SliceRun,
  { step, attempt, firstTokenMs }: Sent & Timed,
  usage: CallUsage | null,
  problem: ProviderTrouble | null,
): Promise<void> {
  const { turn } = run.input;
  await run.ports.journal.failStep(run.attempt.fence, {
    turn,
    kind: 'compaction',
    step,
    attempt,
    usage,
    trouble: problem,
    firstTokenMs,
    partialText: null,
    activeMs: elapsedMs(run),
  });
  if (usage !== null) charge(run, usage);
}

/** Troubles that the next step would meet as well: the conversation isn't given up for them. */
const AWAY: ReadonlySet<ProviderTrouble['kind']> = new Set([
  'rate_limit',
  'overload',
  'timeout',
  'connection',
  'auth',
  'quota',
]);

/** Null where a summary can't be had, and the goal goes on without. */
async function afterTrouble(
  run: SliceRun,
  model: string,
  problem: ProviderTrouble,
  tries: number,
): Promise<SliceStop | 'retry' | null> {
  const isAway = AWAY.has(problem.kind);
  const seconds = isAway || tries === 1 ? shortWait(problem, tries, Math.random()) : null;
  if (seconds !== null) return await waitShortly(run, seconds);
  return isAway ? providerError(run, model, problem) : null;
}
