import { bareText, type Wording } from './bare-text.ts';

/**
 * Words to which a text gives a meaning for others too, with what it says of them where that can be
 * compared; otherwise empty. A text that takes a meaning away gives another one.
 */
export type Definitions = ReadonlyMap<string, string>;

export const definitionsIn = (language: Wording, text: string): Definitions =>
  new Map(READERS[language](bareText(language, text)));

type Found = readonly (readonly [word: string, meaning: string])[];

const READERS: Readonly<Record<Wording, (bare: string) => Found>> = {
  c: (bare) => [...macros(bare), ...enumerators(bare), ...constants(bare), ...functions(bare)],
  go: (bare) => atTopOfGo(bare).map(named),
  rust: (bare) =>
    [...firstGroups(bare, RUST_MACROS).map((word) => `${word}!`), ...firstGroups(bare, RUST)].map(
      named,
    ),
  jvm: (bare) => firstGroups(bare, JVM).map(named),
  shell: (bare) => firstGroups(bare, SHELL).map(named),
  python: (bare) => [...firstGroups(bare, PYTHON), ...boundInPython(bare)].map(named),
};

const named = (word: string) => [word, ''] as const;

/** The first group that matched, of each match. */
export const firstGroups = (text: string, kind: RegExp): string[] =>
  [...text.matchAll(kind)].map((found) => found.slice(1).find((one) => one !== undefined) ?? '');

const RUST_MACROS = /\b(?:macro_rules!|macro)\s+([A-Za-z_]\w*)|\bas\s+([A-Za-z_]\w*)\s*[;,}]/g;
const RUST =
  /\b(?:fn|struct|enum|trait|type|const|static|mod|union)\s+([A-Za-z_]\w*)|\bas\s+([A-Za-z_]\w*)\s*[;,}]/g;
const JVM = /(?:^|[;}\s])(?:class|interface|enum|record|@interface)\s+([A-Za-z_$][\w$]*)/g;
const SHELL =
  /(?:^|[;&|{(]|\bthen\b|\bdo\b)\s*(?:(?:function\s+)?([^\s;&|(){}'"$`=]+)\s*\(\s*\)|function\s+([^\s;&|(){}'"$`=]+))|\balias\s+(?:-\w+\s+)*([^\s;&|=]+)=/gm;
const PYTHON =
  /^(?:async\s+)?(?:def|class)\s+([A-Za-z_]\w*)|^([A-Za-z_]\w*)\s*(?::[^=\n]+)?=(?!=)/gm;

const boundInPython = (bare: string): string[] =>
  firstGroups(bare, /^(?:from\s+\S+\s+)?import\s+([^\n]+)/gm)
    .flatMap((names) => names.replaceAll(/[()]/g, '').split(','))
    .map((name) => /([A-Za-z_]\w*)\s*$/.exec(name)?.[1] ?? '');

const spaced = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');

export const macros = (bare: string): Found =>
  [...bare.matchAll(/^[ \t]*#[ \t]*(define|undef)[ \t]+([A-Za-z_]\w*)(\([^)\n]*\))?(.*)$/gm)].map(
    ([, kind, word = '', parameters = '', body = '']) =>
      [word, kind === 'undef' ? '#undef' : spaced(parameters + body)] as const,
  );

/** Each with its number, where that can be counted. */
function enumerators(bare: string): Found {
  return firstGroups(bare, /\benum\b[^{};()]*\{([^{}]*)\}/g).flatMap((list) => {
    let next = 0;
    return list.split(',').flatMap((part) => {
      const [, word, value] = /^\s*([A-Za-z_]\w*)\s*(?:=([\s\S]*))?$/.exec(part) ?? [];
      if (word === undefined) return [];
      next = value === undefined ? next : Number(value);
      return [[word, String(next++)] as const];
    });
  });
}

const constants = (bare: string): Found =>
  [...bare.matchAll(/\bconst\s(?:[ \t\w]{0,80}\s)?([A-Za-z_]\w*)\s*=([^;,]*)[;,]/g)].map(
    ([, word = '', value = '']) => [word, spaced(value)] as const,
  );

/** Functions at the top, but for those that no other file sees. */
function functions(bare: string): Found {
  const text = bare.replaceAll(/^[ \t]*#.*$/gm, '').replaceAll(/\bextern\s*""\s*\{/g, ' ');
  const top = outside(outside(text, '{}'), '()').replaceAll(/\b__\w+__\s*\(\)/g, ' ');
  return top.split(/[;}]/).flatMap((head) => {
    const name = head.endsWith('{') ? /\b([A-Za-z_]\w*)\s*\(\)/.exec(head)?.[1] : undefined;
    return name === undefined || /\bstatic\b/.test(head) ? [] : [[name, FUNCTION] as const];
  });
}

/** What is said of a function of C. */
export const FUNCTION = '()';

/** What stands in no such brackets; of those each pair stays. */
function outside(text: string, [open, close]: string): string {
  let depth = 0;
  let top = '';
  for (const sign of text) {
    if (sign === close) depth = Math.max(0, depth - 1);
    if (depth === 0) top += sign;
    if (sign === open) depth += 1;
  }
  return top;
}

/** Names of a package: of `const`, `var`, `type` and `func`, also in groups. */
const atTopOfGo = (bare: string): string[] =>
  statementsOf(outside(bare, '{}')).flatMap((statement) => {
    const [, kind, rest = ''] = /^(const|var|type|func)\b\s*([\s\S]*)$/.exec(statement) ?? [];
    if (kind === undefined) return [];
    const isGroup = rest.startsWith('(') && kind !== 'func';
    const parts = isGroup ? statementsOf(rest.slice(1, rest.lastIndexOf(')'))) : [rest];
    return parts.flatMap(namesFirst);
  });

/** Go ends a statement at the end of a line, but for one within brackets or behind an operator. */
function statementsOf(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (const { 0: sign, index } of text.matchAll(/[()\n;]/g)) {
    if (sign === '(') depth += 1;
    else if (sign === ')') depth -= 1;
    else if (depth <= 0 && !(sign === '\n' && /[^\w)\]}"\s]\s*$/.test(text.slice(from, index)))) {
      found.push(text.slice(from, index).trim());
      from = index + 1;
    }
  }
  return [...found, text.slice(from).trim()];
}

const namesFirst = (text: string): string[] =>
  /^([A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*)/.exec(text)?.[1]?.split(/\s*,\s*/) ?? [];
