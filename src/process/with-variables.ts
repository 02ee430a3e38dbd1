export class UnsetVariable extends Error {
  constructor(who: string, variable: string) {
    super(`${who} needs ${variable}, which is not set`);
    this.name = 'UnsetVariable';
  }
}

/**
 * Values may name variables of the worker's environment as `${NAME}`, so that secrets stay out of
 * the file.
 * @throws UnsetVariable
 */
export function withVariables(
  who: string,
  values: Readonly<Record<string, string>> = {},
  environment: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const filled = (value: string) =>
    value.replace(/\$\{(\w+)\}/g, (_whole, variable: string) => {
      const found = environment[variable];
      if (found === undefined) throw new UnsetVariable(who, variable);
      return found;
    });
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, filled(value)]));
}
