/** What a shown change is of: names of kinds that are no files themselves begin with their kind. */
export const changedName = (name: string): string =>
  name.replace(/^(?:test|looked at|rewritten|breaks):/, '');
