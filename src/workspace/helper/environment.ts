const KEPT = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'JAVA_HOME',
  'GOPATH',
  'GOROOT',
  'GOCACHE',
  'GOMODCACHE',
  'CARGO_HOME',
  'RUSTUP_HOME',
  'NVM_DIR',
  'PYENV_ROOT',
  'VIRTUAL_ENV',
  'SSL_CERT_FILE',
]);

/**
 * What a Node reads at its own start, at the price of a start: for commands, and not for the helper,
 * which speaks to no server.
 */
const OF_COMMANDS_ALONE = new Set(['NODE_EXTRA_CA_CERTS']);

/**
 * Commands run without a person: no pager and no password prompt. npm's update check is off,
 * because in a fresh home it would run at each start and take longer than the start itself.
 */
const NOBODY_WATCHES = {
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  NO_UPDATE_NOTIFIER: '1',
  npm_config_update_notifier: 'false',
};

/** Nothing of the service's own environment reaches the helper, or a command, unless it is listed. */
export const scrubEnvironment = (env: NodeJS.ProcessEnv): Record<string, string> => ({
  ...named(env, (name) => KEPT.has(name) || name.startsWith('LC_')),
  ...NOBODY_WATCHES,
});

/** What commands have of the service's environment besides. */
export const ofCommandsAlone = (env: NodeJS.ProcessEnv): Record<string, string> =>
  named(env, (name) => OF_COMMANDS_ALONE.has(name));

function named(env: NodeJS.ProcessEnv, isKept: (name: string) => boolean): Record<string, string> {
  const known = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && isKept(entry[0]),
  );
  return Object.fromEntries(known);
}
