import { z } from 'zod';
import { type Criterion, criterionSchema } from '../../schema/criteria.ts';
import { type FollowingGoal, followingGoalSchema } from '../../schema/goal.ts';
import { firstMisfit, type Misfit, misfitsOf } from '../../schema/misfits.ts';
import {
  repositoryFileSchema,
  type Terms,
  templateSchema,
  termsSchema,
} from '../../schema/repository-file.ts';
import type { WorkspaceTemplate } from '../../schema/workspace-template.ts';
import { ConfigError } from '../contract/config.ts';
import {
  fillTemplate,
  hasParameter,
  type Unfilled,
  type Values,
} from '../intake/terms/fill-template.ts';
import { layered } from '../intake/terms/layered.ts';
import { parsedText, placeOf } from './parsed-file.ts';

export interface ChosenTemplate {
  readonly name: string;
  readonly values: Values;
}

/** What a repository's file asks for a start. */
export interface JudgedTerms {
  readonly path: string;
  readonly terms: Terms;
  /** Of the template; absent = the caller's own. */
  readonly objective?: string;
}

const DOCS = 'docs/settings.md has the names; --no-terms starts without the file.';
const CRITERIA = 'Give a list of criteria, as docs/criteria.md has them.';
const THREADS = 'Give a list of criteria, as docs/threads.md has them.';

/** @throws ConfigError with the file, the place in it and the way out */
export function criteriaIn(path: string, text: string): Criterion[] {
  const list = z
    .array(criterionSchema)
    .max(50)
    .safeParse(parsedText(path, text, CRITERIA));
  if (list.success) return list.data;
  throw refused(path, firstMisfit(list.error), '', CRITERIA);
}

/** @throws ConfigError with the file, the place in it and the way out */
export function followingIn(path: string, text: string): FollowingGoal[] {
  const list = z
    .array(followingGoalSchema)
    .max(10)
    .safeParse(parsedText(path, text, THREADS));
  if (list.success) return list.data;
  throw refused(path, firstMisfit(list.error), '', THREADS);
}

/**
 * What a repository's file says, all of it judged before anything of it counts.
 * @throws ConfigError with the file, the place in it and the way out
 */
export function termsIn(path: string, text: string, chosen: ChosenTemplate | null): JudgedTerms {
  const content = parsedText(path, text, DOCS);
  const file = repositoryFileSchema.safeParse(content);
  // What waits for a parameter's value is judged with the value.
  const misfit = misfitsOf(file.error ?? { issues: [] }).find(
    // A name is what it is, whatever its fields wait for.
    (one) => one.what !== 'value' || !hasParameter(at(content, one.path)),
  );
  if (misfit !== undefined) throw refused(path, misfit, '', DOCS);
  const { templates = {}, ...rest } = content as { templates?: Readonly<Record<string, unknown>> };
  const terms = termsSchema.safeParse(rest);
  if (!terms.success) throw refused(path, firstMisfit(terms.error), '', DOCS);
  if (chosen === null) return { path, terms: terms.data };
  const { objective, ...own } = filled(path, templates, chosen);
  return { path, objective, terms: layered<Terms>(terms.data, own) };
}

/** @throws ConfigError */
export const definitionIn = (path: string, text: string): unknown =>
  parsedText(path, text, 'docs/triggers.md has an example.');

export interface RawTemplate {
  readonly path: string;
  /** Terms of the file and of the template, with the placeholders of its parameters. */
  readonly goal: Readonly<Record<string, unknown>> & { readonly objective: string };
  /** Null = it has to be set. */
  readonly parameters: Readonly<Record<string, string | null>>;
}

/**
 * A template whose parameters get their values later, from a delivery.
 * @throws ConfigError with the file, the place in it and the way out
 */
