import { byRuleHonest } from '../adversaries/by-rule.ts';
import { craftspeople } from '../families/honest.ts';
import type { Trajectory } from '../trajectory.ts';
import { judges } from './judges.ts';
import { criteriaKinds } from './kinds.ts';
import { spellings } from './spellings.ts';
import { styles } from './styles.ts';

export const honest: readonly Trajectory[] = [
  ...spellings,
  ...styles,
  ...criteriaKinds,
  ...judges,
  ...byRuleHonest,
  ...craftspeople,
];
