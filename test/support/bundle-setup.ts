import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleWorkflows } from '../../src/temporal/workflow-bundle.ts';

/** Bundled once a run: every worker of every test takes the same code. */
export default async function setup(): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'goalkeeper-bundle-'));
  const path = join(folder, 'workflow-bundle.js');
  writeFileSync(path, await bundleWorkflows());
  process.env.GOALKEEPER_WORKFLOW_BUNDLE = path;
  return () => rmSync(folder, { recursive: true, force: true });
}
