/** Languages in which work and judge are compiled or read together, and share their names. */
export type Wording = 'c' | 'go' | 'rust' | 'jvm' | 'shell' | 'python';

const WORDINGS: readonly (readonly [Wording, RegExp])[] = [
  ['c', /\.(?:c|h|cc|cpp|cxx|hh|hpp|hxx|inc|inl|ipp|tpp|def)$/],
  ['go', /\.go$/],
  ['rust', /\.rs$/],
  ['jvm', /\.java$/],
  ['shell', /\.(?:ba|da|z|k)?sh$/],
  ['python', /\.py$/],
];

export const wordingOf = (path: string): Wording | null =>
  WORDINGS.find(([, kind]) => kind.test(path))?.[0] ?? null;

// What is not closed ends with its line or the text: each sign is read once.
const BRACES =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\.[^'\n]*|[^'\\\n])'/g;
const HASHES =
  /("""|''')[\s\S]*?(?:\1|$)|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?|#[^\n]*/g;
/** Comments, and texts whose words mean nothing. In a shell's strings there may be commands. */
const OPAQUE: Readonly<Record<Wording, RegExp>> = {
  c: BRACES,
  go: new RegExp(`\`[^\`]*(?:\`|$)|${BRACES.source}`, 'g'),
  rust: new RegExp(`\\br(#*)"[\\s\\S]*?(?:"\\1|$)|${BRACES.source}`, 'g'),
  jvm: BRACES,
  python: HASHES,
  shell: /(?<=^|\s)#[^\n]*/g,
};

/** The text without its comments, and with empty strings. */
export function bareText(language: Wording, text: string): string {
  const joined = language === 'c' ? text.replaceAll(/\\\r?\n/g, '').replaceAll('%:', '#') : text;
  return joined.replaceAll(OPAQUE[language], (all) => (/^["'`r]/.test(all) ? '""' : ' '));
}

const WORD = /[A-Za-z_]\w*/g;

/** What a text says beside its comments and strings; also `[` of a shell, and Rust's `name!`. */
export function wordsIn(language: Wording, text: string): Set<string> {
  const bare = bareText(language, text);
  const words = new Set(bare.match(WORD));
  if (language === 'shell' && /(?:^|[\s;&|({])\[\s/m.test(bare)) words.add('[');
  if (language === 'rust') for (const macro of bare.match(/\b\w+!/g) ?? []) words.add(macro);
  return words;
}
