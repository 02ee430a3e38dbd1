import type { Mode, PauseReason } from '../../../schema/goal.ts';
import type { Outcome } from '../../../schema/ledger.ts';
import type { StepEvidence } from '../../../schema/todo.ts';
import type { Decision } from '../../contract/decision.ts';
import type { TurnFacts } from '../../contract/turn-facts.ts';
import { refusalText } from '../../goal/waits/chain.ts';
import { checksBeforeClaim } from '../claim-order.ts';
import { claimText } from '../claim-text.ts';

/** Arguments of a call that ends a turn. */
export interface EndingArguments {
  readonly result?: string;
  /** The command that a claim names as showing it. */
  readonly command?: string;
  /** Evidence of a claim. */
  readonly evidence?: readonly StepEvidence[];
  readonly question?: string;
  readonly blocker?: string;
  /** Of a dispute. */
  readonly explanation?: string;
  readonly options?: readonly string[];
  readonly default?: string;
}

/** The model's claim, question or report. */
export const saidIn = (asked: EndingArguments): string => {
  const { result, evidence = [], question, blocker, explanation } = asked;
  return result === undefined
    ? (question ?? blocker ?? explanation ?? '')
    : claimText(result, evidence);
};

/** The call that ended the turn, which its decision settles; null = no call did. */
export const openCallOf = ({ claim, question, blocker, dispute, election }: TurnFacts) =>
  (claim ?? question ?? blocker ?? dispute ?? election)?.callId ?? null;

export interface CallResult {
  readonly outcome: Outcome;
  readonly text: string;
}

/** The result that the model reads for the call that ended its turn. */
export function resultOfOpenCall(facts: TurnFacts, decision: Decision): CallResult {
  if (facts.election) return resultOfWakeRequest(decision);
  return facts.claim === null ? resultOfRequest(decision) : resultOfClaim(decision, facts.mode);
}

const REACHES_PERSON: readonly PauseReason[] = ['question', 'blocked', 'disputed'];

/** A question, a blocker or a dispute succeeds where it reaches a person. */
function resultOfRequest(decision: Decision): CallResult {
  const { outcome } = decision;
  const reachesPerson = outcome.action === 'pause' && REACHES_PERSON.includes(outcome.reason);
  return reachesPerson
    ? { outcome: 'succeeded', text: 'This was put to the person.' }
    : resultOfClaim(decision);
}

function resultOfClaim(decision: Decision, mode: Mode = 'gather'): CallResult {
  const { outcome, missing, reasons, sentence } = decision;
  if (outcome.action === 'complete') return { outcome: 'succeeded', text: 'Accepted.' };
  const isPutToPerson =
    outcome.action === 'wait' ||
    (outcome.action === 'pause' && outcome.reason === 'unverified_claim');
  if (isPutToPerson) {
    return { outcome: 'succeeded', text: 'The claim was put to a person, who decides.' };
  }
  if (missing.length === 0) return { outcome: 'refused', text: `Not taken: ${sentence}` };
  const lines = missing.map((id) => `- ${id}: ${reasons[id] ?? 'not proven'}`);
  const checks = checksBeforeClaim(mode);
  const order = checks === '' ? [] : [`Put these right, then ${checks}, then claim again.`];
  return { outcome: 'refused', text: ['Refused. What is missing:', ...lines, ...order].join('\n') };
}

function resultOfWakeRequest({ election, outcome, sentence }: Decision): CallResult {
  if (election?.isGranted === false) return { outcome: 'refused', text: refusalText(election) };
  if (election === undefined || outcome.action !== 'wait') {
    return { outcome: 'refused', text: `No wake was scheduled: ${sentence}` };
  }
  if (outcome.on === 'delegate') {
    const text = 'No timer was set: the result of your delegate wakes you.';
    return { outcome: 'succeeded', text };
  }
  const { on, seconds, note } = election;
  const when = on === 'timer' ? `in ${seconds} s` : `when it holds, or after ${seconds} s`;
  const moved = note === null ? '' : ` You ${note}.`;
  return { outcome: 'succeeded', text: `The host wakes you ${when}.${moved}` };
}
