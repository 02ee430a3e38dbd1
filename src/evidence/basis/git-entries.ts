import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Sections without influence on what git runs, such as the committer and push targets. */
const FREE_SECTIONS = /^\s*\[\s*(user|remote|branch|author|committer|push|pull|fetch|init)\b/i;

/** Configuration and hooks that git would run in this repository, by entry name. */
export async function gitEntries(workspace: string): Promise<Map<string, string>> {
  const entries = new Map<string, string>();
  const configuration = await readText(join(workspace, '.git', 'config'));
  if (configuration !== null) entries.set('git:config', runningSections(configuration));
  const folder = join(workspace, '.git', 'hooks');
  for (const name of await readdir(folder).catch(() => [])) {
    const text = name.endsWith('.sample') ? null : await readText(join(folder, name));
    if (text !== null) entries.set(`git:hooks/${name}`, text);
  }
  return entries;
}

function runningSections(text: string): string {
  let isKept = true;
  const kept = text.split('\n').filter((line) => {
    if (line.trimStart().startsWith('[')) isKept = !FREE_SECTIONS.test(line);
    return isKept;
  });
  return kept.join('\n');
}

const readText = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null);
