import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { firstMisfit, type Misfit } from '../../schema/misfits.ts';
import { type ServiceRulesInput, serviceRulesSchema } from '../../schema/service-rules.ts';
import { ConfigError, type Environment } from '../contract/config.ts';
import { parsedText, placeOf, textIn } from './parsed-file.ts';

const NAMES = ['goalkeeper.config.json', 'goalkeeper.config.yaml', 'goalkeeper.config.yml'];
const MOST_BYTES = 1024 * 1024;
const VARIABLE = 'GOALKEEPER_CONFIG';
const DOCS = 'docs/settings.md has the names; "goalkeeper config check" tries a file.';

/** What the service's file says. */
export interface ConfigFile {
  readonly path: string;
  /** By variable, as texts. */
  readonly variables: Environment;
  readonly rules: ServiceRulesInput;
}

/** Name of a setting in the file: `GOALKEEPER_MODEL_OUTPUT_SECONDS` is `modelOutputSeconds` there. */
export const settingName = (variable: string): string =>
  variable
    .replace(/^GOALKEEPER_/, '')
    .toLowerCase()
    .replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** What a file may say: secrets and the home are not among it. */
export interface FileSettings {
  readonly names: readonly string[];
  /** Its value is a path, in the file one from the file's own folder. */
  isFile(variable: string): boolean;
}

/**
 * Reads the file that the environment names, or the home's.
 * @returns null where there is none
 * @throws ConfigError with the file, the place in it and the way out
 */
export function readConfigFile(
  environment: Environment,
  home: string,
  { names: variables, isFile }: FileSettings,
): ConfigFile | null {
  const path = pathOf(environment[VARIABLE], home);
  if (path === null) return null;
  const content = parsed(path);
  const names = new Map(variables.map((variable) => [settingName(variable), variable]));
  const settings = Object.fromEntries([...names.keys()].map((name) => [name, valueSchema]));
  const judged = serviceRulesSchema.extend(settings).safeParse(content);
  if (!judged.success) throw refused(path, firstMisfit(judged.error), variables);
  const given = Object.entries(judged.data).filter(([, value]) => !isUnset(value));
  const rules = given.filter(([name]) => !names.has(name));
  const texts = given.flatMap(([name, value]) => {
    const variable = names.get(name);
    if (variable === undefined) return [];
    const text = textOf(value);
    return [[variable, isFile(variable) && !isJson(text) ? besides(path, text) : text] as const];
  });
  return {
    path,
    variables: Object.fromEntries(texts),
    rules: serviceRulesSchema.parse(Object.fromEntries(rules)),
  };
}

/** A list of nothing says what an empty variable says. */
const isUnset = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.length === 0);

/** A variable's value as YAML and JSON write it: lists and objects where it is a list or JSON. */
const valueSchema = z
  .union([z.string().min(1), z.number(), z.array(z.unknown()), z.record(z.string(), z.unknown())])
  .optional();

function textOf(value: unknown): string {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const isJson = (text: string): boolean => /^\s*[[{]/.test(text);

const besides = (path: string, named: string): string => resolve(dirname(path), named);

function pathOf(named: string | undefined, home: string): string | null {
  if (named !== undefined && named !== '') return resolve(named);
  const there = NAMES.map((name) => join(home, name)).filter((path) => existsSync(path));
  if (there.length <= 1) return there[0] ?? null;
  throw new ConfigError(there.join(' and '), 'are both there', 'Keep one of them.');
}

function parsed(path: string): unknown {
  return parsedText(path, textIn(path, bytesOf(path)), DOCS);
}

/** A pipe would hold the service for as long as nobody writes to it. */
function bytesOf(path: string): Buffer {
  const wayOut = `Name a file that can be read as ${VARIABLE}, or unset it.`;
  let bytes: Buffer | null;
  try {
    const stats = statSync(path);
    bytes = stats.isFile() && stats.size <= MOST_BYTES ? readFileSync(path) : null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(path, `can't be read (${code})`, wayOut);
  }
  if (bytes !== null) return bytes;
  throw new ConfigError(path, `is no file of at most ${MOST_BYTES} bytes`, wayOut);
}

function refused(path: string, misfit: Misfit, variables: readonly string[]): ConfigError {
  const place = placeOf(misfit);
  if (misfit.what !== 'unknown') {
    return new ConfigError(`${path}: ${place}`, `is not usable: ${misfit.message}`, DOCS);
  }
  const unknown = String(misfit.path.at(-1));
  const secret = variables.includes(unknown) ? settingName(unknown) : null;
  const wayOut =
    secret === null ? `Secrets and the home are variables only. ${DOCS}` : `Write ${secret}.`;
  return new ConfigError(`${path}: ${place}`, 'is no setting of a file', wayOut);
}
