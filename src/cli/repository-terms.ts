import type { StartGoal } from '../../schema/goal.ts';
import type { RepositoryTerms } from '../app/repository-file.ts';
import type { ChosenTemplate } from '../app/repository-terms.ts';
import { UsageError } from './exit-code.ts';

export interface TermsOptions {
  /** A file; false = none is read; absent = the workspace's own. */
  readonly terms?: string | false;
  readonly template?: string;
  readonly set?: readonly string[];
  readonly acceptTerms?: boolean;
}

/** The terms of the file that is named, or that lies at the root of the workspace. */
export async function readTerms(
  options: TermsOptions,
  workspace: StartGoal['workspace'],
): Promise<RepositoryTerms | null> {
  const template = templateOf(options);
  const root = workspace !== undefined && 'path' in workspace ? workspace.path : null;
  const found = await termsAt(options.terms, root, template);
  if (found !== null || template === null) return found;
  throw new UsageError(
    `There is no file with the template ${template.name}.`,
    'Write goalkeeper.yaml in the workspace, or name one by --terms FILE.',
  );
}

async function termsAt(
  named: TermsOptions['terms'],
  root: string | null,
  template: ChosenTemplate | null,
): Promise<RepositoryTerms | null> {
  if (named === false) return null;
  const { termsOfFile, termsOfWorkspace } = await import('../app/repository-file.ts');
  if (named !== undefined) return termsOfFile(named, template);
  return root === null ? null : termsOfWorkspace(root, template);
}

function templateOf({ template: name, set = [] }: TermsOptions): ChosenTemplate | null {
  const values = set.map((text): [string, string] => {
    const [, key, value] = /^(\w+)=(.*)$/s.exec(text) ?? [];
    if (key !== undefined && value !== undefined) return [key, value];
    throw new UsageError(`--set ${text} is not KEY=VALUE.`, 'Write it as issue=1234.');
  });
  if (name !== undefined) return { name, values: Object.fromEntries(values) };
  if (values.length === 0) return null;
  throw new UsageError('--set gives the parameters of a template.', 'Give --template NAME.');
}
