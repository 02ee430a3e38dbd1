import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { followingGoalSchema, startGoalSchema } from '../../schema/goal.ts';
import { repositoryFileSchema } from '../../schema/repository-file.ts';
import { type RunOptions, startOf, turnNamed } from '../../src/cli/commands/run.ts';
import { withRunOptions } from '../../src/cli/run-options.ts';
import { flagsOf } from '../../src/cli/start-input.ts';

/** Every place in what a schema describes, such as `criteria.command`. */
function placesOf(schema: z.ZodType): Set<string> {
  const places = new Set<string>();
  const walk = (json: unknown, path: readonly string[]): void => {
    if (typeof json !== 'object' || json === null) return;
    const { properties = {}, items, anyOf = [], oneOf = [] } = json as Described;
    for (const [name, inner] of Object.entries(properties)) {
      places.add([...path, name].join('.'));
      walk(inner, [...path, name]);
    }
    for (const inner of [items, ...anyOf, ...oneOf]) walk(inner, path);
  };
  walk(z.toJSONSchema(schema, { io: 'input', reused: 'inline', unrepresentable: 'any' }), []);
  return places;
}

interface Described {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly items?: unknown;
  readonly anyOf?: readonly unknown[];
  readonly oneOf?: readonly unknown[];
}

/** Every place that these values have. */
function placesIn(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => placesIn(item, path));
  return Object.entries(value).flatMap(([name, inner]) => [
    [...path, name].join('.'),
    ...placesIn(inner, [...path, name]),
  ]);
}

const flagsOfLine = (line: string): RunOptions =>
  withRunOptions(new Command()).exitOverride().parse(line.split(' '), { from: 'user' }).opts();

/** All that flags can say of one start alone. */
const LINES = [
  'x --thread t --replace g-1 --expected-revision 3 --workspace-name shop',
  'x --expected-goal none --notify https://x.example --notify-secret-env GOALKEEPER_NOTIFY_X --notify-event complete',
  'x --workspace . --worktree --conversation new',
  'x --workspace . --from-turn g-1:4',
  'x --notify https://x.example --attach a.png --then y --notify-secret-file f',
];

const FROM_FILES = { notifySecret: 'x'.repeat(20), attachments: ['at-0123456789abcdef'] };

const saidByFlags = new Set(
  LINES.flatMap((line) => {
    const options = flagsOfLine(line);
    const flags = flagsOf(options, line.endsWith(' f') ? FROM_FILES : {});
    const { workspace = '.', workspaceName: name, fromTurn } = options;
    const place = name === undefined ? { path: workspace } : { name };
    const asked = fromTurn === undefined ? place : { ...place, from: turnNamed(fromTurn) };
    return placesIn(startOf({ objective: 'x', flags, workspace: asked }));
  }),
);

describe('the command line', () => {
  test('CFG-6 reaches every field of a start, by a flag or by the file', () => {
    const inFile = placesOf(repositoryFileSchema);
    const places = [...placesOf(startGoalSchema)];
    expect(places.length).toBeGreaterThan(90);
    // A file of their own says all of goals that come after.
    const inThenFile = new Set([...placesOf(followingGoalSchema)].map((place) => `then.${place}`));
    const isReached = (place: string) =>
      // `goalkeeper adopt` alone says who drives.
      place === 'driver' || inFile.has(place) || saidByFlags.has(place) || inThenFile.has(place);
    expect(places.filter((place) => !isReached(place))).toEqual([]);
  });

  test('CFG-6 the usual fields have a flag', () => {
    const flags = flagsOf(
      flagsOfLine(
        'x --mode plan --deadline 2030-01-31T18:00:00Z --budget-turns none --notify https://x.example --text-tokens --priority -2 --criterion a --base main --keep b --change c',
      ),
      { criteria: [{ kind: 'git', clean: true }] },
    );
    expect(flags).toEqual({
      mode: 'plan',
      budget: { deadline: '2030-01-31T18:00:00Z', turns: null },
      notify: [{ url: 'https://x.example', secretEnv: 'GOALKEEPER_NOTIFY_SECRET' }],
      textTokens: true,
      priority: -2,
      criteria: [
        { kind: 'command', command: 'a' },
        { kind: 'git', clean: true },
      ],
      scope: { change: ['c'], keep: ['b'], base: 'main' },
    });
    expect(() => flagsOf(flagsOfLine('x --notify-event complete'))).toThrow('webhook');
    expect(flagsOf(flagsOfLine('x --fallback-model none'))).toEqual({ fallbackModel: null });
  });

  test('CFG-6 goals that come after are those of flags, then those of their file', () => {
    const following = [{ objective: 'c', mode: 'plan' as const }];
    expect(flagsOf(flagsOfLine('x --then a --then b'), { following }).then).toEqual([
      { objective: 'a' },
      { objective: 'b' },
      ...following,
    ]);
  });

  test('CFG-6 flags win over the file, limit by limit, and the file over the defaults', () => {
    const terms = {
      model: 'openai/a',
      budget: { turns: 5, tokens: 900 },
      scope: { change: ['src/**'] },
      workspace: { mode: 'worktree' as const },
    };
    const flags = flagsOf(flagsOfLine('x --budget-turns 7 --keep src/gen/**'));
    expect(startOf({ objective: 'x', flags, workspace: { path: '/a' } }, terms)).toEqual({
      objective: 'x',
      model: 'openai/a',
      budget: { turns: 7, tokens: 900 },
      scope: { change: ['src/**'], keep: ['src/gen/**'] },
      workspace: { path: '/a', mode: 'worktree' },
    });
  });
});
