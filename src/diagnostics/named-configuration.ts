import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

/** `"extends": "./base.json"`, `extends: ['./base.js', 'other']`, and lists of YAML. */
const EXTENDS = /["']?extends["']?\s*:\s*(\[[^\]]*\]|"[^"]*"|'[^']*'|(\s*-\s*\S+)+|\S+)/g;
/** `import rules from './rules.js'`, `require('./rules')`, `export * from './rules.js'` */
const IMPORTS = /(?:from|import|require)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g;
/** The configuration leaves out what git ignores. */
const IGNORES = /"useIgnoreFile"\s*:\s*true|includeIgnoreFile|gitignore/;
const ENDINGS = ['', '.json', '.js', '.mjs', '.cjs', '.ts', '/tsconfig.json', '/index.js'];
const MOST_FILES = 200;

/** These files of configuration, and those that they take in. */
export async function withNamedFiles(
  workspace: string,
  paths: readonly string[],
): Promise<string[]> {
  const found = new Set(paths);
  for (const path of found) {
    if (found.size > MOST_FILES) break;
    const text = await readText(workspace, path);
    if (text === null) continue;
    for (const name of namesIn(path, text)) {
      const file = await resolveName(workspace, dirname(path), name);
      if (file !== null) found.add(file);
    }
  }
  return [...found].sort();
}

function namesIn(path: string, text: string): string[] {
  const isCode = /\.[cm]?[jt]s$/.test(path);
  const imported = isCode ? [...text.matchAll(IMPORTS)].map(([, name = '']) => name) : [];
  const extended = [...text.matchAll(EXTENDS)].flatMap(([, value = '']) =>
    value.split(/[\s,[\]"']+/).filter((word) => /^[\w.@/-]*\w$/.test(word)),
  );
  return [...imported, ...extended, ...(IGNORES.test(text) ? ['./.gitignore'] : [])];
}

/** The file of the workspace, or of an installed package, that a name leads to. */
async function resolveName(
  workspace: string,
  folder: string,
  name: string,
): Promise<string | null> {
  const places = name.startsWith('.') ? [folder] : [folder, 'node_modules'];
  for (const place of places) {
    for (const ending of ENDINGS) {
      const path = normalize(join(place, name + ending));
      if (!path.startsWith('..') && (await readText(workspace, path)) !== null) return path;
    }
  }
  return null;
}

const readText = (workspace: string, path: string): Promise<string | null> =>
  readFile(join(workspace, path), 'utf8').catch(() => null);
