import type { LanguageModelV3 } from '@ai-sdk/provider';
import { loadConfig } from '../app/config.ts';
import { type RunningWorker, runWorker } from '../app/run-worker.ts';
import { ConfigError, type Environment } from '../contract/config.ts';
import { createLogger } from '../process/log.ts';
import { builtInTools } from '../tools/built-in.ts';
import { asTool, type OwnTool } from './own-tool.ts';

export interface OwnWorkerOptions {
  /** Tools beside the built-in ones, for every goal that this worker drives. */
  readonly tools?: readonly OwnTool[];
  /** Models of the AI SDK by name; goals name them `own/NAME`. */
  readonly models?: Readonly<Record<string, LanguageModelV3>>;
  /** Folders of this machine by the name under which goals ask for them. */
  readonly workspaces?: Readonly<Record<string, string>>;
  /** Settings as the CLI takes them; `DATABASE_URL` and `TEMPORAL_ADDRESS` are needed. */
  readonly environment?: Environment;
}

/**
 * A worker inside of an application, as `goalkeeper worker` is one by itself. All workers of one
 * host take turns of the same goals: give each of them the same tools.
 * @throws ConfigError, TypeError
 */
export async function createWorker(options: OwnWorkerOptions = {}): Promise<RunningWorker> {
  const config = loadConfig(options.environment ?? process.env);
  const { databaseUrl, temporal } = config;
  if (databaseUrl === null) throw missing('DATABASE_URL');
  if (temporal.address === null) throw missing('TEMPORAL_ADDRESS');
  const tools = (options.tools ?? []).map(asTool);
  refuseTwins(tools.map(({ name }) => name));
  const own = options.models === undefined ? {} : { own: options.models };
  return await runWorker({
    config: { ...config, databaseUrl, models: { ...config.models, ...own } },
    temporal: { ...temporal, address: temporal.address },
    workspaces: Object.entries(options.workspaces ?? {}).map(([name, path]) => `${name}=${path}`),
    tools,
    log: createLogger(config.logLevel, 'worker'),
  });
}

function refuseTwins(names: readonly string[]): void {
  const all = [...builtInTools.map(({ name }) => name), ...names];
  const twin = all.find((name, index) => all.indexOf(name) !== index);
  if (twin !== undefined) throw new TypeError(`There are two tools named "${twin}".`);
}

const missing = (variable: string) =>
  new ConfigError(variable, 'is not set', 'A worker joins a service that runs: name its servers.');
