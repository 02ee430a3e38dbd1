/** The order of checks when a turn settles; the first that applies decides. */
export const ladder = [
  { rule: 1, stage: 'interrupted', label: 'Stopped or paused by a person' },
  { rule: 2, stage: 'broken_turn', label: 'Protocol broken' },
  { rule: 3, stage: 'ask', label: 'Approval, question or blocker' },
  { rule: 4, stage: 'claim', label: 'Completion claimed' },
  { rule: 5, stage: 'yield', label: 'Yielded: does everything hold?' },
  { rule: 6, stage: 'limit', label: 'Budget used up' },
  { rule: 7, stage: 'wait', label: 'Asked to be woken' },
  { rule: 8, stage: 'waiting_words', label: 'Words that wait for a person' },
  { rule: 9, stage: 'cut_off', label: 'Cut off or refused content' },
  { rule: 10, stage: 'no_progress', label: 'No progress' },
  { rule: 11, stage: 'nudge', label: 'Nudge by the score' },
] as const;

export type Stage = (typeof ladder)[number]['stage'];

/** The step of the order that decided, by the number that the API shows. */
export const stageOf = (rule: number | null): Stage | null =>
  ladder.find((rung) => rung.rule === rule)?.stage ?? null;