export function templateIn(path: string, text: string, name: string): RawTemplate {
  // Judged as any file is; what waits for a value is judged when it has one.
  const { terms } = termsIn(path, text, null);
  const content = parsedText(path, text, DOCS) as { templates?: Record<string, unknown> };
  const template = templateOf(path, content.templates ?? {}, name);
  const declared = templateSchema.shape.parameters.parse(at(template, ['parameters'])) ?? {};
  const { parameters: _, about: __, ...own } = template as Record<string, unknown>;
  const parameters = Object.entries(declared).map(
    ([parameter, { default: value = null }]) => [parameter, value] as const,
  );
  const goal = layered<unknown>(terms, own) as RawTemplate['goal'];
  return { path, goal, parameters: Object.fromEntries(parameters) };
}

/**
 * The templates of a repository's file, as people choose among them.
 * @throws ConfigError with the file, the place in it and the way out
 */
export function templatesIn(path: string, text: string): WorkspaceTemplate[] {
  termsIn(path, text, null);
  const content = parsedText(path, text, DOCS) as { templates?: Record<string, unknown> };
  return Object.entries(content.templates ?? {}).map(([name, template]) => {
    const { objective, about, parameters } = template as z.infer<typeof templateSchema>;
    const declared = Object.entries(parameters ?? {});
    return {
      ...{ name, objective, about },
      parameters: declared.map(([parameter, own]) => ({ name: parameter, ...own })),
    };
  });
}

/** @throws ConfigError */
function templateOf(
  path: string,
  templates: Readonly<Record<string, unknown>>,
  name: string,
): unknown {
  const template = Object.hasOwn(templates, name) ? templates[name] : undefined;
  if (template !== undefined) return template;
  const known = Object.keys(templates).join(', ');
  const wayOut = known === '' ? 'It has none.' : `It has ${known}.`;
  throw new ConfigError(`${path}: templates.${name}`, 'is not there', wayOut);
}

/** @throws ConfigError */
function filled(
  path: string,
  templates: Readonly<Record<string, unknown>>,
  { name, values }: ChosenTemplate,
): Terms & { objective: string } {
  const place = `templates.${name}`;
  const template = templateOf(path, templates, name);
  const declared = templateSchema.shape.parameters.parse(at(template, ['parameters'])) ?? {};
  const strange = Object.keys(values).find((parameter) => !Object.hasOwn(declared, parameter));
  if (strange !== undefined) {
    const wayOut = `Set one of ${Object.keys(declared).join(', ') || 'none: it has no parameters'}.`;
    throw new ConfigError(`${path}: ${place}`, `has no parameter ${strange}`, wayOut);
  }
  const defaults = Object.entries(declared).flatMap(([parameter, { default: value }]) =>
    value === undefined ? [] : [[parameter, value] as const],
  );
  const { parameters: _, ...texts } = template as { parameters?: unknown };
  const { content, unfilled } = fillTemplate(texts, { ...Object.fromEntries(defaults), ...values });
  if (unfilled !== null) throw unfit(path, place, unfilled, Object.keys(declared));
  const whole = templateSchema.safeParse(content);
  if (!whole.success) throw refused(path, firstMisfit(whole.error), `${place}.`, DOCS);
  const { about: __, parameters: ___, ...terms } = whole.data;
  return terms;
}

function unfit(
  path: string,
  template: string,
  { parameter, place, why }: Unfilled,
  declared: readonly string[],
): ConfigError {
  const where = `${path}: ${template}.${place}`;
  if (why === 'not_plain') {
    const wayOut = `Set ${parameter} to one word without quotes, blanks, signs of a shell and folders above (..).`;
    return new ConfigError(where, `takes a plain word for ${parameter}`, wayOut);
  }
  const wayOut = declared.includes(parameter)
    ? `Set it: --set ${parameter}=VALUE.`
    : `Name it in ${template}.parameters.`;
  return new ConfigError(where, `has no value for ${parameter}`, wayOut);
}

const at = (content: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<PropertyKey, unknown>)[name]
        : undefined,
    content,
  );

function refused(path: string, misfit: Misfit, before: string, wayOut: string): ConfigError {
  const where = `${path}: ${before}${placeOf(misfit)}`;
  return misfit.what === 'unknown'
    ? new ConfigError(where, 'is no field of this file', wayOut)
    : new ConfigError(where, `is not usable: ${misfit.message}`, wayOut);
}
