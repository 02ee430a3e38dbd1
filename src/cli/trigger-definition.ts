import { realpathSync } from 'node:fs';
import type { NewTrigger } from '../../schema/trigger.ts';
import { UsageError } from './exit-code.ts';
import { findGoalId, type Session } from './session.ts';
import { printable } from './terminal.ts';

export interface DefinitionOptions {
  readonly kind?: string;
  readonly file?: string;
  readonly event?: string[];
  readonly where?: string[];
  readonly set?: string[];
  readonly template?: string;
  readonly terms?: string;
  readonly workspace?: string;
  readonly acceptTerms?: boolean;
  readonly message?: string;
  readonly thread?: string;
  readonly brings?: string;
  readonly text?: string;
  readonly secretEnv?: string;
  readonly most?: number;
}

type Given = { -readonly [Field in keyof NewTrigger]?: unknown };

/**
 * What flags and file say, for the service to judge.
 * @throws UsageError
 */
export async function definitionOf(
  session: Session,
  name: string,
  options: DefinitionOptions,
): Promise<object> {
  const own = options.file === undefined ? {} : await definitionIn(options.file);
  const action = await actionOf(session, options);
  const { kind, event, where = [], secretEnv, most } = options;
  const set = { ...action?.parameters, ...pathsOf(options.set ?? []) };
  const compared = where.map(comparison);
  return {
    ...own,
    name,
    ...(kind === undefined ? {} : { kind }),
    ...(most === undefined ? {} : { mostPerHour: most }),
    ...(secretEnv === undefined ? {} : { secret: secretIn(secretEnv) }),
    ...(event === undefined && compared.length === 0
      ? {}
      : {
          filter: {
            ...(event === undefined ? {} : { events: event }),
            ...(compared.length === 0 ? {} : { where: compared }),
          },
        }),
    ...(Object.keys(set).length === 0
      ? {}
      : { parameters: { ...(own.parameters as object | undefined), ...set } }),
    ...(action === null ? {} : { action: action.action }),
  };
}

async function definitionIn(file: string): Promise<Given> {
  const { definitionOfFile } = await import('../app/repository-file.ts');
  const content = await definitionOfFile(file);
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content;
  throw new UsageError(`${file} holds no definition.`, 'docs/triggers.md has an example.');
}

interface Action {
  readonly action: object;
  readonly parameters?: object;
}

const WAYS = 'Give one of --template, --message, --thread and --brings, or a --file.';

async function actionOf(session: Session, options: DefinitionOptions): Promise<Action | null> {
  const { template, message, thread, brings, text, file } = options;
  const ways = [template, message, thread, brings].filter((way) => way !== undefined);
  if (ways.length > 1) throw new UsageError('A trigger does one thing.', WAYS);
  if (ways.length === 0 && file === undefined) throw new UsageError('It says nothing to do.', WAYS);
  if (template !== undefined) return startBy(session, template, options);
  if (brings !== undefined) {
    return { action: { kind: 'event', name: brings, ...(text === undefined ? {} : { text }) } };
  }
  if (message === undefined && thread === undefined) return null;
  if (text === undefined) throw new UsageError('There is nothing to say.', 'Give --text TEXT.');
  // A placeholder is no id yet.
  const isId = message !== undefined && !message.includes('{{');
  const goalId = isId ? await findGoalId(session, message) : message;
  const target = goalId === undefined ? { threadId: thread } : { goalId };
  return { action: { kind: 'message', ...target, text } };
}

/** What the file asks for is a person's to accept: goals will start by it with nobody there. */
async function startBy(
  { terminal }: Session,
  template: string,
  { terms, workspace = '.', acceptTerms = false }: DefinitionOptions,
): Promise<Action> {
  const { rawTemplate } = await import('../app/repository-file.ts');
  const path = realpathSync(workspace);
  const found = await rawTemplate(
    terms === undefined ? { workspace: path } : { file: terms },
    template,
  );
  const mode = found.goal.workspace as object | undefined;
  const goal = { ...found.goal, workspace: { path, ...mode } };
  terminal.err(`${printable(found.path)}: each goal starts with`);
  terminal.err(printable(JSON.stringify(goal, null, 1)));
  if (!acceptTerms) {
    const wayOut = 'Look at them, then add --accept-terms.';
    throw new UsageError('Nobody accepted these terms.', wayOut);
  }
  const defaults = Object.entries(found.parameters).flatMap(([name, value]) =>
    value === null ? [] : [[name, { path: '$', default: value }] as const],
  );
  return { action: { kind: 'start', goal }, parameters: Object.fromEntries(defaults) };
}

function pathsOf(set: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    set.map((given) => {
      const [, name, path] = /^(\w+)=(\$.*)$/s.exec(given) ?? [];
      if (name !== undefined && path !== undefined) return [name, path];
      throw new UsageError(`--set ${given} is not NAME=PATH.`, 'Write it as title=$.issue.title.');
    }),
  );
}

/** What reads as JSON is that value: a number, true, null; anything else is text. */
function comparison(given: string): object {
  const [, path, value] = /^(\$[^=]*)=(.*)$/s.exec(given) ?? [];
  if (path === undefined || value === undefined) {
    const wayOut = 'Write it as $.action=completed.';
    throw new UsageError(`--where ${given} is not PATH=VALUE.`, wayOut);
  }
  try {
    const parsed: unknown = JSON.parse(value);
    return { path, equals: typeof parsed === 'object' && parsed !== null ? value : parsed };
  } catch {
    return { path, equals: value };
  }
}

function secretIn(variable: string): string {
  const secret = process.env[variable];
  if (secret) return secret;
  throw new UsageError(
    `The variable ${variable} is not set.`,
    'Set it, or leave --secret-env out.',
  );
}
