import type { RuleName } from '../../../schema/rule-name.ts';
import type {
  Decision,
  NumberedDecision,
  Outcome,
  RuleNumber,
  YieldsTo,
} from '../../contract/decision.ts';

/** Each rule's place in the order of judgement: stored records and the API show this number. */
export const ruleNumbers: Readonly<Record<RuleName, RuleNumber>> = {
  interrupted: 1,
  broken_turn: 2,
  ask: 3,
  claim: 4,
  finding: 5,
  yield: 5,
  message_answered: 5,
  wrap_up: 6,
  limit: 6,
  delegates: 7,
  wake_request: 7,
  waiting_words: 8,
  content_refused: 9,
  truncated: 9,
  no_progress: 10,
  nudge: 11,
};

/**
 * Name of the rule that a record tells of. Older records have the number alone, so the name is null
 * where several rules share it.
 */
export function recordedRule(rule: number, name: string | null | undefined): RuleName | null {
  const names = Object.keys(ruleNumbers) as RuleName[];
  const sharing = names.filter((one) => ruleNumbers[one] === rule);
  const [only] = sharing.length === 1 ? sharing : [];
  return names.find((one) => one === name) ?? only ?? null;
}

/** A decision by name, also where an older workflow sent it by number. */
export function namedDecision(sent: Decision | NumberedDecision): Decision {
  if (isNamed(sent)) return sent;
  const { rule, outcome } = sent;
  return { ...sent, rule: nameOf(rule, outcome), yieldsTo: yieldsToOf(rule, outcome) };
}

const isNamed = (sent: Decision | NumberedDecision): sent is Decision =>
  typeof sent.rule === 'string';

/** The outcome tells a rule from those that share its number. */
function nameOf(rule: RuleNumber, outcome: Outcome): RuleName {
  switch (rule) {
    case 1:
      return 'interrupted';
    case 2:
      return 'broken_turn';
    case 3:
      return 'ask';
    case 4:
      return 'claim';
    case 5:
      if (outcome.action !== 'complete') return 'message_answered';
      return outcome.verification === 'supported' ? 'finding' : 'yield';
    case 6:
      return outcome.action === 'hold' ? 'wrap_up' : 'limit';
    case 7:
      return outcome.action === 'wait' && outcome.on !== 'delegate' ? 'wake_request' : 'delegates';
    case 8:
      return 'waiting_words';
    case 9:
      return outcome.action === 'pause' && outcome.reason === 'provider_error'
        ? 'content_refused'
        : 'truncated';
    case 10:
      return 'no_progress';
    case 11:
      return 'nudge';
  }
}

/**
 * Numbers said it before names did: pauses and waits from 5 on, and the wait for a call's approval.
 */
function yieldsToOf(rule: RuleNumber, { action }: Outcome): YieldsTo {
  switch (action) {
    case 'continue':
    case 'refuse':
      return 'message';
    case 'nudge':
      return 'result';
    case 'pause':
    case 'wait':
      if (rule >= 7) return 'result';
      return rule === 5 || (rule === 3 && action === 'wait') ? 'message' : 'nobody';
    default:
      return 'nobody';
  }
}
