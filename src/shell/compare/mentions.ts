import type { Folder } from '../read/folder.ts';
import type { Fact } from '../read/path.ts';
import type { Script } from '../read/script.ts';
import { commandsIn } from '../read/walk.ts';
import { scriptOfShell, unwrap } from '../read/wrappers.ts';
import { idleReason } from '../ways/idle.ts';

/** Commands that say nothing by the shell's own rules: they print, or they always succeed. */
const silent = /^(echo|printf|true|:|false|exit|return|cd|pushd|popd|set|export|unset|trap|wait|)$/;

/** Every command of the text as if it had run, regardless of its outcome. */
export function mentionsIn(script: Script, start: Folder): Fact[] {
  return commandsIn(script)
    .filter(({ words }) => !silent.test(words[0]?.text ?? '') && !isShell(words))
    .map(({ words, assignments, redirects }) => ({
      words,
      redirects,
      assignments: new Map(assignments.map(({ name, value }) => [name, value.text])),
      hasSucceeded: true,
      folders: new Set([start]),
    }));
}

/** The mentioned commands whose outcome is meaningful. */
export function tellingMentions(script: Script, start: Folder): Fact[] {
  return mentionsIn(script, start).filter((fact) => idleReason(fact) === null);
}

/** The commands of an inner shell are mentioned on their own. */
function isShell(words: Fact['words']): boolean {
  return scriptOfShell(unwrap(words).words) !== null;
}
