import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleWorkflows } from '../../src/temporal/workflow-bundle.ts';

/** Bundled once a run: every worker of every test takes the same code. */
export default async function setup(): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'goalkeeper-bundle-'));
  const path = join(folder, 'workflow-bundle.js');
  writeFileSync(path, withoutMap(await bundleWorkflows()));
  process.env.GOALKEEPER_WORKFLOW_BUNDLE = path;
  return () => rmSync(folder, { recursive: true, force: true });
}

/**
 * Each worker parses the map of three quarters of the file, and keeps it, for stack traces of
 * workflows that no test asks for.
 */
function withoutMap(bundle: string): string {
  const at = bundle.lastIndexOf('//# sourceMappingURL=data:');
  if (at < 0) throw new Error('the workflow bundle has no source map');
  const map = { version: 3, file: 'workflow-bundle.js', sources: [], names: [], mappings: '' };
  const url = `data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
  return `${bundle.slice(0, at)}//# sourceMappingURL=${url}\n`;
}
