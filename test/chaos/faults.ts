import { appendFileSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A worker dies when `point` is passed for the `time`th time, whichever of its lives that is. */
export interface Fault {
  readonly point: string;
  readonly time: number;
}

const BETWEEN = '--';

/** The faults of a goal are in its thread's name, so that every worker knows them from the record. */
export const threadOf = (faults: readonly Fault[], unique: string): string =>
  [...faults.map(nameOf), unique].join(BETWEEN);

export const faultsOf = (threadId: string): Fault[] =>
  threadId.split(BETWEEN).slice(0, -1).map(parseFault);

/** Begins the points of a goal's faults that its delegates pass. */
export const OF_DELEGATES = 'delegate.';

/** Those of its thread, and of its parent's the ones that are for delegates. */
export const faultsOfGoal = (threadId: string, parentThreadId: string | null): Fault[] => [
  ...faultsOf(threadId),
  ...faultsOf(parentThreadId ?? '')
    .filter(({ point }) => point.startsWith(OF_DELEGATES))
    .map(({ point, time }) => ({ point: point.slice(OF_DELEGATES.length), time })),
];

export const nameOf = ({ point, time }: Fault): string => `${point}-${time}`;

export function parseFault(name: string): Fault {
  const [point = '', time = '1'] = name.split('-');
  return { point, time: Number(time) };
}

/** A worker's own fault, which is about no goal. */
export const NO_GOAL = 'worker';

const fileOf = (folder: string, owner: string, { point }: Fault) =>
  join(folder, `${owner} ${point}`);

/** Counts a passage, kept beyond the worker's death. */
export function isTimeToDie(folder: string, owner: string, fault: Fault, point: string): boolean {
  if (fault.point !== point) return false;
  const file = fileOf(folder, owner, fault);
  appendFileSync(file, '.');
  return statSync(file).size === fault.time;
}

export function hasStruck(folder: string, owner: string, fault: Fault): boolean {
  const file = fileOf(folder, owner, fault);
  return existsSync(file) && statSync(file).size >= fault.time;
}

/** How often each point of an owner was counted; for messages of a failed test. */
export const counted = (folder: string, owner: string): string[] =>
  readdirSync(folder).filter((name) => name.startsWith(`${owner} `));
