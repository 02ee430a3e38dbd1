import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const schema = `${root}schema/schema.prisma`;
const generated = `${root}src/db/generated/client.ts`;

/** Makes the Prisma client when schema.prisma is newer than the one that is there. */
if (!isCurrent()) {
  execFileSync(
    process.execPath,
    [`${root}node_modules/prisma/build/index.js`, 'generate', '--schema', schema],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      // Generating needs no schema engine; naming one keeps Prisma from downloading it.
      env: {
        ...process.env,
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
        CHECKPOINT_DISABLE: '1',
      },
    },
  );
}

function isCurrent(): boolean {
  return existsSync(generated) && statSync(generated).mtimeMs >= statSync(schema).mtimeMs;
}
