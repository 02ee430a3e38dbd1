import { isDeepStrictEqual } from 'node:util';
import { type Config, ConfigError, type Environment } from '../contract/config.ts';
import type { ServiceRules } from '../contract/service-rules.ts';
import { type LoadedConfig, loadConfigWithOrigins } from './config.ts';

export interface RereadLog {
  info(about: object, said: string): void;
  warn(about: object, said: string): void;
  error(about: object, said: string): void;
}

/** A configuration whose rules are those of the operator's file as it was read last. */
export interface StandingConfig {
  readonly config: Config;
  /** The same object for as long as they are the same. */
  rules(): ServiceRules;
  /**
   * Reads the file again. Rules of goals change at once; all else was built into this process, and
   * is named in the log. A file that is wrong or gone changes nothing.
   */
  reread(log: RereadLog): void;
}

/** @throws ConfigError, PriceFileError */
export function standingConfig(environment: Environment = process.env): StandingConfig {
  const first = loadConfigWithOrigins(environment);
  let { rules } = first.config;
  return {
    config: first.config,
    rules: () => rules,
    reread(log) {
      const read = readAgain(environment, first);
      if ('problem' in read) {
        log.error({ problem: read.problem }, 'the settings stay as they are: the file is no good');
        return;
      }
      const isChanged = !isDeepStrictEqual(rules, read.config.rules);
      if (isChanged) rules = read.config.rules;
      const file = read.file?.path ?? null;
      const said = isChanged
        ? 'the rules of goals are those of the file now'
        : 'no rule of goals changed';
      log.info({ file }, said);
      const settings = changed(first, read);
      if (settings.length > 0) log.warn({ settings }, 'these settings change with a restart alone');
    },
  };
}

function readAgain(
  environment: Environment,
  first: LoadedConfig,
): LoadedConfig | { problem: string } {
  try {
    const read = loadConfigWithOrigins(environment);
    if (first.file === null || read.file !== null) return read;
    return { problem: `${first.file.path} is gone. An empty file takes all rules away.` };
  } catch (error) {
    if (error instanceof ConfigError || (error as Error).name === 'PriceFileError') {
      return { problem: (error as Error).message };
    }
    throw error;
  }
}

/** Names of the settings whose words in the file are others than at the start. */
const changed = (first: LoadedConfig, read: LoadedConfig): string[] =>
  read.settings
    .filter(({ variable, value }) => {
      const before = first.settings.find((setting) => setting.variable === variable);
      return !isDeepStrictEqual(before?.value, value);
    })
    .map(({ name }) => name);
