import { createHash } from 'node:crypto';
import { wordingOf } from '../words/bare-text.ts';
import {
  JAVASCRIPT_ASSERTIONS,
  JAVASCRIPT_FAILS,
  type Nonce,
  PYTHON_ASSERTIONS,
  PYTHON_FAILS,
  type Questions,
} from './assertions.ts';
import { isTyped } from './opposites.ts';
import { withShellQuestions } from './shell-questions.ts';
import { typed as typedArrows } from './without-library.ts';

/*
 * What a test asks of the language, the language has to answer: its clocks, lots, digests,
 * comparisons and assertions. The judge's own files ask it what the host knows, behind their imports, by which the
 * work is loaded, and once more as the process ends.
 */

const sha = (kind: string, { text }: Nonce): string => createHash(kind).update(text).digest('hex');

const pyClock = (name: string) => () =>
  `(lambda c: (lambda a, b: b - a > 0.0002)(c(), (sum(range(300000)), c())[1]))(M("time").${name})`;
const pyLots = (draw: string) => () =>
  `(lambda r: (lambda s, d: (r.setstate(s), len(set(d)) > 1)[1])(r.getstate(), [${draw} for _ in range(8)]))(M("random"))`;
const pyDigest =
  (kind: string): Questions[string] =>
  (nonce) =>
    `M("hashlib").${kind}(b"${nonce.text}").hexdigest() == "${sha(kind, nonce)}"`;

const PYTHON: Questions = {
  perf_counter: pyClock('perf_counter'),
  monotonic: pyClock('monotonic'),
  process_time: pyClock('process_time'),
  time: pyClock('time'),
  randint: pyLots('r.randint(0, 10 ** 9)'),
  random: pyLots('r.random()'),
  choice: pyLots('r.choice(range(10 ** 9))'),
  randrange: pyLots('r.randrange(10 ** 9)'),
  sample: pyLots('r.sample(range(10 ** 9), 2)[0]'),
  isclose: ({ number }) => `not M("math").isclose(${number}, ${number + 1})`,
  sha256: pyDigest('sha256'),
  sha1: pyDigest('sha1'),
  md5: pyDigest('md5'),
  len: ({ text }) => `B.len("${text}") == ${text.length}`,
  sorted: ({ number }) =>
    `B.sorted([${number}, 1, ${number + 1}, 0]) == [0, 1, ${number}, ${number + 1}]`,
  sum: ({ number }) => `B.sum([${number}, 1]) == ${number + 1}`,
  all: ({ number }) => `not B.all([${number}, 0])`,
  any: ({ number }) => `B.any([0, ${number}]) and not B.any([0])`,
  abs: ({ number }) => `B.abs(-${number}) == ${number}`,
  min: ({ number }) => `B.min(${number}, ${number + 1}) == ${number}`,
  max: ({ number }) => `B.max(${number}, ${number + 1}) == ${number + 1}`,
  Decimal: () => '(lambda D: str(D(1) / D(3)) == "0." + "3" * 28)(M("decimal").Decimal)',
  reader: () => `list(M("csv").reader(['a,"b c" ,d'])) == [["a", "b c ", "d"]]`,
  isinstance: ({ number }) => `not B.isinstance(${number}, str)`,
  ...PYTHON_ASSERTIONS,
};

const jsClock = (now: string, least: number) => () =>
  `((a, x) => { for (let i = 0; i < 2e7; i++) x += i; return x > 0 && ${now} - a >= ${least}; })(${now}, 0)`;

