import { execFile } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundleWorkflows } from '../src/temporal/workflow-bundle.ts';
import { apiTypes } from './api-document.ts';
import { buildConsole } from './build-console.ts';
import { buildHelper } from './build-helper.ts';
import { generateStoreTypes } from './store-types.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = `${root}dist`;

/** What is copied as it is. */
const PLAIN = [
  'src/temporal/failure-converter.cjs',
  'src/process/launcher.cjs',
  'src/stack/relay.cjs',
  'src/store/generated/driver',
  'src/context/prompts',
  'schema/migrations',
  'schema/schema.prisma',
  'demo/project',
];

async function compile(): Promise<void> {
  const api = await apiTypes();
  await writeFile(`${root}src/library/api.d.ts`, api);
  const compiler = `${root}node_modules/typescript-7/bin/tsc`;
  const options = ['-p', 'tsconfig.build.json'];
  await promisify(execFile)(process.execPath, [compiler, ...options], { cwd: root });
  // The compiler writes no declarations of its own for what is one already.
  await writeFile(`${dist}/src/library/api.d.ts`, api);
}

generateStoreTypes();
await rm(dist, { recursive: true, force: true });
await mkdir(dist);
await Promise.all([
  compile(),
  bundleWorkflows().then((code) => writeFile(`${dist}/workflow-bundle.js`, code)),
  buildConsole(`${dist}/console`),
  buildHelper(`${dist}/src/workspace/helper`),
  ...PLAIN.map((path) => cp(root + path, `${dist}/${path}`, { recursive: true })),
]);
