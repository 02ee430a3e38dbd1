import type { Criterion } from '../../schema/criteria.ts';

/** What has to hold, in one line for people and models. */
export function describeCriterion(spec: Criterion): string {
  switch (spec.kind) {
    case 'command':
      return `the host runs \`${spec.command}\`${spec.cwd ? ` in ${spec.cwd}` : ''}, expects exit ${spec.expectExit ?? 0}`;
    case 'file':
      return fileRule(spec);
    case 'git':
      return `the change is committed${spec.branch ? ` on ${spec.branch}` : ''}${
        spec.allowedPaths ? `, only in ${spec.allowedPaths.join(', ')}` : ''
      }`;
    case 'diagnostics':
      return `no diagnostics errors${spec.paths ? ` in ${spec.paths.join(', ')}` : ''}`;
    case 'review':
      return `a reviewer agrees: ${spec.rubric}`;
    case 'approval':
      return `a person approves: ${spec.question}`;
  }
}

function fileRule(spec: Extract<Criterion, { kind: 'file' }>): string {
  if (spec.protect) return `${spec.path} stays unchanged`;
  if (spec.matches !== undefined) return `${spec.path} matches /${spec.matches}/`;
  return spec.exists === false ? `${spec.path} does not exist` : `${spec.path} exists`;
}
