/** The agents whose hooks speak one protocol. */
export const HOOK_AGENTS = ['claude', 'codex'] as const;
export type HookAgent = (typeof HOOK_AGENTS)[number];

/** Seconds after which the agent gives a hook up; the hook itself answers earlier. */
const EVENTS = { SessionStart: 30, UserPromptSubmit: 30, PostToolUse: 30, Stop: 600 } as const;

type Json = Readonly<Record<string, unknown>>;

/** Why a file of settings is left as it is. */
export class SettingsRefused extends Error {}

/**
 * The settings with our hooks beside whatever is there. Ours are put where they stood, so that a
 * second install changes nothing.
 * @throws SettingsRefused where the settings have another form than the agent's
 */
export function withHooks(settings: unknown, command: string): Json {
  const all = objectOf(settings, 'the file');
  const hooks = { ...objectOf(all.hooks ?? {}, '"hooks"') };
  for (const [event, timeout] of Object.entries(EVENTS)) {
    const groups = listOf(hooks[event] ?? [], `"hooks.${event}"`);
    const ours = { type: 'command', command, timeout };
    hooks[event] = groups.some(hasOurs)
      ? groups.map((group) => withOurs(group, ours))
      : [...groups, { hooks: [ours] }];
  }
  return { ...all, hooks };
}

/** The settings without our hooks; what becomes empty by that goes along. */
export function withoutHooks(settings: unknown): Json {
  const all = objectOf(settings, 'the file');
  if (all.hooks === undefined) return all;
  const { hooks, ...rest } = all;
  const left = Object.entries(objectOf(hooks, '"hooks"')).flatMap(([event, groups]) => {
    if (!Array.isArray(groups) || !groups.some(hasOurs)) return [[event, groups] as const];
    const others = groups.filter((group) => !isOurs(group)).map(withoutOurs);
    return others.length === 0 ? [] : [[event, others] as const];
  });
  return left.length === 0 ? rest : { ...all, hooks: Object.fromEntries(left) };
}

/** Events at which our hooks are called. */
export function hookedEvents(settings: unknown): string[] {
  const all = objectOf(settings, 'the file');
  return Object.entries(objectOf(all.hooks ?? {}, '"hooks"')).flatMap(([event, groups]) =>
    Array.isArray(groups) && groups.some(hasOurs) ? [event] : [],
  );
}

export const EVERY_EVENT: readonly string[] = Object.keys(EVENTS);

/** Told apart from others' hooks by the command that only this program has. */
const OURS = /\bgoalkeeper\b.*\bhook run (claude|codex)\b|\bhook run (claude|codex) # goalkeeper$/;

const isOurHandler = (handler: unknown): boolean => {
  const { command } = (handler ?? {}) as { readonly command?: unknown };
  return typeof command === 'string' && OURS.test(command);
};

const handlersOf = (group: unknown): readonly unknown[] => {
  const { hooks } = (group ?? {}) as { readonly hooks?: unknown };
  return Array.isArray(hooks) ? hooks : [];
};

const hasOurs = (group: unknown): boolean => handlersOf(group).some(isOurHandler);

/** Nothing else stands in it: a person may have put a hook of theirs beside ours. */
const isOurs = (group: unknown): boolean => hasOurs(group) && handlersOf(group).every(isOurHandler);

const withOurs = (group: unknown, ours: object): unknown =>
  hasOurs(group)
    ? {
        ...(group as Json),
        hooks: handlersOf(group).map((one) => (isOurHandler(one) ? ours : one)),
      }
    : group;

const withoutOurs = (group: unknown): unknown =>
  hasOurs(group)
    ? { ...(group as Json), hooks: handlersOf(group).filter((one) => !isOurHandler(one)) }
    : group;

function objectOf(value: unknown, what: string): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw new SettingsRefused(`${what} is no JSON object`);
}

function listOf(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new SettingsRefused(`${what} is no list`);
}
