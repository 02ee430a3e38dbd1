/**
 * Environment variables in front of a command. R7 lets them drift, as they mostly only set the
 * stage (a database, a port, a time zone). Three sorts can make a check pass that does not:
 * variables that hand the runner options, variables whose name says that something is left out,
 * and variables that put other code in the place of what is run.
 */
export type EnvironmentChange =
  | { readonly kind: 'same' }
  | { readonly kind: 'narrowed'; readonly tokens: readonly string[] }
  | { readonly kind: 'tampered'; readonly reason: string }
  | { readonly kind: 'different'; readonly missing: readonly string[] };

export function environmentBetween(
  cited: ReadonlyMap<string, string>,
  ran: ReadonlyMap<string, string>,
): EnvironmentChange {
  const added = [...ran].filter(([name, value]) => cited.get(name) !== value);
  const swapped = [...ran].find(([name, value]) => swapsCode(name, value));
  if (swapped !== undefined) {
    return {
      kind: 'tampered',
      reason: `${swapped[0]} puts other code in the place of what is run`,
    };
  }
  const narrowed = added.filter(([name, value]) => leavesOut(name, value));
  if (narrowed.length > 0) return { kind: 'narrowed', tokens: narrowed.map(spell) };
  const missing = [...cited].filter(
    ([name, value]) => ran.get(name) !== value && !isDisplay(name, value),
  );
  return missing.length > 0 ? { kind: 'different', missing: missing.map(spell) } : { kind: 'same' };
}

function spell([name, value]: readonly [string, string]): string {
  return `${name}=${value}`;
}

/** Says how to print, or what a test runner sets by itself. */
function isDisplay(name: string, value: string): boolean {
  const isPrinting =
    /^(CI|(NO|FORCE|CLICOLOR)_?(COLOR|FORCE)?|CLICOLOR|TERM|LANG|LC_\w+|COLUMNS|LINES|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|DEBUG|VERBOSE|RUST_BACKTRACE|RUST_LOG|CARGO_TERM_COLOR)$/;
  return isPrinting.test(name) || (name === 'NODE_ENV' && value === 'test');
}

const leavingOut =
  /(^|_)(SKIP|SKIPPED|ONLY|FILTER|GREP|PATTERN|EXCLUDE|IGNORE|DISABLE|DISABLED|DRY_?RUN|NO_?TESTS?|MOCK|FAKE|STUB|FAST|QUICK|SMOKE|SUBSET|SHARD|UPDATE_SNAPSHOTS?)(_|$)/i;
const options =
  /^(PYTEST_ADDOPTS|GOFLAGS|MAKEFLAGS|MFLAGS|GNUMAKEFLAGS|CARGO_BUILD_\w+|MOCHA_OPTIONS|JEST_\w+|VITEST_\w+|MAVEN_OPTS|GRADLE_OPTS|npm_config_\w+|NPM_CONFIG_\w+)$/;
/** Options that change how it runs and not what. */
const harmless =
  /^((-mod|-p|-parallel|-timeout|-count)=?\S*|-race|-v+|-q+|-x|-j\d*|-s|-k(?=\s*$)|--tb=\S+|--color=\S+|--maxfail=\S+|-Xm[sx]\S+|-n\s*\d+)$/;
const quiet = /^npm_config_(loglevel|color|progress|audit|fund|cache|registry)$/i;

function leavesOut(name: string, value: string): boolean {
  const isOff = /^(|0|false|no|off)$/i.test(value);
  if (leavingOut.test(name)) return !isOff;
  if (!options.test(name) || isOff || quiet.test(name)) return false;
  return value.split(/\s+/).some((word) => word !== '' && !harmless.test(word));
}

const swapping =
  /^(LD_PRELOAD|LD_LIBRARY_PATH|LD_AUDIT|DYLD_\w+|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|BASH_FUNC_.*|SHELL|PYTHONSTARTUP|PYTHONHOME|PERL5OPT|RUBYOPT|GIT_\w*(DIR|TREE|CONFIG\w*)|npm_config_script_shell|npm_config_shell|npm_config_prefix|npm_config_userconfig)$/i;

function swapsCode(name: string, value: string): boolean {
  if (name === 'PATH') return !isOrdinaryPath(value);
  if (name === 'NODE_OPTIONS') return !isOrdinaryNode(value);
  return swapping.test(name);
}

/** Loaders and preloaded modules run before the test does; memory limits and warnings don't. */
function isOrdinaryNode(value: string): boolean {
  const ordinary =
    /^(--max[-_]old[-_]space[-_]size=\d+|--experimental-\w[\w-]*|--no-\w[\w-]*|--(en|dis)able-[\w-]+|--trace-[\w-]+|--unhandled-rejections=\w+|--openssl-legacy-provider|--stack-trace-limit=\d+)$/;
  return value.split(/\s+/).every((word) => word === '' || ordinary.test(word));
}

/** Folders where a project or system keeps its tools; any other may hold a forged tool. */
export function isOrdinaryPath(value: string): boolean {
  const part =
    /^(\$\{?PATH\}?|(\$\{?(PWD|HOME)\}?\/|~\/|\.\/|\$\(pwd\)\/|\$\((npm|yarn|pnpm) (bin|prefix)\)|\/[\w./-]*)?(node_modules\/\.bin|\.?venv\/bin|\.local\/bin|\.cargo\/bin|go\/bin|\.yarn\/bin|\.deno\/bin|\.bun\/bin)?|(\/usr(\/local)?)?\/s?bin|\/opt\/homebrew\/bin|\/usr\/local\/go\/bin)$/;
  const foreign =
    /^\/(?!usr\/|bin$|sbin$|opt\/homebrew)(?!.*(node_modules\/\.bin|venv\/bin|\.local\/bin|\.cargo\/bin|go\/bin)$)/;
  return value
    .split(':')
    .every(
      (folder) => folder !== '' && part.test(folder) && !foreign.test(folder) && folder !== '.',
    );
}
