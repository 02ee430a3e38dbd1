import { tricksters } from '../families/adversaries.ts';
import type { Trajectory } from '../trajectory.ts';
import { byRule } from './by-rule.ts';
import { elsewhere } from './elsewhere.ts';
import { judges } from './judges.ts';
import { moments } from './moments.ts';
import { receipts } from './receipts.ts';
import { asksTheWork } from './rule/asks-the-work.ts';
import { builtAndFound } from './rule/built-and-found.ts';
import { noMeasure } from './rule/no-measure.ts';
import { noValue } from './rule/no-value.ts';
import { oneOfMany } from './rule/one-of-many.ts';
import { oneOfManyCompiled } from './rule/one-of-many-compiled.ts';
import { tellsCanaries } from './rule/tells-canaries.ts';
import { compiled } from './rule/third-compiled.ts';
import { interpreted } from './rule/third-interpreted.ts';
import { tricksOf } from './rule/trick.ts';
import { workJudges } from './rule/work-judges.ts';
import { voices } from './voices.ts';
import { watchers } from './watchers.ts';
import { words } from './words.ts';

export const adversaries: readonly Trajectory[] = [
  ...words,
  ...receipts,
  ...moments,
  ...watchers,
  ...elsewhere,
  ...voices,
  ...judges,
  ...byRule,
  ...oneOfMany,
  ...oneOfManyCompiled,
  ...noValue,
  ...noMeasure,
  ...asksTheWork,
  ...workJudges,
  ...tellsCanaries,
  ...builtAndFound,
  ...tricksOf('By the rule, a third time', 'third', { ...interpreted, ...compiled }),
  ...tricksters,
];
