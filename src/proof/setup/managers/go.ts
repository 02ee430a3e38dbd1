import { nameOf } from '../../scope/code-files.ts';
import { type Lock, type Locked, lockedAdditions, type Wants } from '../additions.ts';
import { at, type PackageManager } from '../setup.ts';

const INPUTS = new Set(['go.mod', 'go.sum', 'go.work', 'go.work.sum']);

/** Go compares what it fetches with `go.sum`. */
export const go: PackageManager = {
  tool: 'go',
  locks: ['go.sum'],
  async setupOf(folder, _, ground) {
    if (ground.has(at(folder, 'vendor/modules.txt'))) return null;
    // A workspace of modules lies above or beside them.
    const inputs = ground.all.filter((path) => INPUTS.has(nameOf(path)));
    return { command: 'go mod download', inputs };
  },
  additions: {
    changes: /(^|\/)go\.(mod|sum)$/,
    judge: lockedAdditions({
      lockOf,
      manifestOf,
      registries: [],
      // Names without a dot are the language's own.
      isName: /^[\w-]+(?:\.[\w-]+)+(?:\/[\w.~-]+)*$/,
      foundAs: (name) => name,
      clash: nested,
    }),
  },
};

/** A package is looked for in every module whose name its own begins with. */
function nested(name: string, others: ReadonlySet<string>): string | null {
  const found = [...others].find(
    (other) => other.startsWith(`${name}/`) || name.startsWith(`${other}/`),
  );
  return found === undefined ? null : `may hold packages of ${found}`;
}

/**
 * Each line is one module's version with a digest: of its files, or of its `go.mod` alone, which only
 * tells what else it needs.
 */
function lockOf(text: string): Lock | null {
  const kept = new Map<string, unknown>();
  const packages = new Map<string, Locked>();
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const [name = '', version = '', digest = '', ...more] = line.split(' ');
    if (more.length > 0 || !/^h1:[\w+/]{43}=$/.test(digest)) return null;
    const key = `${name}@${version}`;
    if (kept.has(key)) throw new Error(`${key} stands there twice`);
    kept.set(key, digest);
    if (version.endsWith('/go.mod')) continue;
    packages.set(key, { name, version, entry: digest, sources: [], issue: null });
  }
  return { head: null, own: new Map(), packages, kept };
}

/** The modules that it requires, with or without parentheses; comments say nothing. */
function manifestOf(text: string): Wants {
  const rest: string[] = [];
  const required: [string, string][] = [];
  let block = '';
  for (const line of text.split('\n').map((one) => one.replace(/\/\/.*$/, '').trim())) {
    const [first = '', ...words] = line.split(/\s+/);
    if (line === '') continue;
    if (block !== '' && line === ')') block = '';
    else if (block === '' && words.at(-1) === '(') block = first;
    else if (block === 'require') required.push([first, words.join(' ')]);
    else if (block === '' && first === 'require') {
      required.push([words[0] ?? '', words.slice(1).join(' ')]);
    } else rest.push(`${block} ${line}`);
  }
  return {
    dependencies: required.map(([name, spec]) => ({
      ...{ list: 'require', name, spec },
      isRange: /^v\d+\.\d+\.\d+[\w.+-]*$/.test(spec),
    })),
    rest,
  };
}
