import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize, relative } from 'node:path';
import { isTestFile } from '../../shell/file-kinds.ts';
import { unwrap } from './known-programs.ts';
import { simpleCommands } from './simple-commands.ts';

const INTERPRETER = /^((ba|da|z|k)?sh|node|tsx|python[\d.]*|ruby|perl|php|source|\.)$/;
/** Options whose program is a text or module, not a file. */
const NO_FILE = /^(-\w*c|-e|-p|-m|--eval|--print)$/;

/** The file of the workspace that a command runs; null when it names no existing one. */
export async function namedFile(
  workspace: string,
  folder: string,
  words: readonly string[],
): Promise<string | null> {
  for (const word of candidatesIn(words)) {
    const path = inWorkspace(workspace, folder, word);
    if (path !== null && (await readText(workspace, path)) !== null) return path;
  }
  return null;
}

function candidatesIn([program = '', ...rest]: readonly string[]): string[] {
  const base = program.slice(program.lastIndexOf('/') + 1);
  if (!INTERPRETER.test(base)) return program.includes('/') ? [program] : [];
  const operands = rest.filter((word) => !word.startsWith('-'));
  const own = program.includes('/') ? [program] : [];
  return rest.some((word) => NO_FILE.test(word)) ? own : [...own, ...operands];
}

function inWorkspace(workspace: string, folder: string, word: string): string | null {
  const path = isAbsolute(word) ? relative(workspace, word) : normalize(join(folder, word));
  const isOutside = path === '' || path.startsWith('..') || path.includes('node_modules/');
  return isOutside ? null : path;
}

/**
 * Checks that a shell script calls; other programs that it starts may be the subject of the check.
 */
export async function checksBehind(
  workspace: string,
  folder: string,
  path: string,
): Promise<string[]> {
  const found = new Set<string>([path]);
  for (const script of found) {
    const text = (await readText(workspace, script)) ?? '';
    if (!isShellScript(script, text)) continue;
    for (const command of (await simpleCommands(text)) ?? []) {
      const { words } = unwrap(command.words);
      const isSourced = words[0] === '.' || words[0] === 'source';
      for (const place of [folder, dirname(script)]) {
        const next = await namedFile(workspace, place, words);
        if (next !== null && (isSourced || isCheck(next))) found.add(next);
      }
    }
  }
  return [...found];
}

const isShellScript = (path: string, text: string): boolean =>
  /\.(sh|bash|zsh)$/.test(path) || /^#!.*\b(ba|da|z|k)?sh\b/.test(text);

/** True when the file's name says that it is a check; other scripts may be the goal's subject. */
export const isCheck = (path: string): boolean =>
  isTestFile(path) || /(^|[/_.-])(tests?|checks?|lint|verify|validate|ci)([/_.-]|$)/i.test(path);

const readText = (workspace: string, path: string): Promise<string | null> =>
  readFile(join(workspace, path), 'utf8').catch(() => null);
