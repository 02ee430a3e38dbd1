const silent = () => undefined;

/** For the SDK where its own lines help nobody: bundling, tests, measurements. */
export const quietLogger = {
  log: silent,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
};
