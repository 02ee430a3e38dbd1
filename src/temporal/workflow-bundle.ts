import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type WorkflowBundleOption } from '@temporalio/worker';
import { FAILURE_CONVERTER } from './data-converter.ts';
import { quietLogger } from './quiet-logger.ts';

const workflowFile = (name: string): string =>
  fileURLToPath(new URL(`../../workflows/${name}${extname(import.meta.url)}`, import.meta.url));

const WORKFLOWS = workflowFile('index');

/** Made by the build: bundling at the start of a worker would cost seconds of every recovery. */
const BUILT = fileURLToPath(new URL('../../workflow-bundle.js', import.meta.url));

/** `GOALKEEPER_WORKFLOW_BUNDLE` names one that is made already: tests and development. */
export async function workflowBundle(): Promise<WorkflowBundleOption> {
  const given = process.env.GOALKEEPER_WORKFLOW_BUNDLE;
  if (given) return { codePath: given };
  if (extname(import.meta.url) === '.js' && existsSync(BUILT)) return { codePath: BUILT };
  return { code: await bundleWorkflows() };
}

/**
 * Fails when workflow code imports anything of Node: that is the determinism test. The modules keep
 * no state of their own, so one copy of them serves all goals of a worker: a copy for each cost
 * every waiting goal its memory and every start and replay its time.
 */
export async function bundleWorkflows(workflowsPath = WORKFLOWS): Promise<string> {
  const preloadModules = [workflowsPath];
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    preloadModules,
    workflowInterceptorModules: [workflowFile('interceptors')],
    failureConverterPath: FAILURE_CONVERTER,
    logger: quietLogger,
  });
  return code;
}
