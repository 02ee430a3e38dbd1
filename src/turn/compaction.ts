import { elapsedMs } from '../attempt/elapsed.ts';
import type { Reserved } from '../attempt/reservation.ts';
import {
  type CompactionInput,
  planReplacement,
  planShortening,
  planTightening,
  type Replacement,
  replaceBy,
} from '../context/compaction-plan.ts';
import { buildRequest, fixedInput, messageTokens, roomIn } from '../context/context.ts';
import { listOfCalls } from '../context/transcript.ts';
import type { Compaction, CompactionReason } from '../contract/compaction-record.ts';
import type { SliceStop } from '../contract/slice-stop.ts';
import type { ProviderTrouble } from '../contract/turn-facts.ts';
import { trouble } from '../model/errors.ts';
import { providerError } from './provider-stops.ts';
import { readConversation, requestGround, takeSteering } from './request.ts';
import { charge, type SliceRun, settleOwed } from './slice-run.ts';
import { type SummaryCall, summarise } from './summary.ts';

/** Share of the model's window at which a compaction begins. */
const SHARE_OF_WINDOW = 0.8;
/** Of the room for a conversation, what an earlier goal may take: each step of this one carries it. */
const SHARE_OF_CONTINUED = 0.25;
/** The last request is a short one, so it may fill more of the window. */
const SHARE_OF_LAST = 0.95;
/** Share of the conversation that is kept when the provider found a request too long. */
const SHARE_OF_OVERFLOW = 0.6;

interface Need {
  readonly reason: CompactionReason;
  readonly model: string;
  /** Tokens that a request to this model may have from now on, estimated. */
  readonly limit: number;
  /** Estimated input of the request that is too long. */
  readonly estimatedInput: number;
  /** The provider's error message. */
  readonly problem?: string;
}

type Made = SliceStop | 'compacted';
/** Nothing could be left out, and nothing had to be. */
type Eased = Made | null;

/** Compacts if needed; null when the request leaves enough of the model's window free. */
export async function makeRoom(
  run: SliceRun,
  model: string,
  { estimatedInput }: { readonly estimatedInput: number },
): Promise<Eased> {
  const limit = limitFor(run, model);
  if (estimatedInput > limit)
    return await compact(run, { reason: 'window', model, limit, estimatedInput });
  const eased = easyLimit(run, limit);
  if (estimatedInput <= eased) return null;
  return await ease(run, { reason: 'continued', model, limit: eased, estimatedInput });
}

/** Tokens of a first request up to which a goal takes over a conversation as it is. */
function easyLimit(run: SliceRun, limit: number): number {
  const { kind, brief, step } = run;
  if (kind !== 'start' || step > 0 || brief.continues === undefined) return limit;
  const fixed = fixedInput(requestGround(run));
  return Math.floor(fixed + (limit - fixed) * SHARE_OF_CONTINUED);
}

function limitFor({ ports, kind, compaction }: SliceRun, model: string): number {
  const share = kind === 'wrap_up' ? SHARE_OF_LAST : SHARE_OF_WINDOW;
  const ofWindow = Math.floor(ports.model.contextWindow(model) * share);
  return Math.min(ofWindow, compaction?.limits[model] ?? ofWindow);
}

/**
 * Compacts after the provider refused a request as too long; later requests of the goal stay well
 * below its size.
 */
export async function makeRoomAfter(
  run: SliceRun,
  { model, estimatedInput }: Reserved,
  { message }: ProviderTrouble,
): Promise<Made> {
  const fixed = fixedInput(requestGround(run));
  const limit = Math.floor(fixed + (estimatedInput - fixed) * SHARE_OF_OVERFLOW);
  return await compact(run, { reason: 'overflow', model, limit, estimatedInput, problem: message });
}

/**
 * One compaction, the gentlest that makes enough room: old results are shortened, else notes take
 * the place of older messages, else the newest results are shortened as well. Afterwards a request
 * is within its limit, or the turn ends and says why it can't be.
 */
async function compact(run: SliceRun, need: Need): Promise<Made> {
  return (await ease(run, need)) ?? noRoom(run, need);
}