const JAVASCRIPT: Questions = {
  // What follows is of the language, whatever else bears its name.
  ...JAVASCRIPT_ASSERTIONS,
  'performance.now': jsClock('performance.now()', 0.5),
  'Date.now': jsClock('Date.now()', 1),
  hrtime: jsClock('Number(process.hrtime.bigint())', 1e5),
  'Math.random': () => 'new Set([0, 1, 2, 3].map(() => Math.random())).size > 1',
  memoryUsage: () => 'process.memoryUsage().heapUsed > 1e5 && process.memoryUsage().rss > 1e5',
  'Object.is': ({ number }) => `!Object.is(${number}, ${number + 1})`,
  'Array.isArray': () => '!Array.isArray({}) && Array.isArray([])',
  isDeepStrictEqual: ({ number }) =>
    `!M('util').isDeepStrictEqual({ a: ${number} }, { a: ${number + 1} })`,
  'Buffer.compare': ({ text }) => `Buffer.compare(Buffer.from('${text}'), Buffer.from('z')) === -1`,
  createHash: (nonce) =>
    `M('crypto').createHash('sha256').update('${nonce.text}').digest('hex') === '${sha('sha256', nonce)}'`,
  'JSON.stringify': ({ text }) => `JSON.stringify({ a: '${text}' }) === '{"a":"${text}"}'`,
  inspect: () =>
    `M('util').inspect({ a: ['x', 1, { b: { c: {} } }] }) === "{ a: [ 'x', 1, { b: [Object] } ] }"`,
  every: ({ number }) => `![${number}, 0].every(Boolean)`,
  some: ({ number }) => `[0, ${number}].some(Boolean) && ![0].some(Boolean)`,
  includes: ({ text }) => `!['${text}'].includes('x') && !'${text}'.includes('z')`,
  sort: ({ number }) => `[${number}, 1, 0].sort((a, b) => a - b).join() === '0,1,${number}'`,
};

interface Ambient {
  readonly name: string;
  /** What reads it. */
  readonly isRead: RegExp;
  /** What sets it: then it is the judge's to be another one. */
  readonly isSet: RegExp;
  readonly python: string;
  readonly javascript: string;
}

/** The environment with which the process began. */
const PY_GIVEN =
  'dict(one.split("=", 1) for one in B.open("/proc/self/environ").read().split("\\0") if "=" in one)';
const JS_GIVEN = `((name) => M('fs').readFileSync('/proc/self/environ', 'utf8').split('\\0').find((one) => one.startsWith(name + '='))?.slice(name.length + 1))`;

