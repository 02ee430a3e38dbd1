/** Goalkeeper as a library: a client, and workers with an application's own tools and models. */

export type { RunningWorker } from './app/run-worker.ts';
export {
  answerOf,
  type ClientOptions,
  createClient,
  type GoalkeeperClient,
  ServiceProblem,
} from './library/client.ts';
export { defineTool, type OwnTool, type OwnToolContext } from './library/own-tool.ts';
export { createWorker, type OwnWorkerOptions } from './library/worker.ts';
