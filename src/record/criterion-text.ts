import type { Criterion } from '../../schema/criteria.ts';

/** The criterion in one line for people and models. */
export function describeCriterion(spec: Criterion): string {
  switch (spec.kind) {
    case 'command':
      return commandRule(spec);
    case 'file':
      return fileRule(spec);
    case 'git':
      return `the change is committed${spec.branch ? ` on ${spec.branch}` : ''}${
        spec.allowedPaths ? `, only in ${spec.allowedPaths.join(', ')}` : ''
      }${spec.clean ? ', with no stray files' : ''}`;
    case 'diagnostics':
      return `no ${spec.onlyNew ? 'new ' : ''}diagnostics errors${spec.paths ? ` in ${spec.paths.join(', ')}` : ''}`;
    case 'review':
      return `a reviewer agrees: ${spec.rubric}`;
    case 'sealed':
      return `the host checks what nobody else sees: ${spec.description ?? ''}`;
    case 'approval':
      return `a person approves: ${spec.question}`;
  }
}

function commandRule(spec: Extract<Criterion, { kind: 'command' }>): string {
  const { command, cwd, check, scope, setup } = spec;
  const run = `\`${command}\`${cwd ? ` in ${cwd}` : ''}, expects exit ${spec.expectExit ?? 0}`;
  if (check === 'receipt') {
    const files = scope ? `to ${scope.join(', ')}` : 'of any file';
    return `you run ${run}, with run_command and after the last change ${files}`;
  }
  if (check !== 'clean') return `the host runs ${run}`;
  return `the host runs ${run}, in a fresh checkout${setup ? ` after \`${setup}\`` : ''}`;
}

function fileRule(spec: Extract<Criterion, { kind: 'file' }>): string {
  if (spec.protect) return `${spec.path} stays unchanged`;
  if (spec.matches !== undefined) return `${spec.path} matches /${spec.matches}/`;
  if (spec.exists === false) return `${spec.path} does not exist`;
  return `${spec.path} exists${spec.type === 'folder' ? ' as a folder' : ''}`;
}
