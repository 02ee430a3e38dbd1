import type { WorkspaceTemplate } from '../api/types.ts';
import type { Problems } from './start-form.ts';

/** A template that a person chooses, with what they give its parameters. */
export interface TemplateForm {
  readonly workspace: string;
  readonly template: string;
  readonly values: Readonly<Record<string, string>>;
}

export const emptyTemplate: TemplateForm = { workspace: '', template: '', values: {} };

/** Of the template's own parameters; what is left empty has its default. */
export const givenValues = (form: TemplateForm, template: WorkspaceTemplate) =>
  Object.fromEntries(
    template.parameters.flatMap(({ name }) => {
      const value = form.values[name] ?? '';
      return value === '' ? [] : [[name, value] as const];
    }),
  );

/** What keeps it from being filled in, by the name that the service gives the field. */
export function templateProblems(
  form: TemplateForm,
  template: WorkspaceTemplate | undefined,
): Problems {
  if (form.workspace === '') return { workspace: 'Choose the workspace whose templates they are.' };
  if (template === undefined) return { template: 'Choose a template.' };
  return Object.fromEntries(
    template.parameters
      .filter(({ name, default: value }) => value === undefined && !form.values[name])
      .map(({ name }) => [`values.${name}`, 'It has to be set.']),
  );
}
