/** The folder of an environment whose programs a command runs. */
export const environmentIn = (commands: readonly string[]): string | undefined =>
  /(?:^|[\s;&|'"(./])(\.?venv|env)\/bin\//.exec(commands.join('\n'))?.[1];

/** Python by its bare name finds no environment, and needs none; all else may be a way to one. */
export const usesEnvironment = (commands: readonly string[]): boolean =>
  commands.some((command) => !/^\s*(?:python[\d.]*|py\.?test)(?=\s|$)/.test(command));
