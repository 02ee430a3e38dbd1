import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, detailAt } from '../../api/problem.ts';
import { workspacesQuery } from '../../api/queries.ts';
import { filledTemplateQuery, templatesQuery } from '../../api/templates.ts';
import type { Problems } from '../../view/start-form.ts';
import { emptyTemplate, givenValues, templateProblems } from '../../view/template-form.ts';
import { useSettled } from '../new/use-settled.ts';

const CALM_MS = 400;

/**
 * A template of a workspace's file as somebody fills it in. `start` is what is seen beside the
 * fields: what a schedule keeps is what its maker saw.
 */
export function useTemplate(isChosen: boolean, workspace = '') {
  const [form, setForm] = useState({ ...emptyTemplate, workspace });
  const workspaces = useQuery({ ...workspacesQuery, enabled: isChosen });
  const found = useQuery({
    ...templatesQuery(form.workspace),
    enabled: isChosen && form.workspace !== '',
  });
  const template = found.data?.items.find(({ name }) => name === form.template);
  const problems = templateProblems(form, template);
  const calm = useSettled(form, CALM_MS);
  const isWhole = template !== undefined && Object.keys(problems).length === 0;
  const filled = useQuery({
    ...filledTemplateQuery(
      calm.workspace,
      calm.template,
      template === undefined ? {} : givenValues(calm, template),
    ),
    enabled: isChosen && isWhole && calm.template === template.name,
  });
  return {
    ...{ form, setForm, template, problems, found },
    workspaces: workspaces.data ?? [],
    start: isWhole && calm === form ? filled.data : undefined,
    refused: { ...refusalOf(found.error), ...(isWhole ? refusalOf(filled.error) : {}) },
  };
}

export type ChosenTemplate = ReturnType<typeof useTemplate>;

function refusalOf(error: Error | null): Problems {
  if (error === null) return {};
  if (!(error instanceof ApiError)) return { template: error.message };
  const { field = 'template' } = error.problem;
  return { [field.startsWith('values.') ? field : 'template']: detailAt(error.problem) };
}
