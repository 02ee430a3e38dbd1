import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MAIN } from '../compose/image.ts';

const HERE = dirname(dirname(dirname(dirname(MAIN))));
export const NEXT_VERSION = '999.0.0';

/** What a new run of the next build records first, and no older code knows. */
const KNOWN = 'patched(LEAVES_BUSY)';
const NEXT = `(patched('next-build'), ${KNOWN})`;

/**
 * The next build of this repository: another version, whose workflows record something that the present
 * one can't replay.
 * @returns its command line
 */
export async function makeNextBuild(folder: string): Promise<string> {
  const dist = join(folder, 'dist');
  mkdirSync(folder, { recursive: true });
  cpSync(join(HERE, 'dist'), dist, { recursive: true });
  symlinkSync(join(HERE, 'node_modules'), join(folder, 'node_modules'));
  const description = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8'));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ ...description, version: NEXT_VERSION }),
  );
  const workflow = join(dist, 'workflows', 'goal.workflow.js');
  const parts = readFileSync(workflow, 'utf8').split(KNOWN);
  if (parts.length !== 2) throw new Error(`${workflow} has ${KNOWN} ${parts.length - 1} times`);
  writeFileSync(workflow, parts.join(NEXT));
  const bundler = pathToFileURL(join(dist, 'src', 'temporal', 'workflow-bundle.js')).href;
  const { bundleWorkflows } = (await import(bundler)) as {
    bundleWorkflows(): Promise<string>;
  };
  writeFileSync(join(dist, 'workflow-bundle.js'), await bundleWorkflows());
  return join(dist, 'src', 'cli', 'main.js');
}
