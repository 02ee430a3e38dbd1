import { ladder } from '../../../schema/ladder.ts';
import type { Tone } from './tone.ts';

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
