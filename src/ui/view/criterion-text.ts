import type { Criterion } from '../api/types.ts';

export interface CriterionText {
  /** A command or a path is shown as code. */
  readonly isCode: boolean;
  readonly what: string;
  /** How it is checked. */
  readonly rule: string;
}

export function criterionText({ spec, origin, baseline }: Criterion): CriterionText {
  const { what, rule, isCode } = specText(spec);
  const from = origin === 'caller' ? '' : `, ${origin}`;
  const guard = baseline === 'met' ? ', held at the start' : '';
  return {
    isCode: isCode && spec.name === undefined,
    what: spec.name ?? what,
    rule: rule + guard + from,
  };
}

/** What it asks, and how it is checked. */
export function specText(spec: Criterion['spec']): CriterionText {
  switch (spec.kind) {
    case 'command':
      return { isCode: true, what: spec.command, rule: commandRule(spec) };
    case 'file':
      return { isCode: true, what: spec.path, rule: fileRule(spec) };
    case 'git':
      return { isCode: false, what: gitWhat(spec), rule: gitRule(spec) };
    case 'diagnostics':
      return {
        isCode: false,
        what: `No ${spec.onlyNew === true ? 'new ' : ''}errors reported${spec.paths === undefined ? '' : ` in ${spec.paths.join(', ')}`}`,
        rule: 'the host asks the checkers',
      };
    case 'review':
      return {
        isCode: false,
        what: spec.rubric,
        rule: 'a second model reviews; never enough alone',
      };
    case 'sealed':
      return {
        isCode: false,
        what: spec.description ?? 'Sealed',
        rule: 'sealed: the model never sees how it is checked',
      };
    case 'approval':
      return { isCode: false, what: spec.question, rule: 'a person approves after the last write' };
  }
}

type Of<Kind extends Criterion['spec']['kind']> = Extract<Criterion['spec'], { kind: Kind }>;

function commandRule({ check, expectExit, scope, attempts }: Of<'command'>): string {
  const exit = `exits ${expectExit ?? 0}`;
  const times = attempts === undefined || attempts === 1 ? '' : `, ${attempts} attempts`;
  if (check === 'receipt') {
    const where = scope === undefined ? '' : ` to ${scope.join(', ')}`;
    return `${exit} after the last write${where}`;
  }
  const place = check === 'clean' ? ' in a fresh checkout' : '';
  return `${exit} when the host runs it${place}${times}`;
}

function fileRule({ exists, type, matches, protect }: Of<'file'>): string {
  if (protect === true) return 'stays unchanged';
  if (matches !== undefined) return `matches ${matches}`;
  if (exists === false) return 'is gone';
  return type === 'folder' ? 'exists as a folder' : 'exists';
}

const gitWhat = ({ branch }: Of<'git'>): string =>
  branch === undefined ? 'The change is committed' : `The change is committed on ${branch}`;

function gitRule({ allowedPaths, clean }: Of<'git'>): string {
  const paths = allowedPaths === undefined ? [] : [`only ${allowedPaths.join(', ')} change`];
  return (
    [...paths, ...(clean === false ? [] : ['no stray files'])].join(', ') || 'the host asks git'
  );
}
