import { ConfigError } from '../../src/contract/config.ts';

/** How settings are refused. */
export function refusalOf(load: () => unknown): ConfigError {
  try {
    load();
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('it was loaded');
}