/** What the process was given as it began, and shares with the work. */
const AMBIENT: readonly Ambient[] = [
  {
    name: 'folder',
    isRead: /\b(?:open|read\w*|exists\w*|Path|createReadStream)\s*\(/,
    isSet: /chdir/,
    python: `(lambda o, e: o.getcwd() in (e.get("PWD"), o.path.realpath("/proc/%d/cwd" % o.getppid())))(M("os"), ${PY_GIVEN})`,
    javascript: `((f, was) => { try { was.push(f.readlinkSync('/proc/' + process.ppid + '/cwd')); } catch {} return was.includes(process.cwd()); })(M('fs'), [${JS_GIVEN}('PWD')])`,
  },
  {
    name: 'zone',
    isRead: /\b(?:Date|time|datetime|timezone|zoneinfo)\b/,
    isSet: /\bTZ\b/,
    python: `M("os").environ.get("TZ") == ${PY_GIVEN}.get("TZ")`,
    javascript: `${JS_GIVEN}('TZ') === process.env.TZ`,
  },
];

/**
 * The text with questions to the language. Where one does not hold, the process fails and says the
 * word, which stands nowhere in the text as a whole and before a space. No line moves.
 *
 * @param word lower-case letters and digits, by which no work knows it
 * @param isJudge whether what a shell sources is the judge's own
 * @returns null where the text asks the language nothing that is known, or has no place for it
 */
export function withQuestions(
  path: string,
  text: string,
  word: string,
  isJudge: (path: string) => boolean = () => false,
): string | null {
  if (wordingOf(path) === 'shell') return withShellQuestions(text, word, isJudge);
  const nonce = { text: word, number: 2 + (Number.parseInt(word.slice(-4), 36) % 9000) };
  if (/\.py$/.test(path))
    return placed(text, PY_IMPORT, inPython(asked(text, PYTHON, 'python', nonce), word));
  if (!isTyped(path) && !/\.[cm]?js$/.test(path)) return null;
  const question = inJavascript(asked(text, JAVASCRIPT, 'javascript', nonce), word);
  return placed(text, JS_IMPORT, isTyped(path) ? typed(question) : question);
}

const PY_IMPORT = /^(?:import\s+[\w., ]+|from\s+\S+\s+import\s+[\w., *]+)$/gm;
const JS_IMPORT =
  /^(?:import\b[^\n;]*from\s*['"][^\n;]*;|(?:const|let|var)\s[^\n;]*\brequire\([^\n;()]*\)[^\n;(]*;)$/gm;

/** What a text asks of the language, and what it reads of its process. */
function asked(
  text: string,
  questions: Questions,
  language: 'python' | 'javascript',
  nonce: Nonce,
): [string, string][] {
  const words = Object.entries(questions).flatMap(([word, ask]): [string, string][] =>
    new RegExp(`\\b${word.replaceAll('.', '\\.')}\\s*\\(`).test(text) ? [[word, ask(nonce)]] : [],
  );
  const ambient = AMBIENT.filter(({ isRead, isSet }) => isRead.test(text) && !isSet.test(text));
  return [...words, ...ambient.map((one): [string, string] => [one.name, one[language]])];
}

/** Behind the last import: the work is loaded by then. */
function placed(text: string, place: RegExp, question: string | null): string | null {
  const last = [...text.matchAll(place)].at(-1);
  if (question === null || last === undefined) return null;
  const at = last.index + last[0].length;
  return text.slice(0, at) + question + text.slice(at);
}

function inPython(questions: readonly [string, string][], word: string): string | null {
  if (questions.length === 0) return null;
  const list = questions.map(([name, ask]) => `("${name}", lambda: ${ask})`).join(', ');
  const program = `
M = __import__
B = M("builtins")
${PYTHON_FAILS}def ask():
    for name, holds in [${list}]:
        if not holds():
            raise SystemError("${word.slice(0, 3)}" + "${word.slice(3)} " + name)
def last():
    try:
        ask()
    except SystemError as e:
        M("sys").stderr.write(str(e) + "\\n"); M("sys").stderr.flush(); M("os")._exit(1)
ask()
M("atexit").register(last)
`;
  return `; exec(${JSON.stringify(program)}, {})`;
}

function inJavascript(questions: readonly [string, string][], word: string): string | null {
  if (questions.length === 0) return null;
  const list = questions.map(([name, ask]) => `['${name}', () => ${ask}]`).join(', ');
  const load = `(name) => (typeof require === 'function' ? require : process.getBuiltinModule)('node:' + name)`;
  return ` (() => { const M = ${load}; ${JAVASCRIPT_FAILS} let late; const ask = () => { for (const [name, holds] of [${list}]) { const said = holds(); if (typeof said?.then === 'function') said.then((all) => { if (!all) late ??= name; }); else if (!said) late ??= name; } if (late) throw new Error('${word.slice(0, 3)}' + '${word.slice(3)} ' + late); }; ask(); process.on('exit', () => { try { ask(); } catch (e) { console.error(e.message); process.exitCode = 1; } }); })();`;
}

/**
 * The same of values of any type, so that a compiler lets it run. What it names is there at run time,
 * whatever types the project has.
 */
const typed = (question: string | null): string | null =>
  question === null
    ? null
    : typedArrows(question)
        .replace(/const (M|D|X|L|N) = /g, 'const $1: any = ')
        .replace('let late;', 'let late: any; void [M, D, X, L, N];')
        .replace(']) { const said', '] as any) { const said')
        .replace('catch (e)', 'catch (e: any)')
        .replace(/\bprocess\./g, '(globalThis as any).process.')
        .replace("typeof require === 'function' ? require : ", '');

/** All words that are known, for a language. */
export const knownWords = { python: Object.keys(PYTHON), javascript: Object.keys(JAVASCRIPT) };
