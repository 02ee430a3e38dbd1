/** Goalkeeper as a library: workers with an application's own tools and models. */
export { defineTool, type OwnTool, type OwnToolContext } from './library/own-tool.ts';
export { createWorker, type OwnWorkerOptions } from './library/worker.ts';
export type { RunningWorker } from './temporal/run-worker.ts';
