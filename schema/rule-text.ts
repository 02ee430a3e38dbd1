import type { RuleName } from './rule-name.ts';

const words: Readonly<Record<RuleName, string>> = {
  interrupted: 'stopped or paused by a person',
  broken_turn: 'the turn broke off',
  ask: 'approval, question or blocker',
  claim: 'completion claimed',
  finding: "a delegate's finding",
  yield: 'everything holds',
  message_answered: 'a message was answered',
  wrap_up: 'the wrap-up turn',
  limit: 'budget used up',
  delegates: 'waits for delegates',
  wake_request: 'asked to be woken',
  waiting_words: 'words that wait for a person',
  content_refused: 'the provider refused the content',
  truncated: 'the reply was cut off',
  no_progress: 'no progress',
  nudge: 'nudge by the score',
};

/** A rule for people: its number, and its words where the record has its name. */
export const ruleText = (rule: number | null, name: RuleName | null): string =>
  name === null ? `rule ${rule}` : `rule ${rule} (${words[name]})`;
