import { bareText } from '../words/bare-text.ts';
import { definitionsIn } from '../words/definitions.ts';

/*
 * A shell that sources the work shares all that a shell is with it: options, traps, folder, mask,
 * aliases, what it hands to programs, how it splits and which program a word leads to. The judge's
 * script asks, behind each line that sources the work, whether it is the shell that it was.
 */

const SOURCES = /^([ \t]*)((?:\.|source)[ \t]+["']?([^\s"';&|#]+)["']?[ \t]*)$/gm;
const COMMANDS =
  /(?:^|[;&|({!]|\$\(|\b(?:then|do|else|if|while|until)\b)[ \t]*([A-Za-z_][\w-]*)(?=[\s;)]|$)/gm;
/** What a shell reads itself, before it looks for a command. */
const KEYWORDS = new Set(
  'if then else elif fi for while until do done case esac in select function time local'.split(' '),
);
const MOST_WORDS = 60;

/**
 * The text with such questions. Where the shell is another one, it fails and says the word. No line
 * moves.
 *
 * @param isJudge whether what it sources is the judge's own
 * @returns null where it sources no work by a line of its own
 */
export function withShellQuestions(
  text: string,
  word: string,
  isJudge: (path: string) => boolean,
): string | null {
  const bare = bareText('shell', text);
  const functions = [...definitionsIn('shell', text).keys()].filter((one) => /^\w+$/.test(one));
  const said = [...bare.matchAll(COMMANDS)].flatMap(([, one = '']) =>
    KEYWORDS.has(one) ? [] : [one],
  );
  const words = [...new Set(said)].slice(0, MOST_WORDS);
  const [state, kept, known] = [`${word}s`, `${word}k`, `${word}w`];
  const asks = [
    'set +o',
    'shopt -p',
    'trap',
    'pwd',
    'umask',
    'alias',
    'export -p',
    `printf '%s\\n' "$IFS" "$#" "$*" "$PATH"`,
    ...words.map((one) => `case $${known} in *"|${one}|"*) command -v ${one};; esac`),
    ...(functions.length === 0 ? [] : [`declare -f ${functions.join(' ')}`]),
  ];
  const tells = `${state}() { ${asks.map((one) => `${one} || :`).join('; ')}; }`;
  // A word that leads nowhere yet may be the work's.
  const finds = words.map((one) => `command -v ${one} >/dev/null && printf '|%s|' ${one} || :`);
  // Bash leaves `set -e` at the door of a substitution, and dash its traps.
  const now = `$-$(${state} "$@" 2>/dev/null)`;
  const fails = `echo "${word.slice(0, 3)}""${word.slice(3)} shell" >&2; kill -KILL $$; exit 1`;
  let isAsking = false;
  const asking = text.replaceAll(SOURCES, (all, indent: string, line: string, path: string) => {
    if (isJudge(path)) return all;
    isAsking = true;
    return `${indent}${known}="$(${[...finds, ':'].join('; ')})"; ${tells}; ${kept}="${now}"; ${line.trim()}; case $${kept} in "${now}") ;; *) ${fails};; esac`;
  });
  return isAsking ? asking : null;
}
