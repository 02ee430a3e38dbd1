import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { patchState, writePatchedDriver } from './patched-driver.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const SCHEMA = 'schema/schema.prisma';
const GENERATED = 'src/store/generated';
const GENERATORS = ['prisma', '@prisma/client', 'prisma-kysely', 'postgres'];

/**
 * Prisma's client and the rows of every table, from schema.prisma, and the driver without its faults.
 * Nothing is asked of a network, and nothing is done where all of it is of this schema already:
 * builds, checks and tests begin with it.
 */
export function generateStoreTypes(): void {
  const state = stateOf(readFileSync(join(root, SCHEMA), 'utf8'));
  const stateFile = join(root, GENERATED, 'generated-from');
  if (existsSync(stateFile) && readFileSync(stateFile, 'utf8') === state) return;
  const workshop = makeWorkshop();
  try {
    runPrisma(workshop);
    const made = join(workshop, GENERATED);
    writePatchedDriver(join(made, 'driver'));
    writeFileSync(join(made, 'generated-from'), state);
    replace(join(root, GENERATED), made, workshop);
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

function stateOf(schema: string): string {
  const versions = GENERATORS.map((name) => {
    const description = readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8');
    return `${name} ${JSON.parse(description).version}`;
  });
  return [createHash('sha256').update(schema).digest('hex'), patchState(), ...versions, ''].join(
    '\n',
  );
}

/** A folder with the schema at its usual place; below the project, so that its packages are found. */
function makeWorkshop(): string {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const workshop = mkdtempSync(join(cache, 'store-types-'));
  mkdirSync(dirname(join(workshop, SCHEMA)), { recursive: true });
  cpSync(join(root, SCHEMA), join(workshop, SCHEMA));
  return workshop;
}

/** Generates below `folder`, which holds the schema at its usual place. */
export function runPrisma(folder: string): void {
  const command = join(root, 'node_modules/prisma/build/index.js');
  execFileSync(process.execPath, [command, 'generate', '--schema', SCHEMA, '--no-hints'], {
    cwd: folder,
    stdio: 'pipe',
    env: {
      ...process.env,
      // Prisma looks for its generators there.
      PATH: [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter),
      // It would be downloaded, and is used for nothing here.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  });
}

/** Another process may do the same at this moment: whoever is later leaves the same files. */
function replace(target: string, made: string, workshop: string): void {
  mkdirSync(dirname(target), { recursive: true });
  if (existsSync(target)) renameSync(target, join(workshop, 'former'));
  renameSync(made, target);
}
