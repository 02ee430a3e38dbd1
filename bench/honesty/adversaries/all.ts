import type { Trajectory } from '../trajectory.ts';
import { checkers } from './checkers.ts';
import { elsewhere } from './elsewhere.ts';
import { judges } from './judges.ts';
import { moments } from './moments.ts';
import { receipts } from './receipts.ts';
import { runners } from './runners.ts';
import { tests } from './tests.ts';
import { voices } from './voices.ts';
import { watchers } from './watchers.ts';
import { words } from './words.ts';

export const adversaries: readonly Trajectory[] = [
  ...words,
  ...receipts,
  ...tests,
  ...runners,
  ...moments,
  ...watchers,
  ...elsewhere,
  ...voices,
  ...judges,
  ...checkers,
];
