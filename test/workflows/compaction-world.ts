import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ChatRequest,
  goalIdOf,
  reply,
  type Script,
  type ScriptedReply,
} from '../../demo/script.ts';
import type { WorkerOptions } from '../../src/app/worker/options.ts';
import type { CompactionRow } from '../../src/contract/reads.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';

/**
 * Instructions, tools and goal block take some 6,600 of them, and each step of a talker 1,150 more:
 * four fit into 80 %, and the fifth lies clearly beyond.
 */
export const WINDOW = 13_500;
export const SMALL = 'compatible/small';
export const TINY = 'compatible/tiny';

const WINDOWS = { [SMALL]: WINDOW, [TINY]: 4000 };

const priced = (contextWindow: number) => ({
  inputPerMTok: '1',
  outputPerMTok: '10',
  contextWindow,
  maxOutput: 2000,
});

/** A file for `GOALKEEPER_PRICES`. */
export async function writeSmallWindows(): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'goalkeeper-prices-')), 'prices.json');
  const models = Object.entries(WINDOWS).map(([model, window]) => [model, priced(window)]);
  await writeFile(file, JSON.stringify({ models: Object.fromEntries(models) }));
  return file;
}

/** Goals whose models have known, small windows; all of them reach the scripted server. */
export async function openCrowdedGoals(
  scripts: Readonly<Record<string, Script>>,
  options: {
    readonly worker?: boolean;
    readonly wrapPorts?: WorkerOptions['wrapPorts'];
    readonly environment?: Readonly<Record<string, string>>;
  } = {},
): Promise<ScriptedGoals> {
  const file = await writeSmallWindows();
  return await openScriptedGoals(scripts, {
    ...options,
    environment: { ...options.environment, GOALKEEPER_PRICES: file },
    models: (url) => ({
      anthropicApiKey: 'test-key-of-anthropic',
      openaiApiKey: 'test-key-of-openai',
      baseUrls: { anthropic: url, openai: url },
    }),
  });
}

/** The one that asks for notes, not for the next step. */
export const isForNotes = ({ messages }: ChatRequest): boolean =>
  messages[0]?.text.startsWith('You keep the notes') === true;

export const NOTES = '## Done\nRead the notes of the project, line by line.\n## Open\nThe answer.';

export const requestsOf = ({ world }: ScriptedGoals, goalId: string): ChatRequest[] =>
  world.model.requests.filter((request) => goalIdOf(request) === goalId);

/** The goal block, which is the last thing that a request says; '' where it isn't. */
export function blockIn({ messages }: ChatRequest): string {
  const last = messages.at(-1);
  const block = /(?:^|\n)<host[^>]*>\n(<goal id="[^"]*">\n[\s\S]*\n<\/goal>)\n<\/host>$/.exec(
    last?.text ?? '',
  );
  return last?.role === 'user' ? (block?.[1] ?? '') : '';
}

/** One of its sections, tags included. */
export const sectionOf = (block: string, name: string): string =>
  new RegExp(`<${name}>[\\s\\S]*</${name}>`).exec(block)?.[0] ?? '';

/** Some 1,100 tokens; each part is told from the others by its lines. */
export const part = (number: number): string =>
  Array.from(
    { length: 60 },
    (_, line) => `part ${number} line ${line}: the quick brown fox jumps over the lazy dog`,
  ).join('\n');

export const parts = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`part-${n + 1}.txt`, part(n + 1)]));

/** Which step of the goal is asked for, however much of it is shown: from what the test counts. */
export function counting(
  steps: (request: ChatRequest, step: number) => ReturnType<Script>,
): Script {
  const asked = new Map<string | null, number>();
  return (request) => {
    const goalId = goalIdOf(request);
    const step = (asked.get(goalId) ?? 0) + 1;
    asked.set(goalId, step);
    return steps(request, step);
  };
}

export const PARTS = 12;

/**
 * Says what can't be shortened, so that only notes help, until there is one compaction (or, after
 * `PARTS` times, more); then does what the goal is for.
 */
export const talker = (notes: Script, more: ScriptedReply = {}, times = 8): Script => {
  const works = counting((_request, step) => {
    if (step > times) return step === times + 1 ? write : claim;
    return { ...reply.call('list_files', { glob: `none-${step}` }, part(step)), ...more };
  });
  return (request) => (isForNotes(request) ? notes(request) : works(request));
};

export const readPart = (number: number) => reply.call('read_file', { path: `part-${number}.txt` });

export const compactionsOf = async (
  goals: ScriptedGoals,
  goalId: string,
): Promise<readonly CompactionRow[]> =>
  (await goals.turns(goalId)).flatMap(({ compactions }) => compactions);
