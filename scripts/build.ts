import { execFileSync } from 'node:child_process';
import { cp, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflows } from '../src/temporal/workflow-bundle.ts';
import { apiTypes } from './api-document.ts';
import { buildConsole } from './build-console.ts';
import { buildHelper } from './build-helper.ts';
import { generateStoreTypes } from './store-types.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = `${root}dist`;

generateStoreTypes();
await rm(dist, { recursive: true, force: true });
const api = await apiTypes();
await writeFile(`${root}src/library/api.d.ts`, api);
execFileSync(
  process.execPath,
  [`${root}node_modules/typescript-7/bin/tsc`, '-p', 'tsconfig.build.json'],
  {
    cwd: root,
    stdio: 'inherit',
  },
);
// The compiler writes no declarations of its own for what is one already.
await writeFile(`${dist}/src/library/api.d.ts`, api);
await buildHelper(`${dist}/src/workspace/helper`);
for (const plain of ['src/temporal/failure-converter.cjs', 'src/stack/relay.cjs'])
  await cp(root + plain, `${dist}/${plain}`);
await cp(`${root}src/store/generated/driver`, `${dist}/src/store/generated/driver`, {
  recursive: true,
});
await cp(`${root}src/context/prompts`, `${dist}/src/context/prompts`, { recursive: true });
await cp(`${root}schema/migrations`, `${dist}/schema/migrations`, { recursive: true });
await cp(`${root}schema/schema.prisma`, `${dist}/schema/schema.prisma`);
await cp(`${root}demo/project`, `${dist}/demo/project`, { recursive: true });
await writeFile(`${dist}/workflow-bundle.js`, await bundleWorkflows());
await buildConsole(`${dist}/console`);
