/** A script or command of the manager itself, or the words of a tool that it only starts. */
type Managed = ProgramCall | { readonly inner: readonly string[] };

export function readPackageManager(name: string, args: readonly string[]): Managed | null {
  switch (name) {
    case 'npm':
      return readNpm(args);
    case 'npx':
    case 'bunx':
      return startsTool(args);
    case 'pnpm':
      return readPnpm(args);
    case 'yarn':
      return readYarn(args);
    case 'bun':
      return readBun(args);
    default:
      return null;
  }
}

interface Split {
  /** The manager's own flags in front of and behind its verb. */
  readonly flags: readonly string[];
  readonly verb: string | undefined;
  readonly rest: readonly string[];
  readonly into?: string;
}

/** Flags of a manager that take the next word. */
const valued = /^(-w|--workspace|--script-shell|--loglevel|--userconfig|--filter|-F|--reporter)$/;

function split(args: readonly string[], folderFlags: readonly string[]): Split {
  const flags: string[] = [];
  let into: string | undefined;
  let at = 0;
  for (let word = args[at]; word?.startsWith('-'); word = args[at]) {
    const [flag = word, value] = word.startsWith('--') ? halves(word) : [word, undefined];
    at += 1;
    if (folderFlags.includes(flag)) into = value ?? args[at++];
    else if (valued.test(flag)) flags.push(`${flag}=${value ?? args[at++] ?? ''}`);
    else flags.push(word);
  }
  const verb = args[at];
  const rest = args.slice(at + 1);
  return { flags, verb, rest, ...(into === undefined ? {} : { into }) };
}

function halves(word: string): [string, string | undefined] {
  const at = word.indexOf('=');
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

const npmTest = /^(test|t|tst)$/;
const npmFolders = ['--prefix', '-C'];

function readNpm(args: readonly string[]): Managed {
  const { flags, verb = '', rest, into } = split(args, npmFolders);
  if (npmTest.test(verb)) return npmScript('test', flags, rest, into);
  if (/^(start|stop|restart)$/.test(verb)) return npmScript(verb, flags, rest, into);
  if (/^(run|run-script|rum|urn)$/.test(verb)) {
    const inner = split(rest, npmFolders);
    const all = [...flags, ...inner.flags];
    return npmScript(inner.verb ?? '', all, inner.rest, inner.into ?? into);
  }
  if (/^(exec|x)$/.test(verb)) return startsTool(rest);
  const canonical = /^(i|in|add|isntall)$/.test(verb) ? 'install' : verb;
  const moved = into === undefined ? {} : { into };
  return { program: `npm ${canonical}`, args: [...flags, ...rest], ...moved };
}

/** npm keeps flags for itself; words, and all behind `--`, go to the script. */
function npmScript(
  script: string,
  flags: readonly string[],
  rest: readonly string[],
  into: string | undefined,
): ProgramCall {
  const own: string[] = [];
  const given: string[] = [];
  let inside = into;
  for (let index = 0; index < rest.length; index += 1) {
    const word = rest[index] ?? '';
    if (word === '--') {
      given.push(...rest.slice(index + 1));
      break;
    }
    const [flag, value] = halves(word);
    if (npmFolders.includes(flag)) inside = value ?? rest[++index];
    else if (valued.test(flag)) own.push(`${flag}=${value ?? rest[++index] ?? ''}`);
    else if (word.startsWith('-')) own.push(word);
    else given.push(word);
  }
  // A flag that npm keeps never reaches the script: it is told apart from one that does.
  const kept = [...flags, ...own].map((word) => (isQuiet(word) ? word : `npm:${word}`));
  const moved = inside === undefined ? {} : { into: inside };
  return { program: `npm run ${script}`, args: [...kept, ...given], ...moved };
}

function isQuiet(word: string): boolean {
  return /^(-s|--silent|--loglevel=.*|--foreground-scripts|--verbose|--color=.*|--no-color)$/.test(
    word,
  );
}

function startsTool(args: readonly string[]): Managed {
  const start = args.findIndex(
    (word) => !/^(-y|--yes|--no|--no-install|-q|--quiet|--)$/.test(word),
  );
  const inner = start < 0 ? [] : args.slice(start);
  const [tool = ''] = inner;
  return tool === '' || tool.startsWith('-') ? { program: 'npx', args } : { inner };
}

const pnpmVerbs =
  /^(install|i|add|remove|rm|update|up|outdated|list|ls|why|audit|publish|pack|init|create|store|fetch|link|unlink|import|rebuild|dlx|env|config|deploy|patch)$/;

function readPnpm(args: readonly string[]): Managed {
  const { flags, verb = '', rest, into } = split(args, ['-C', '--dir']);
  const moved = into === undefined ? {} : { into };
  if (verb === 'exec')
    return flags.length === 0 ? startsTool(rest) : { program: 'pnpm exec', args };
  if (pnpmVerbs.test(verb)) return { program: `pnpm ${verb}`, args: [...flags, ...rest], ...moved };
  return { ...script('pnpm', verb, rest), ...moved, ...withFlags(flags, verb, rest, 'pnpm') };
}

const yarnVerbs =
  /^(install|add|remove|up|upgrade|why|workspace|workspaces|dlx|node|init|config|cache|set|plugin|audit|outdated|list|link|pack|publish|version|dedupe|info|)$/;

function readYarn(args: readonly string[]): Managed {
  const { flags, verb = '', rest, into } = split(args, ['--cwd']);
  const moved = into === undefined ? {} : { into };
  if (verb === 'exec') return startsTool(rest);
  if (yarnVerbs.test(verb)) {
    return { program: `yarn ${verb || 'install'}`, args: [...flags, ...rest], ...moved };
  }
  return { ...script('yarn', verb, rest), ...moved, ...withFlags(flags, verb, rest, 'yarn') };
}

function readBun(args: readonly string[]): Managed {
  const [verb = '', ...rest] = args;
  if (verb === 'x') return startsTool(rest);
  return verb === 'run' ? script('bun', verb, rest) : { program: `bun ${verb}`, args: rest };
}

/** `yarn x` is `yarn run x`; the first `--` only says that what follows is the script's. */
function script(manager: string, verb: string, rest: readonly string[]): ProgramCall {
  const isRun = verb === 'run' || verb === 'run-script';
  const [name = '', ...given] = isRun ? rest.filter(isNoManagerFlag) : [verb, ...rest];
  const canonical = /^(t|tst)$/.test(name) && manager === 'pnpm' ? 'test' : name;
  const first = given.indexOf('--');
  const args = first < 0 ? given : given.toSpliced(first, 1);
  return { program: `${manager} run ${canonical}`, args };
}

function isNoManagerFlag(word: string, index: number, words: readonly string[]): boolean {
  const name = words.findIndex((one) => !one.startsWith('-'));
  return index >= name || !/^(-s|--silent)$/.test(word);
}

function withFlags(
  flags: readonly string[],
  verb: string,
  rest: readonly string[],
  manager: string,
): Pick<ProgramCall, 'args'> {
  const kept = flags.filter((flag) => !isQuiet(flag)).map((flag) => `${manager}:${flag}`);
  return { args: [...kept, ...script(manager, verb, rest).args] };
}

export interface ProgramCall {
  readonly program: string;
  readonly args: readonly string[];
  /** The folder that a flag of the program enters. */
  readonly into?: string;
}
