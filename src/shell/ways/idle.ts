import { readProgram } from '../read/invocation.ts';
import type { Fact } from '../read/path.ts';
import { unwrap } from '../read/wrappers.ts';

const idlePrograms =
  /^(sleep|date|pwd|whoami|hostname|clear|history|jobs|yes|seq|uname|uptime|umask|ulimit|times|type|logger|figlet|cowsay|banner|tput|wait)$/;

/** Why a command's success says nothing, whatever is in the workspace; null when it says something. */
export function idleReason({ words }: Pick<Fact, 'words'>): string | null {
  const inner = unwrap(words).words;
  const [name = '', ...args] = inner.map(({ text }) => text);
  if (idlePrograms.test(name)) return `${name} checks nothing`;
  if (/^(cat|tee|head|tail)$/.test(name) && args.length === 0) return `${name} checks nothing`;
  if (/^(test|\[|\[\[)$/.test(name) && comparesConstants(inner)) {
    return 'it compares what is written out';
  }
  if (/^(node|nodejs|python\d*(\.\d+)?|bun|deno|ruby|perl|php)$/.test(name) && onlyPrints(args)) {
    return 'it prints text and checks nothing';
  }
  return hidingReason({ words });
}

/** Why a command's own success hides whether what it starts ran and passed; null when it doesn't. */
export function hidingReason({ words }: Pick<Fact, 'words'>): string | null {
  const inner = unwrap(words).words;
  const [name = '', ...args] = inner.map(({ text }) => text);
  if (name === 'find' && args.some((word) => /^-(exec|execdir|ok)$/.test(word))) {
    return args.includes('+') ? null : 'find doesn’t pass on the exit codes of what it runs';
  }
  if (name === 'xargs' && args.some((word) => /^(-[a-zA-Z]*r|--no-run-if-empty)/.test(word))) {
    return 'with nothing to read, xargs runs nothing';
  }
  if (/^(script|watch)$/.test(name)) return `${name} hides the exit code of what it runs`;
  const read = readProgram([name, ...args]);
  const isDry = dryRuns.some(
    ([program, flags]) => program.test(read.program) && read.args.some((word) => flags.test(word)),
  );
  return isDry ? `${name} only shows what it would run` : null;
}

/** Flags with which a program runs none of its checks, or passes whatever they find. */
const dryRuns: readonly (readonly [RegExp, RegExp])[] = [
  [/^make$/, /^(-[a-zA-Z]*[nitq]|--(just-print|dry-run|recon|ignore-errors|touch|question))$/],
  [/^pytest$/, /^(--collect-only|--co|--setup-plan|--fixtures)$/],
  [/^(jest|vitest)$/, /^--(listTests|showConfig)$/],
  [/^(playwright|cargo) test$/, /^--(list|no-run)$/],
  [/^go test$/, /^-(list|c|n)(=.*)?$/],
  [/^(gradle|mvn)$/, /^(--dry-run|-m|-DskipTests(=true)?|-Dmaven\.test\.skip(=true)?)$/],
  [/^(ruff|pylint)( |$)/, /^--exit-zero$/],
  [/^(npm|pnpm|yarn) run /, /^(npm|pnpm|yarn):--(if-present|dry-run|script-shell.*)$/],
];

/** No operand that the shell fills in, and none that is looked up as a file. */
function comparesConstants(words: readonly { text: string; isFixed: boolean }[]): boolean {
  const looksUp = words.some(({ text }) => /^-[a-hkprstuwxGLNOSRo]$|^-(nt|ot|ef)$/.test(text));
  return !looksUp && words.every(({ isFixed }) => isFixed);
}

function onlyPrints(args: readonly string[]): boolean {
  const at = args.findIndex((word) => /^(-e|-c|-p|-r|--eval|--print|eval)$/.test(word));
  const code = args[at + 1];
  if (at < 0 || code === undefined) return false;
  const literal = /("[^"]*"|'[^']*'|`[^`$]*`|\d+)/.source;
  const print = `(console\\.(log|info|error)|print|puts|echo|process\\.stdout\\.write)\\s*\\(?\\s*${literal}?\\s*\\)?`;
  const end = '(process\\.exit|sys\\.exit|exit)\\s*\\(?\\s*0?\\s*\\)?';
  const statement = `(${print}|${end}|import sys|pass|${literal}|true|True)`;
  return new RegExp(`^\\s*(${statement}\\s*(;|\\n|$)\\s*)*$`).test(code);
}
