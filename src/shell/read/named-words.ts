import type { Statement, Word } from './script.ts';

/** What a line names outside of its simple commands: files of a group's redirects, values of a loop. */
export const besideCommands = (statements: readonly Statement[]): Word[] =>
  statements.flatMap((statement) => {
    if (statement.kind === 'group') return statement.redirects.map(({ target }) => target);
    return statement.kind === 'for' ? [...(statement.words ?? [])] : [];
  });
