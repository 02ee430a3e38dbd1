import { proxyActivities } from '@temporalio/workflow';

interface RawActivities {
  first(turn: number): Promise<number>;
  second(turn: number): Promise<number>;
}

const activities = proxyActivities<RawActivities>({ startToCloseTimeout: '15 s' });

/** Turns of two instant activities. @returns when each turn began, milliseconds since the epoch */
export async function rawLoop(turns: number): Promise<number[]> {
  const begun: number[] = [];
  for (let turn = 1; turn <= turns; turn += 1) {
    begun.push(await activities.first(turn));
    await activities.second(turn);
  }
  return begun;
}
