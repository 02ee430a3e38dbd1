import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Script } from '../../demo/script.ts';
import { startScriptedModel } from '../../demo/scripted-server.ts';
import { emptyDatabase } from '../support/servers.ts';
import { type Ran, type Running, start } from './command-line.ts';

export interface UpWorld {
  readonly up: Running;
  readonly pid: number;
  /** As its owner. */
  readonly databaseUrl: string;
  readonly environment: Readonly<Record<'GOALKEEPER_HOME', string>>;
  /** The command line, in the environment of this `up`. */
  goalkeeper(...args: string[]): Promise<Ran>;
  close(): Promise<void>;
}

export const freshFolder = (): string => mkdtempSync(join(tmpdir(), 'goalkeeper-tree-'));

/** `goalkeeper up` as a person runs it, beside a database and a scripted model of its own. */
export async function openUp(
  script: Script,
  settings: Readonly<Record<string, string>>,
): Promise<UpWorld> {
  const database = await emptyDatabase();
  const model = await startScriptedModel({ script });
  const environment = {
    GOALKEEPER_HOME: mkdtempSync(join(tmpdir(), 'goalkeeper-up-')),
    GOALKEEPER_PORT: '0',
    GOALKEEPER_DRAIN_SECONDS: '10',
    GOALKEEPER_WORKFLOW_BUNDLE: process.env.GOALKEEPER_WORKFLOW_BUNDLE ?? '',
    GOALKEEPER_MODEL: 'compatible/scripted',
    OPENAI_COMPATIBLE_BASE_URL: model.url,
    OPENAI_COMPATIBLE_API_KEY: 'none-needed',
    DATABASE_URL: database.url,
    OWNER_DATABASE_URL: database.ownerUrl,
    ...settings,
  };
  const up = start(['up'], environment);
  await up.untilErr('documentation at');
  return {
    up,
    pid: up.pid,
    databaseUrl: database.ownerUrl,
    environment,
    goalkeeper: (...args) => start(args, environment).done,
    close: async () => {
      up.interrupt();
      await up.done;
      await model.close();
      await database.drop();
    },
  };
}
