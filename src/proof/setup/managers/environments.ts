/** The folder of an environment whose programs a command runs. */
export const environmentIn = (commands: readonly string[]): string | undefined =>
  /(?:^|[\s;&|'"(./])(\.?venv|env)\/bin\//.exec(commands.join('\n'))?.[1];

/** Programs that may run something of the environment, as the project says. */
const RUNNERS = ['make', 'just', 'task', 'invoke', 'nox', 'tox', 'hatch'];

/** Python finds no environment by itself: a command names it, its manager or what runs either. */
export const usesEnvironment = (tool: string, commands: readonly string[]): boolean =>
  environmentIn(commands) !== undefined ||
  new RegExp(`(?:^|[\\s;&|'"(])(?:${[tool, ...RUNNERS].join('|')})(?=\\s|$)`, 'm').test(
    commands.join('\n'),
  );
