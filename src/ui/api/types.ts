import type { components, operations } from './schema.d.ts';

type Schemas = components['schemas'];

export type Goal = Schemas['Goal'];
export type Problem = Schemas['Problem'];
export type Approval = Schemas['Approval'];
export type Criterion = Schemas['TrackedCriterion'];
export type TodoItem = Schemas['TodoItem'];
export type Turn = Schemas['Turn'];
export type TurnOutline = Schemas['TurnOutline'];
export type Call = Schemas['Call'];
export type GoalStatus = Goal['status'];
export type GoalCounts = operations['countGoals']['responses'][200]['content']['application/json'];
export type Session = operations['getSession']['responses'][200]['content']['application/json'];
export type Gate = operations['getGate']['responses'][200]['content']['application/json'];
export type Question = NonNullable<
  operations['getQuestion']['responses'][200]['content']['application/json']['question']
>;
export type GoalQuery = NonNullable<operations['listGoals']['parameters']['query']>;
export type CallQuery = NonNullable<operations['listCalls']['parameters']['query']>;
export type ChainVerdict =
  operations['verifyLedger']['responses'][200]['content']['application/json'];
