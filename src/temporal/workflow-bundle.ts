import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
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
  if (given) return { codePath: await readable(given) };
  if (extname(import.meta.url) === '.js' && existsSync(BUILT)) {
    return { codePath: await readable(BUILT) };
  }
  return { code: await bundleWorkflows() };
}

/** The code of the workflows can't be read: this worker could run no goal. */
export class BundleUnreadable extends Error {
  readonly wayOut =
    'Let this user read the file, build again, or unset GOALKEEPER_WORKFLOW_BUNDLE.';

  constructor(path: string, cause: unknown) {
    const said = cause instanceof Error ? cause.message : String(cause);
    super(`The workflow bundle ${path} can't be read: ${said}`, { cause });
    this.name = 'BundleUnreadable';
  }
}

async function readable(path: string): Promise<string> {
  try {
    const handle = await open(path);
    const { size } = await handle.stat();
    await handle.close();
    if (size === 0) throw new Error('it is empty');
    return path;
  } catch (error) {
    throw new BundleUnreadable(path, error);
  }
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
