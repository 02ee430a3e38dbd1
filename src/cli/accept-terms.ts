import { realpath } from 'node:fs/promises';
import { relative } from 'node:path';
import type { Estimate } from '../../schema/estimate.ts';
import { literalGlob } from '../../schema/glob.ts';
import type { StartGoal } from '../../schema/goal.ts';
import type { RepositoryTerms } from '../app/repository-file.ts';
import { personsTerms, type Term, termsBeside } from '../intake/terms/persons-terms.ts';
import { UsageError } from './exit-code.ts';
import { saysYes } from './says-yes.ts';
import type { Session } from './session.ts';
import { printable } from './terminal.ts';

interface Start {
  /** A person said beforehand that all of the file holds. */
  readonly isAccepted: boolean;
  readonly flags: Partial<StartGoal>;
  /** Of flags and file. */
  readonly input: StartGoal;
}

/**
 * Says which file a start has terms of. What only a person may set is not the file's to decide: it
 * is shown, and a person says yes.
 * @throws UsageError where nobody does
 */
export async function takeTerms(
  session: Session,
  found: RepositoryTerms,
  { isAccepted, flags, input }: Start,
): Promise<StartGoal> {
  const { terminal } = session;
  const path = printable(found.path);
  const fields = Object.keys(found.terms).join(', ') || 'nothing';
  terminal.err(terminal.paint.dim(`terms of ${path}: ${fields}`));
  if (found.isCommitted === false) terminal.err(terminal.paint.notable(changedText(path)));
  const terms = personsTerms(termsBeside(flags, input), await baseOf(session, input));
  if (terms.length > 0) {
    terminal.err(terminal.paint.notable(`${path} asks for what only a person decides:`));
    for (const term of terms) terminal.err(`  ${termText(term)}`);
    if (!isAccepted && !(terminal.isInteractive && (await saysYes('Accept?')))) {
      throw unaccepted(path, terms);
    }
  }
  return keepingFile(input, flags, found);
}

const changedText = (path: string): string =>
  `${path} is not as in the last commit: look at what it says, before work is judged by it.`;

const unaccepted = (path: string, terms: readonly Term[]): UsageError =>
  new UsageError(
    `Nobody accepted ${terms.map(({ place }) => place).join(', ')} of ${path}.`,
    'Look at the file and add --accept-terms, say the same by flags, or leave it with --no-terms.',
  );

/** Whole: who says yes has seen all of it. */
const termText = ({ place, value }: Term): string =>
  `${place} = ${printable(JSON.stringify(value))}`;

/** What the service gives by itself to a goal of this model. */
async function baseOf({ client }: Session, input: StartGoal): Promise<Estimate> {
  const { objective, workspace, model } = input;
  return client.send<Estimate>('POST', '/v1/goals/estimate', {
    objective,
    workspace,
    ...(model === undefined ? {} : { model }),
  });
}

/** Where a file says what is the work, it isn't the work itself: no goal writes its next terms. */
export async function keepingFile(
  input: StartGoal,
  flags: Partial<StartGoal>,
  { path }: RepositoryTerms,
): Promise<StartGoal> {
  const { workspace, scope } = input;
  const isOfFile = scope?.change !== undefined && flags.scope?.change === undefined;
  if (!isOfFile || workspace === undefined || !('path' in workspace)) return input;
  const inside = relative(workspace.path, await realpath(path));
  const own = literalGlob(inside);
  if (inside.startsWith('..') || own === null) return input;
  return { ...input, scope: { ...scope, keep: [...(scope.keep ?? []), own] } };
}
