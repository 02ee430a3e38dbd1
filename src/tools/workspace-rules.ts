import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { checkersSchema } from '../../schema/checker.ts';
import { firstMisfit, tellMisfit } from '../../schema/misfits.ts';
import { toolRulesSchema } from '../../schema/tool-rule.ts';
import type { WorkspaceRules } from '../contract/workspace-rules.ts';

interface Read extends WorkspaceRules {
  readonly version: string;
}

const NO_RULES: Read = { version: '', rules: [], checkers: [], problem: null };

/** The file may be a bare list of rules. */
const listSchema = toolRulesSchema.transform((rules) => ({ rules, checkers: [] }));

const fileSchema = z
  .strictObject({ tools: toolRulesSchema.optional(), diagnostics: checkersSchema.optional() })
  .transform(({ tools = [], diagnostics = [] }) => ({ rules: tools, checkers: diagnostics }));

/** Rules are files `NAME.json` in a folder of the service that no goal can reach. */
export function workspaceRules(folder: string): (workspace: string) => WorkspaceRules {
  const known = new Map<string, Read>();
  return (workspace) => {
    const file = join(folder, `${workspace.replace(/[^\w.-]/g, '_')}.json`);
    const version = versionOf(file);
    const before = known.get(file);
    if (before?.version === version) return before;
    const read = version === '' ? NO_RULES : { version, ...readRules(file) };
    known.set(file, read);
    return read;
  };
}

/** Every call checks only the file's times; the rules are read again when those change. */
function versionOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.ino} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.size}`;
}

function readRules(file: string): WorkspaceRules {
  const nothing = { rules: [], checkers: [] };
  try {
    const given: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const parsed = (Array.isArray(given) ? listSchema : fileSchema).safeParse(given);
    if (parsed.success) return { ...parsed.data, problem: null };
    const place = tellMisfit(firstMisfit(parsed.error), 'the whole file');
    return { ...nothing, problem: `${file} is not usable at ${place}` };
  } catch (error) {
    return { ...nothing, problem: `${file} can't be read: ${(error as Error).message}` };
  }
}
