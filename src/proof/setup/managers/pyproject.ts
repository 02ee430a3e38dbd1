import { parse } from 'smol-toml';
import { Json } from '../../scope/tree.ts';
import type { Dependency, Wants } from '../additions.ts';

/** What a `pyproject.toml` depends on, by its standard lists and those of Poetry. */
export function pyprojectWants(text: string): Wants {
  const toml = new Json(parse(text));
  const { project = {}, 'dependency-groups': groups, tool = {}, ...rest } = recordOf(toml);
  const { dependencies, 'optional-dependencies': extras, ...projectRest } = recordOf(project);
  const { poetry, ...toolRest } = recordOf(tool);
  const {
    dependencies: poetryMain,
    group,
    'dev-dependencies': dev,
    ...poetryRest
  } = recordOf(poetry);
  const listsIn = (one: unknown, title: string) =>
    new Json(one).entries.flatMap(([name, list]) => requirementsIn(list.value, `${title} ${name}`));
  const poetryGroups = new Json(group).entries.map(([name, one]) => ({ name, one }));
  return {
    dependencies: [
      ...requirementsIn(dependencies, 'project'),
      ...listsIn(extras, 'extra'),
      ...listsIn(groups, 'group'),
      ...tableOf(poetryMain, 'poetry'),
      ...tableOf(dev, 'poetry dev'),
      ...poetryGroups.flatMap(({ name, one }) =>
        tableOf(one.at('dependencies').value, `poetry group ${name}`),
      ),
    ],
    rest: {
      ...{ project: projectRest, rest, tool: toolRest, poetry: poetryRest },
      groups: poetryGroups.map(({ name, one }) => [
        name,
        one.entries.flatMap(([key, { value }]) => (key === 'dependencies' ? [] : [[key, value]])),
      ]),
      extras: new Json(extras).entries.map(([name]) => name),
    },
  };
}

const recordOf = (one: unknown): Record<string, unknown> => {
  const value = one instanceof Json ? one.value : one;
  return typeof value === 'object' && value !== null ? { ...value } : {};
};

/** As Python compares names. */
export const normalName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-');

export const DISTRIBUTION = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** Its module mostly has the same name; what else it installs, a look at the result tells. */
export const moduleOf = (name: string): string => name.replace(/-/g, '_');

function requirementsIn(list: unknown, title: string): Dependency[] {
  return new Json(list).items.map((one) => requirementOf(one, title));
}

/** `name[extra] >= 1; marker`, and no address (`name @ https://…`). */
function requirementOf(one: Json, list: string): Dependency {
  const [, name, spec] =
    /^\s*([\w.-]+)\s*(?:\[[\w.,\s-]*\])?\s*([^;]*)(?:;.*)?$/.exec(one.text ?? '') ?? [];
  return {
    ...{ list, name: normalName(name ?? JSON.stringify(one.value)), spec: one.value },
    isRange: spec !== undefined && /^\(?[\w.,\s<>=!~*+-]*\)?$/.test(spec),
  };
}

const TABLE_FIELDS = new Set(['version', 'extras', 'optional', 'python', 'markers']);

const tableOf = (table: unknown, list: string): Dependency[] =>
  new Json(table).entries.map(([name, spec]) => {
    const isPlain = spec.entries.every(([field]) => TABLE_FIELDS.has(field));
    const version = spec.text ?? (isPlain ? spec.at('version').text : undefined);
    return {
      ...{ list, name: normalName(name), spec: spec.value },
      isRange: version !== undefined && /^[\w.,\s<>=!~*^+|-]*$/.test(version),
    };
  });
