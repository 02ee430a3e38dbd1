import { literalGlob } from '../../schema/glob.ts';
import type { Terms } from '../../schema/repository-file.ts';
import { ConfigError } from '../contract/config.ts';
import { Refusal } from '../contract/failures.ts';
import type { TemplatedWorkspace, TemplatesPort } from '../contract/templates.ts';
import { rawTemplate, templatesOfWorkspace, termsOfWorkspace } from './repository-file.ts';

/** Reads the files of workspaces of this host; those of others are out of reach. */
export function createTemplates(host: string, mask: <Value>(value: Value) => Value): TemplatesPort {
  const list = (workspace: TemplatedWorkspace) => {
    assertHere(host, workspace);
    return templatesOfWorkspace(workspace.path).catch(asRefusal);
  };
  return {
    list: async (workspace) => mask(await list(workspace)),
    async keep(workspace, name) {
      const { items, file } = await list(workspace);
      if (!items.some((one) => one.name === name)) throw noTemplate(workspace, name, items);
      const { path: place } = workspace;
      const { goal, parameters } = await rawTemplate({ workspace: place }, name).catch(asRefusal);
      const kept = keeping(goal as Terms, file);
      return mask({ workspace: workspace.name, name, goal: kept, parameters });
    },
    async fill(workspace, name, values) {
      const { items, file } = await list(workspace);
      const template = items.find((one) => one.name === name);
      if (template === undefined) throw noTemplate(workspace, name, items);
      for (const { name: parameter, default: value } of template.parameters) {
        if (value === undefined && !Object.hasOwn(values, parameter)) {
          throw unfit(
            `values.${parameter}`,
            `The template asks for ${parameter}: give it a value.`,
          );
        }
      }
      const found = await termsOfWorkspace(workspace.path, { name, values }).catch(asRefusal);
      const { terms = {}, objective = template.objective } = found ?? {};
      return mask({
        ...keeping(terms, file),
        ...{ objective, workspace: { ...terms.workspace, name: workspace.name } },
      });
    },
  };
}

/** Where a file says what is the work, it isn't the work itself: no goal writes its next terms. */
function keeping(terms: Terms, file: string | null): Terms {
  const own = file === null ? null : literalGlob(file);
  if (terms.scope?.change === undefined || own === null) return terms;
  return { ...terms, scope: { ...terms.scope, keep: [...(terms.scope.keep ?? []), own] } };
}

const noTemplate = (
  { name: workspace }: TemplatedWorkspace,
  name: string,
  items: readonly { readonly name: string }[],
): Refusal =>
  new Refusal('not_found', `${workspace} has no template ${name}`, {
    known: items.map((one) => one.name),
  });

/** @throws Refusal */
function assertHere(host: string, workspace: TemplatedWorkspace): void {
  if (workspace.host === host) return;
  const detail = `${workspace.name} is on ${workspace.host}, whose files this API can't read: write the start itself, or start from its template there.`;
  throw new Refusal('unsupported', detail, { host: workspace.host });
}

const unfit = (field: string, detail: string): Refusal =>
  new Refusal('invalid_request', detail, { field });

function asRefusal(error: unknown): never {
  throw error instanceof ConfigError ? unfit('template', error.message) : error;
}
