import type { Verification } from '../../schema/goal.ts';
import { printable } from './foreign-text.ts';

/** Hosts cut longer titles. */
const MOST_TITLE = 72;

/** The first line of the objective. */
export function goalTitle(objective: string): string {
  const line = printable(objective.trim().split('\n')[0] ?? '').replaceAll('\t', ' ');
  return line.length <= MOST_TITLE ? line : `${line.slice(0, MOST_TITLE - 1).trimEnd()}…`;
}

interface GoalCommit {
  readonly goalId: string;
  readonly objective: string;
  readonly level: Verification;
  /** Of the proof of exactly this tree: sha256 of its first statement, in hex; null = there is none. */
  readonly digest: string | null;
  /** Instead of the first line of the objective. */
  readonly title?: string;
  /** What else there is to say, above the trailers. */
  readonly note?: string;
}

/** Title, objective and the trailers by which a goal and its proof are found again. */
export function goalCommitMessage(commit: GoalCommit): string {
  const { goalId, level, digest, note } = commit;
  // Behind such a line readers of trailers see none.
  const objective = commit.objective.trim().replaceAll(/^---/gm, ' ---');
  const title = commit.title ?? goalTitle(objective);
  const proof = digest === null ? [] : [`Goal-Proof: sha256:${digest}`];
  return [
    printable(title),
    ...(objective === title ? [] : [printable(objective)]),
    ...(note === undefined ? [] : [note]),
    [`Goal-Id: ${goalId}`, `Goal-Level: ${level}`, ...proof].join('\n'),
  ].join('\n\n');
}
