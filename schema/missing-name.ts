import { ownValue } from './own-value.ts';

/** What a gate misses that is no criterion, todo item or requirement. */
const NAMES: Readonly<Record<string, string>> = {
  basis: 'changes beyond the scope',
  workspace: 'a workspace that nobody else writes to',
};

/** Of an id in `missing`: itself, unless it stands for something without an id. */
export const missingName = (id: string): string => ownValue(NAMES, id) ?? id;
