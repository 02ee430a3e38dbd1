import type { Tone } from './tone.ts';

/** The order of checks when a turn settles; the first that applies decides. */
const ladder = [
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

export interface Rung {
  readonly rule: number;
  readonly label: string;
  readonly verdict: 'no' | 'decided' | 'not reached';
}

export const rungsOf = (fired: number): Rung[] =>
  ladder.map(({ rule, label }) => ({
    rule,
    label,
    verdict: rule < fired ? 'no' : rule === fired ? 'decided' : 'not reached',
  }));

export const subScores = [
  { key: 'finishReason', label: 'Finish reason', most: 30 },
  { key: 'toolResult', label: 'Ended on a tool result', most: 25 },
  { key: 'intent', label: 'Names a next step, claims no end', most: 25 },
  { key: 'noSummary', label: 'No wrap-up phrase', most: 10 },
  { key: 'ratio', label: 'Mostly tool work', most: 10 },
] as const;

const actionWords: Readonly<Record<string, { word: string; tone: Tone }>> = {
  continue: { word: 'continue', tone: 'accent' },
  nudge: { word: 'nudge', tone: 'warn' },
  refuse: { word: 'refused', tone: 'bad' },
  wait: { word: 'wait', tone: '' },
  pause: { word: 'pause', tone: '' },
  limit: { word: 'limit', tone: 'warn' },
  complete: { word: 'complete', tone: 'ok' },
  hold: { word: 'hold', tone: '' },
};

export const actionOf = (action: string) => actionWords[action] ?? { word: action, tone: '' };

const whyTitles: Readonly<Record<string, string>> = {
  continue: 'Why it went on',
  nudge: 'Why it was nudged',
  refuse: 'Why completion was refused',
  wait: 'Why it waited',
  pause: 'Why it paused',
  limit: 'Why it stopped',
  complete: 'Why it is complete',
  hold: 'Why it holds',
};

export const whyTitle = (action: string): string => whyTitles[action] ?? 'Why';
