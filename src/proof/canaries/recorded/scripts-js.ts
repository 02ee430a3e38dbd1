/*
 * What is told of a value is said by the language alone, which no work replaces: `+`, `typeof`,
 * `for … in`. Each script is one line behind a text, where functions are known from its first line.
 */

export interface Script {
  /** By which the text calls it. */
  readonly word: string;
  /** The file at the top of the place that hears of it. */
  readonly file: string;
  readonly isTyped: boolean;
  /** By site and side what it has to be, each with what is told then; null where all is told. */
  readonly sets: ReadonlyMap<string, ReadonlyMap<string, string>> | null;
  /** What is the work's is something that lets all be done with it. */
  readonly isWithoutWork: boolean;
}

/** So many parts a value has at most, and so deep it is. */
const MOST_PARTS = 20000;
const DEEPEST = 12;

/** What a value is, as a text; `state[1]` is set where that is not all of it. */
const walk = (any: string, isStrange: string): string =>
  `function walk(x${any}, depth${any}, state${any})${any} { ` +
  `state[0] = state[0] + 1; if (state[0] > ${MOST_PARTS} || depth > ${DEEPEST}) { state[1] = true; return ''; } ` +
  `if (x === null) return 'null'; const kind = typeof x; ` +
  `if (kind === 'string') return 's' + x.length + ':' + x; ` +
  `if (kind === 'number' || kind === 'boolean' || kind === 'undefined' || kind === 'bigint') return kind + ' ' + x; ` +
  `if (kind !== 'object') { state[1] = true; return kind; } ` +
  `const tag = x[Symbol.toStringTag]; if (tag === 'Set' || tag === 'Map') { let all = tag + '('; for (const one of x) all = all + walk(one, depth + 1, state) + ','; return all + ')'; } ${isStrange}` +
  `let all = '{'; for (const key in x) all = all + key.length + ':' + key + '=' + walk(x[key], depth + 1, state) + ','; return all + '}'; }`;

/** Finds the file from where the process stands, and where it began. */
const tell = (file: string, any: string, root: string): string =>
  `function tell(line${any}) { const M = (name${any}) => ${root}process.getBuiltinModule('node:' + name); const fs = M('fs'); const path = M('path'); ` +
  `if (!G.file) for (let n = 0; n < 2; n = n + 1) for (let at = n ? ${root}process.env.PWD : ${root}process.cwd(); at && !G.file; at = at === path.dirname(at) ? '' : path.dirname(at)) if (fs.existsSync(path.join(at, '${file}'))) G.file = path.join(at, '${file}'); ` +
  `if (G.file) fs.appendFileSync(G.file, line + '\\n'); }`;

const begin = ({ word, isTyped }: Script): string =>
  isTyped
    ? `\n;function ${word}<T>(site: number, side: number, v: T): T { const G: any = ${word}; `
    : `\n;function ${word}(site, side, v) { const G = ${word}; `;

const partsOf = ({ file, isTyped }: Script) => {
  const any = isTyped ? ': any' : '';
  const root = isTyped ? '(globalThis as any).' : '';
  return { any, root, tells: tell(file, any, root) };
};

export const scriptInJavascript = (script: Script): string =>
  (script.sets === null ? records(script) : checks(script, script.sets)) +
  (script.isWithoutWork ? nothing(script) : '');

function nothing({ word, isTyped }: Script): string {
  const any = isTyped ? ': any' : '';
  const own = `${word}n`;
  return ` function ${own}()${any} { const N${any} = ${own}; return N.one ??= new Proxy(function () {}, { get: (_${any}, key${any}) => key === 'then' ? undefined : key === Symbol.toPrimitive ? (hint${any}) => hint === 'number' ? NaN : '${own}' : key === Symbol.iterator ? function* () {} : key === Symbol.asyncIterator ? async function* () {} : N.one, apply: () => N.one, construct: () => N.one, set: () => true, has: () => true, getPrototypeOf: () => Function.prototype }); }`;
}

/** Tells what each side is, or that it is not known: what lies in the place for temporary files has another name each time. */
function records(script: Script): string {
  const { any, root, tells } = partsOf(script);
  // Another context has objects of its own.
  const isStrange = `const own = Object.getPrototypeOf(x); if (own !== null && !/^(?:Object|Array|Buffer|\\w+Array)$/.test(own.constructor?.name)) { state[1] = true; return ''; } `;
  return (
    `${begin(script)}${walk(any, isStrange)} ${tells} ` +
    `const state${any} = [0, false]; const said = walk(v, 0, state); const isKnown = !state[1] && !said.includes('${script.word}n') && !/number NaN/.test(said) && !said.includes((${root}process.env.TMPDIR || '/tmp') + '/'); ` +
    `const line = JSON.stringify([site, side, isKnown ? said : null]); if (!(G.told ??= new Set()).has(line)) { G.told.add(line); tell(line); } return v; }`
  );
}

/** Fails by the language alone where no side is what it was told to be. */
function checks(script: Script, sets: NonNullable<Script['sets']>): string {
  const { any, tells } = partsOf(script);
  const known = [...sets].map(
    ([side, values]) =>
      `'${side}': { __proto__: null, ${[...values].map(([said, token]) => `${hidden(said)}: '${token}'`).join(', ')} }`,
  );
  return (
    `${begin(script)}${walk(any, '')} ${tells} ` +
    `if (!G.sets) { G.sets = { ${known.join(', ')} }; G.last = {}; } ` +
    `const all = G.sets[site + '.' + side]; const said = walk(v, 0, [0, false]); const token = all[said]; ` +
    `if (token === undefined) { if (side === 1 ? G.sets[site + '.0'] === undefined || G.last[site] : G.sets[site + '.1'] === undefined) { try { tell('!' + site); } catch {} throw '${script.word} ' + site; } } ` +
    `else if (token) { all[said] = ''; try { tell(token); } catch {} } ` +
    `if (side === 0) G.last[site] = token === undefined; return v; }`
  );
}

/** As a string of either language, in which no word stands that something could take for a name. */
export const hidden = (said: string): string =>
  `"${[...said.replaceAll(/(?<![A-Za-z0-9_])[A-Za-z_](?=\w)/g, '\0$&')].map(escaped).join('')}"`;

/** Behind a zero, which no text of a judge has, stands the first letter of a word. */
function escaped(sign: string, at: number, all: readonly string[]): string {
  if (sign === '\0' && /[A-Za-z_]/.test(all[at + 1] ?? '')) return '';
  return all[at - 1] === '\0' && /[A-Za-z_]/.test(sign)
    ? `\\x${sign.charCodeAt(0).toString(16)}`
    : /[\u2028\u2029\0]/.test(sign)
      ? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
      : JSON.stringify(sign).slice(1, -1);
}
