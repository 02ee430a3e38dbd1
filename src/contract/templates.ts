import type { StartGoal } from '../../schema/goal.ts';
import type { WorkspaceTemplates } from '../../schema/workspace-template.ts';
import type { KeptTemplate } from './tokens.ts';

/** A workspace as it was registered, by a worker of this host or of another one. */
export interface TemplatedWorkspace {
  readonly name: string;
  readonly path: string;
  readonly host: string;
}

/** The templates of the files at the roots of workspaces; nothing is started by them. */
export interface TemplatesPort {
  /** @throws Refusal workspace_elsewhere, invalid_request where the file is wrong */
  list(workspace: TemplatedWorkspace): Promise<WorkspaceTemplates>;
  /** @throws Refusal workspace_elsewhere, not_found, invalid_request */
  keep(workspace: TemplatedWorkspace, name: string): Promise<KeptTemplate>;
  /** @throws Refusal workspace_elsewhere, not_found, invalid_request */
  fill(
    workspace: TemplatedWorkspace,
    name: string,
    values: Readonly<Record<string, string>>,
  ): Promise<StartGoal>;
}
