import type { ComparedRow } from '../../../schema/compared-turns.ts';
import type { Goal } from '../api/types.ts';
import { compact, dollars, duration } from './format.ts';
import { levelText } from './proof-bundle.ts';
import { statusWords } from './status-words.ts';

const NONE = '–';

type Fact = (goal: Goal) => string;

const stateOf: Fact = ({ status, completion }) =>
  completion === undefined ? statusWords[status] : levelText({ level: completion.verification });

const FACTS: readonly (readonly [name: string, Fact])[] = [
  ['Objective', ({ objective }) => objective],
  ['State', stateOf],
  ['Model', ({ model }) => model],
  ['Turns', ({ usage }) => String(usage.turns)],
  ['Model calls', ({ usage }) => String(usage.steps)],
  ['Tokens', ({ usage }) => compact(usage.tokens)],
  ['Cost', ({ usage }) => dollars(usage.costUsd)],
  ['Active time', ({ usage }) => duration(usage.activeSeconds)],
  [
    'Criteria met',
    ({ criteria }) =>
      `${criteria.filter(({ state }) => state === 'met').length} of ${criteria.length}`,
  ],
  ['Todo items', ({ todos: { done, total } }) => (total === 0 ? NONE : `${done} of ${total}`)],
  [
    'Changed files',
    ({ completion }) => (completion === undefined ? NONE : String(completion.changedFiles.length)),
  ],
];

/** Two goals side by side, fact by fact, with what their delegates used. */
export const comparedGoals = (left: Goal, right: Goal): readonly ComparedRow[] =>
  FACTS.map(([name, factOf]) => {
    const values = [factOf(left), factOf(right)] as const;
    return { name, values, differs: values[0] !== values[1] };
  });