/** The same; null where that makes not enough room. */
async function ease(run: SliceRun, need: Need): Promise<Eased> {
  await settleOwed(run);
  await readConversation(run);
  const ground = groundOf(run, need);
  if (ground.room <= 0) return null;
  const short = planShortening(ground);
  if (short !== null) return await commit(run, need, short, null);
  const replacement = planReplacement(ground) ?? planReplacement(ground, 0);
  if (replacement === null) return await tighten(run, need, ground, null);
  const asked = await summarise(run, need.model, ground, replacement);
  if ('end' in asked) return asked;
  if (asked.kind === 'interrupted') {
    await takeSteering(run);
    return await ease(run, need);
  }
  const { notes, call } = asked;
  const next = (notes && replaceBy(ground, replacement, { notes, notesBy: 'model' })) || null;
  const found = next ?? withoutSummary(run, ground, replacement);
  return found === null
    ? await tighten(run, need, ground, call)
    : await commit(run, need, found, call);
}

function groundOf(run: SliceRun, { limit, model }: Need): CompactionInput {
  const count = run.ports.model.countTokens;
  const ground = requestGround(run, model);
  return {
    messages: [...ground.messages],
    compaction: run.compaction,
    room: roomIn(ground, limit),
    tokensOf: (message) => messageTokens(message, count),
  };
}

/**
 * Compacts without a summary: a list of the calls replaces it, if need be with only the last answer
 * beside it.
 */
function withoutSummary(
  { ports }: SliceRun,
  ground: CompactionInput,
  replacement: Replacement,
): Compaction | null {
  const count = ports.model.countTokens;
  for (const plan of [replacement, planReplacement(ground, 0)]) {
    if (plan === null) continue;
    const fits = (text: string) => count(text) <= plan.mostNotes;
    const notes = listOfCalls(plan.replaced, ground.compaction?.notes ?? null, fits);
    const next = replaceBy(ground, plan, { notes, notesBy: 'host' });
    if (next !== null) return next;
  }
  return null;
}

async function tighten(
  run: SliceRun,
  need: Need,
  ground: CompactionInput,
  call: SummaryCall | null,
): Promise<Eased> {
  const tight = planTightening(ground);
  if (tight !== null) return await commit(run, need, tight, call);
  if (call !== null) await closeCall(run, call);
  return null;
}

/** Settles a summary call whose answer is unusable. */
async function closeCall(run: SliceRun, call: SummaryCall): Promise<void> {
  const { turn } = run.input;
  await run.ports.journal.commitStep(run.attempt.fence, {
    ...call,
    turn,
    kind: 'compaction',
    content: null,
    activeMs: elapsedMs(run),
  });
  charge(run, call.usage);
}

async function commit(
  run: SliceRun,
  { reason, model, limit, estimatedInput }: Need,
  planned: Compaction,
  call: SummaryCall | null,
): Promise<Made> {
  const learned = reason === 'overflow' ? { [model]: limit } : {};
  const compaction = { ...planned, limits: { ...planned.limits, ...learned } };
  await run.ports.journal.commitCompaction(run.attempt.fence, {
    turn: run.input.turn,
    step: run.step + 1,
    reason,
    model,
    compaction,
    tokensBefore: estimatedInput,
    tokensAfter: buildRequest({ ...requestGround(run, model), compaction }).estimatedInput,
    call,
    activeMs: elapsedMs(run),
  });
  if (call !== null) charge(run, call.usage);
  await readConversation(run);
  return 'compacted';
}

/** Neither waiting nor retrying the same model helps: a person has to change something. */
function noRoom(run: SliceRun, { model, limit, problem }: Need): SliceStop {
  const fixed = fixedInput(requestGround(run));
  const message =
    `${problem === undefined ? '' : `${problem.slice(0, 160)} — `}nothing more can be left out: ` +
    `a request to ${model} may have ${limit} tokens, and its instructions, tools and goal block ` +
    `take ${fixed} of them. Choose a model with a larger window, or shorten the objective, the ` +
    'criteria or the last message; then resume.';
  return providerError(run, model, trouble('context_overflow', message));
}
