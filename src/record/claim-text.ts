import type { StepEvidence } from '../../schema/todo.ts';

const MAX_TEXT = 8000;

/** A claim's text for the person: its result and, under it, what the model names as evidence. */
export function claimText(result: string, evidence: readonly StepEvidence[]): string {
  if (evidence.length === 0) return result;
  const lines = evidence.map(lineOf);
  const said = `\n\nThe model names as evidence:\n${lines.join('\n')}`;
  // The result leads; what it leaves no room for stands in the call's arguments.
  return (result + said).slice(0, Math.max(result.length, MAX_TEXT));
}

function lineOf({ kind, summary, command, paths = [] }: StepEvidence): string {
  const run = command === undefined ? '' : ` (\`${command}\`)`;
  const files = paths.length === 0 ? '' : ` (${paths.join(', ')})`;
  return `- ${kind}: ${summary}${run}${files}`;
}
