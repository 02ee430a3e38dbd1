import type { HandOver } from '../stack/workers.ts';

/** Loaded when a worker has died, not while everything starts. */
export const handOver: HandOver = async (workerId, addresses, config) => {
  const { handOverGoals } = await import('./hand-over-goals.ts');
  await handOverGoals(workerId, addresses, config);
};
