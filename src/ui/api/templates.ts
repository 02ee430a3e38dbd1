import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';

/** Whoever works in the repository changes the file without an event: each look reads it again. */
export const templatesQuery = (workspace: string) =>
  queryOptions({
    staleTime: 0,
    retry: false,
    queryKey: ['templates', workspace],
    queryFn: () =>
      answerOf(
        api.GET('/v1/workspaces/{workspace}/templates', { params: { path: { workspace } } }),
      ),
  });

/** The start that a template is with these values; nothing is started. */
export const filledTemplateQuery = (
  workspace: string,
  template: string,
  values: Readonly<Record<string, string>>,
) =>
  queryOptions({
    staleTime: 0,
    retry: false,
    queryKey: ['templates', workspace, template, values],
    queryFn: async () => {
      const path = { workspace, template };
      const body = { values: { ...values } };
      const { start } = await answerOf(
        api.POST('/v1/workspaces/{workspace}/templates/{template}', { params: { path }, body }),
      );
      return start;
    },
  });
