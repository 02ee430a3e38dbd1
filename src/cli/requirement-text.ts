import type { ShownRequirement } from '../../schema/requirement.ts';
import { oneLine } from './terminal.ts';

/** `R1  by the host (c1, c2)  what it says`, one a line. */
export function requirementLines(requirements: readonly ShownRequirement[]): string[] {
  return requirements.map(({ requirementId, text, criteria, by, setBy, late }) => {
    const bound = criteria.length === 0 ? '' : ` (${criteria.join(', ')})`;
    const who = by === 'nobody' ? 'by nobody' : `by ${by === 'host' ? 'the host' : 'a person'}`;
    const own = setBy === 'person' ? ' [yours]' : late === true ? ' [named late]' : '';
    return `  ${requirementId}  ${who}${bound}: ${oneLine(text, 200)}${own}`;
  });
}
