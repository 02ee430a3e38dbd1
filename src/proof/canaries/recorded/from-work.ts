import { bareStatement } from '../expected.ts';
import { headersAround, statementsIn } from '../lines.ts';
import { argumentsFrom, endOutside, literally } from '../spans.ts';
import { namesIn, type Recordable, says } from './names.ts';

/*
 * What comes from the work differs from what the original had, and rightly so: names of its modules,
 * what is assigned from an expression that says one, and what it is given to fill.
 */

export interface WorkNames {
  readonly names: ReadonlySet<string>;
  /** What the work is given to fill, since nothing is kept of what it returns. */
  readonly filled: ReadonlySet<string>;
  /** What it is given otherwise, which it may have changed in place. */
  readonly given: ReadonlySet<string>;
}

const ASSIGNED: Readonly<Record<Recordable, readonly RegExp[]>> = {
  js: [
    /^\s*(?:export\s+)?(?:const|let|var)\s+([^=]+?)\s*=(?![=>])(.*)$/s,
    /^\s*([A-Za-z_$][\w$]*)(?:[.[][^=]*?)?\s*[-+*/|&?]*=(?![=>])(.*)$/s,
  ],
  python: [/^\s*([A-Za-z_][^=:("]*?)\s*(?::[^=]+)?[-+*/|&%@]*=(?!=)(.*)$/s],
};
const WALKED: Readonly<Record<Recordable, RegExp>> = {
  js: /\bfor\s*(?:await\s*)?\(\s*(?:const|let|var)\s+(.+?)\s+(?:of|in)\s+/g,
  python: /\bfor\s+(.+?)\s+in\s+/g,
};
/** Behind a comma, in the same statement. */
const DECLARED = /,\s*([A-Za-z_$][\w$]*)\s*=(?![=>])/g;
/** What pytest hands to a test of all that was said while it ran. */
const CAPTURED = /(?<![\w.])(?:cap(?:sys|fd)(?:binary)?|caplog|recwarn)(?!\w)/g;
/** What is done by what the work says is done as often as it says. */
const COUNTED = /(?<![\w$.])([A-Za-z_$][\w$]*)\s*(?:\+\+|--|[-+*]=)|(?:\+\+|--)([A-Za-z_$][\w$]*)/g;
/** Who walks or decides by what the work says comes to other lines than the original. */
export const DECIDES =
  /(?:^|[\s}.(])(?:if|elif|else|for|while|switch|case|match|forEach|map|then)\b/;
const HELD = /^\s*(?:async\s+)?with\s+(.*?)\s+as\s+(\w+)/;
/** Nothing is kept of what it returns. */
const DROPPED = /^\s*(?:await\s+)?(?:new\s+)?([A-Za-z_$][\w$]*)(?:\s*(?:\?\.|\.)\s*[\w$]+)*\s*\(/;
/** A function of the text, and what it calls that which it is given. */
const HELPER =
  /^[ \t]*(?:export\s+)?(?:(?:async\s+)?(?:function\s*\*?|def)\s+([\w$]+)\s*|(?:const|let|var)\s+([\w$]+)\s*=\s*(?:async\s*)?)\(([^()]*)\)/gm;
const callOf = (name: string): RegExp =>
  new RegExp(`(?<!(?:function|def)\\s+)(?<![\\w$.])${literally(name)}\\(`, 'g');
const FIXTURE = /^[ \t]*@[\w.]*fixture\b[^\n]*\n[ \t]*(?:async\s+)?def\s+(\w+)/gm;
const MADE = /^[ \t]*(?:export\s+)?(?:async\s+)?(?:function\s*\*?|def)\s+([\w$]+)\b/gm;
const RETURNED = /(?:^|[{;])[ \t]*(?:return|yield)\b[^\n]*/gm;
const EXTENDS =
  /^[ \t]*(?:export\s+)?class\s+([\w$]+)(?:\s+extends\s+([\w$.]+)|\s*\(([^)\n]*)\)\s*:)/gm;
const QUOTED = /(["'`])([^"'`\n]+)\1/g;

/**
 * @param imported names of what the work exports, as the text has them
 * @param free names of other modules, which stay what they are
 * @param runs whether a string names a file of the work, which a command may run
 */
export function workNamesIn(
  text: string,
  language: Recordable,
  imported: ReadonlySet<string>,
  free: ReadonlySet<string>,
  runs: (said: string) => boolean = () => false,
): WorkNames {
  const names = new Set(imported);
  const [filled, given] = [new Set<string>(), new Set<string>()];
  const isRun = (said: string) => [...said.matchAll(QUOTED)].some(([, , one = '']) => runs(one));
  if (imported.size === 0 && !isRun(text)) return { names, filled, given };
  if (language === 'python') for (const [one] of text.matchAll(CAPTURED)) names.add(one);
  const statements = statementsIn(text, 0, text.length + 1)
    .map((span) => ({ said: text.slice(...span).replaceAll('\n', ' '), begin: span[0] }))
    .filter(({ said }) => said.trim() !== '')
    .map(({ said, begin }) => ({ said, around: headersAround(text, begin) }));
  const whole = bareStatement(text);
  const add = (to: Set<string>, said: string) => {
    for (const name of namesIn(said)) if (!free.has(name)) to.add(name);
  };
  const isOfWork = (said: string) => says(said, names) || says(said, filled) || isRun(said);
  for (let before = -1; before < names.size + filled.size; ) {
    before = names.size + filled.size;
    for (const { said, around } of statements) {
      const isDecided = around.some((line) => DECIDES.test(line) && isOfWork(line));
      for (const kind of ASSIGNED[language]) {
        const [, target = '', value = ''] = kind.exec(said) ?? [];
        if (!isOfWork(value) && !(isDecided && target !== '')) continue;
        add(names, target);
        for (const [, one = ''] of bareStatement(value).matchAll(DECLARED)) add(names, one);
        if (says(value, names)) add(given, value);
      }
      const bare = bareStatement(said);
      if (isDecided || (DECIDES.test(bare) && isOfWork(said))) {
        for (const [, one = '', other = one] of bare.matchAll(COUNTED)) names.add(other);
      }
      for (const { 0: all, 1: target = '', index } of bare.matchAll(WALKED[language])) {
        const from = index + all.length;
        const walked = said.slice(from, endOutside(bare, from, /:|\bif\b/y));
        if (isOfWork(walked)) add(names, target);
      }
      const [, value = '', target = ''] = HELD.exec(said) ?? [];
      if (isOfWork(value)) add(names, target);
      const dropped = DROPPED.exec(bare);
      if (dropped !== null && names.has(dropped[1] ?? ''))
        add(filled, said.slice(dropped[0].length));
    }
    for (const { 1: name = '', 2: one = name, 3: said = '' } of text.matchAll(HELPER)) {
      const params = said.split(',').map((param) => /^\s*([\w$]+)/.exec(param)?.[1] ?? '');
      for (const { index, 0: call } of whole.matchAll(callOf(one))) {
        for (const [at, [from, to]] of argumentsFrom(whole, index + call.length).entries()) {
          if (params[at] && says(text.slice(from, to), names)) names.add(params[at]);
        }
      }
    }
    for (const { index, 0: head, 1: name = '' } of text.matchAll(FIXTURE)) {
      if (says(bodyBehind(text, index + head.length), names)) names.add(name);
    }
    for (const { index, 0: head, 1: name = '' } of text.matchAll(MADE)) {
      const returned = bodyBehind(text, index + head.length).match(RETURNED) ?? [];
      if (returned.some(isOfWork)) names.add(name);
    }
    for (const { 1: name = '', 2: one = '', 3: bases = one } of text.matchAll(EXTENDS)) {
      if (says(bases, names)) names.add(name);
    }
  }
  return { names, filled, given };
}

/** The rest of the line, and what stands deeper below. */
const bodyBehind = (text: string, from: number): string =>
  /^(?:[^\n]*\n)(?:[ \t]+[^\n]*\n|\n)*/.exec(text.slice(from))?.[0] ?? '';
