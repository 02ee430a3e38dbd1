import { isBasisFile } from '../file-kinds.ts';
import type { Command, Script, Statement, Word } from '../read/script.ts';
import { commandsIn, definitionsIn, statementsIn } from '../read/walk.ts';
import { unwrap } from '../read/wrappers.ts';
import { isOrdinaryPath } from './environment.ts';

/**
 * Finds how a command line makes a check's success meaningless: it replaces the program, the
 * shell's rules or the checked files. Null = it does not.
 */
export function tamperingIn(script: Script): string | null {
  return shellTamperingIn(script) ?? first(script, (one) => pathIn(one) ?? editIn(one));
}

/** Only what swaps programs or the shell's own rules. */
export function shellTamperingIn(script: Script): string | null {
  const names = new Set(commandsIn(script).map(nameOf));
  return first(script, (statement) => shellRulesIn(statement, script, names));
}

function first(script: Script, reasonIn: (statement: Statement) => string | null): string | null {
  for (const statement of statementsIn(script)) {
    const reason = reasonIn(statement);
    if (reason !== null) return reason;
  }
  return null;
}

/** Programs that a function may not stand in for. A helper of another name is followed instead. */
const programs =
  /^(npm|npx|pnpm|yarn|bun|node|deno|python\d?|pytest|go|cargo|make|git|grep|rg|test|\[|jest|vitest|mocha|tsc|eslint|mvn|gradle|dotnet|bash|sh|cat|diff|cmp|curl)$/;

function shadowing(name: string, names: ReadonlySet<string>): string | null {
  if (name === 'command_not_found_handle') return 'it answers for commands that are missing';
  const isShadow = programs.test(name) && names.has(name);
  return isShadow ? `a function named ${name} shadows the program` : null;
}

function wordsOf(command: Command): string[] {
  return unwrap(command.words).words.map(({ text }) => text);
}

function nameOf(command: Command): string {
  return wordsOf(command)[0] ?? '';
}

function pathIn(statement: Statement): string | null {
  if (statement.kind !== 'command') return null;
  const path = statement.assignments.find(({ name }) => name === 'PATH');
  if (path === undefined || isOrdinaryPath(path.value.text)) return null;
  return 'it changes PATH, so that other programs may run';
}

function shellRulesIn(
  command: Statement,
  script: Script,
  names: ReadonlySet<string>,
): string | null {
  if (command.kind === 'function') return shadowing(command.name, names);
  if (command.kind !== 'command') return null;
  const [name = '', ...args] = wordsOf(command);
  switch (name) {
    case 'alias':
      return args.some((word) => word.includes('=')) ? 'an alias may shadow the program' : null;
    case 'hash':
      return args.includes('-p') ? 'it tells the shell to run another program' : null;
    case 'enable':
      return 'it changes what the shell runs';
    case 'eval':
      return command.words[1]?.script === undefined ? 'eval runs text that can’t be read' : null;
    case 'source':
    case '.':
      return isOrdinarySource(args[0] ?? '')
        ? null
        : `${name} ${args[0] ?? ''} may change what the shell does`;
    case 'shopt':
      return args.some((word) => /^(expand_aliases|extdebug)$/.test(word))
        ? `shopt ${args.join(' ')} changes what the shell runs`
        : null;
    case 'trap':
      return trapping(command, script);
    default:
      return null;
  }
}

/** Environments that a person enters in the same way: they set variables. */
function isOrdinarySource(path: string): boolean {
  return /(^|\/)(bin\/activate|nvm\.sh|\.nvmrc|\.?env(\.[\w.-]+)?|[\w-]+\.env|\.bashrc|\.bash_profile|\.profile|\.cargo\/env|env\.sh|environment|asdf\.sh)$/.test(
    path,
  );
}

/** A trap decides the exit code when it ends the shell itself. */
function trapping(command: Command, script: Script): string | null {
  const words = command.words.slice(1).filter(({ text }) => text !== '--');
  const [action, ...signals] = words;
  const isAtEnd = signals.some(({ text }) => /^(EXIT|0|ERR|DEBUG|RETURN)$/i.test(text));
  if (!isAtEnd || action === undefined || /^-?$/.test(action.text)) return null;
  if (signals.some(({ text }) => text === 'DEBUG')) return 'a trap runs before every command';
  const nested = action.script;
  const isRead = nested !== undefined && nested.problem === null;
  const bodies = [...definitionsIn(script).values()].map((statement) => ({
    problem: null,
    steps: [{ statement, isBackground: false }],
  }));
  const all = isRead ? [nested, ...bodies].flatMap(commandsIn).map(nameOf) : ['exit'];
  const mayExit = all.some((name) => /^(exit|exec|eval|source|\.|trap)$/.test(name));
  return mayExit ? 'a trap may decide its exit code' : null;
}

const gitEdits =
  /^(stash|checkout|restore|switch|clean|revert|apply|am|merge|pull|rebase|cherry-pick|rm|mv|read-tree|checkout-index|update-index|bisect|worktree|sparse-checkout|submodule)$/;

/** Edits by hand around a check: what it saw need not be what is there. */
function editIn(command: Statement): string | null {
  if (command.kind === 'group') return redirectIn(command.redirects);
  if (command.kind !== 'command') return null;
  const words = wordsOf(command);
  const [name = '', ...args] = words;
  const changes = (paths: readonly string[]) => paths.some(isCheckedFile);
  const operands = args.filter((word) => !word.startsWith('-'));
  const isEdit =
    (name === 'git' && isGitEdit(args)) ||
    (/^(mv|cp|ln|rm|unlink|install|truncate|rsync|chmod)$/.test(name) && changes(operands)) ||
    (name === 'tee' && changes(operands)) ||
    name === 'patch' ||
    isReconfiguring(name, args) ||
    (name === 'dd' && changes(args.map((word) => word.replace(/^of=/, '')))) ||
    (/^(sed|perl|ruby|yq)$/.test(name) &&
      args.some((word) => /^(-[a-zA-Z]*i|--in-place)/.test(word)));
  return isEdit
    ? `it changes files around the check (${words.slice(0, 4).join(' ')})`
    : redirectIn(command.redirects);
}

/** `npm pkg set scripts.test=true` and its like. */
function isReconfiguring(name: string, [verb = '', action = '']: readonly string[]): boolean {
  if (!/^(npm|pnpm|yarn|git|pip|poetry|go)$/.test(name)) return false;
  const isRead = /^(get|list|ls|--get|--list|-l|)$/.test(action);
  return verb === 'set-script' || (/^(pkg|config)$/.test(verb) && !isRead);
}

function isGitEdit(args: readonly string[]): boolean {
  const at = args.findIndex((word, index) => !word.startsWith('-') && args[index - 1] !== '-C');
  const verb = args[at] ?? '';
  const rest = args.slice(at + 1);
  if (verb === 'reset') return rest.some((word) => /^--(hard|merge|keep)$/.test(word));
  if (verb === 'stash') return !/^(list|show)$/.test(rest[0] ?? '');
  if (/^(checkout|switch)$/.test(verb)) return !rest.some((word) => /^-[bBcC]$/.test(word));
  if (verb === 'restore') return !rest.includes('--staged') || rest.includes('--worktree');
  if (verb === 'worktree') return false;
  return gitEdits.test(verb);
}

const generated =
  /^(dist|build|out|output|coverage|target|tmp|temp|\.cache|\.next|\.nyc_output|\.pytest_cache|\.venv|venv|node_modules|logs?|reports?|artifacts|__pycache__)(\/|$)/;

/** Something that a check may look at: not a log, a report or what a build makes again. */
function isCheckedFile(path: string): boolean {
  const bare = path.replace(/^(\.\/)+/, '');
  if (/^(\/tmp\/|\/dev\/|\/var\/tmp\/|\$TMPDIR|\$\{TMPDIR)/.test(path)) return false;
  if (generated.test(bare)) return false;
  return isBasisFile(bare) || !/\.(log|txt|out|tmp|xml|html|err|lcov|tap|pid)$/.test(bare);
}

function redirectIn(redirects: Command['redirects']): string | null {
  const written = redirects.find(
    ({ operator, target }) =>
      /^(&?>>?|>\|)$/.test(operator) &&
      !/^\d+$|^-$/.test(target.text) &&
      isCheckedFile(target.text),
  );
  return written === undefined ? null : `it writes to ${written.target.text} around the check`;
}

/** Commands that are cited for what they did to files, not for what they found. */
export function isHandEdit(words: readonly Word[]): boolean {
  const [name = ''] = unwrap(words).words.map(({ text }) => text);
  return /^(git|mv|cp|ln|rm|mkdir|touch|install|rsync|chmod|sed|perl|patch|tee|cat|ls|dd)$/.test(
    name,
  );
}
