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
  'NODE_EXTRA_CA_CERTS',
]);

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

/** Nothing of the service's own environment reaches a command unless it is on the list. */
export function scrubEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const scrubbed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (KEPT.has(name) || name.startsWith('LC_'))) scrubbed[name] = value;
  }
  return { ...scrubbed, ...NOBODY_WATCHES };
}
