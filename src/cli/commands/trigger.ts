import { readFile } from 'node:fs/promises';
import { text as textOfStream } from 'node:stream/consumers';
import type { MadeTrigger, Trigger, TriggerVerdict } from '../../../schema/trigger.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { assertFileEnds } from '../named-file.ts';
import { findService } from '../service.ts';
import { type CommonOptions, openSession, print } from '../session.ts';
import { type DefinitionOptions, definitionOf } from '../trigger-definition.ts';
import { exampleText, triggerLine, triggerText, verdictText } from '../trigger-text.ts';

type CreateOptions = CommonOptions & DefinitionOptions;

/** The secret alone goes to stdout, so that a script can keep it; all else goes to stderr. */
export async function createTrigger(name: string, options: CreateOptions): Promise<ExitCode> {
  const session = openSession(options);
  const body = await definitionOf(session, name, options);
  const made = await session.client.send<MadeTrigger>('POST', '/v1/triggers', body);
  const { url } = findService(process.env);
  if (!session.isJson) session.terminal.err(exampleText(made, url));
  print(session, { ...made, url: url + made.path }, () => made.secret);
  return EXIT.complete;
}

export async function listTriggers(options: CommonOptions): Promise<ExitCode> {
  const session = openSession(options);
  const { items } = await session.client.get<{ items: Trigger[] }>('/v1/triggers');
  print(session, items, () =>
    items.length === 0 ? 'No triggers.' : items.map(triggerLine).join('\n'),
  );
  return EXIT.complete;
}

const pathOf = (name: string): string => `/v1/triggers/${encodeURIComponent(name)}`;

export async function showTrigger(name: string, options: CommonOptions): Promise<ExitCode> {
  const session = openSession(options);
  const trigger = await session.client.get<Trigger>(pathOf(name));
  print(session, trigger, () => triggerText(trigger));
  return EXIT.complete;
}

interface TestOptions extends CommonOptions {
  readonly payload: string;
  readonly event?: string;
}

export async function testTrigger(name: string, options: TestOptions): Promise<ExitCode> {
  const session = openSession(options);
  const { event } = options;
  const verdict = await session.client.send<TriggerVerdict>('POST', `${pathOf(name)}/test`, {
    payload: await payloadOf(options.payload),
    ...(event === undefined ? {} : { event }),
  });
  print(session, verdict, () => verdictText(verdict));
  return verdict.verdict === 'acts' ? EXIT.complete : EXIT.incomplete;
}

async function payloadOf(file: string): Promise<unknown> {
  const wayOut = 'Give a file with the JSON that the sender sends, or - for stdin.';
  await assertFileEnds(file, wayOut);
  let text: string;
  try {
    text = file === '-' ? await textOfStream(process.stdin) : await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} can't be read: ${(error as Error).message}.`, wayOut);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${(error as Error).message}.`, wayOut);
  }
}

export const pauseTrigger = (name: string, options: CommonOptions): Promise<ExitCode> =>
  ask(name, 'pause', options);

export const resumeTrigger = (name: string, options: CommonOptions): Promise<ExitCode> =>
  ask(name, 'resume', options);

async function ask(
  name: string,
  act: 'pause' | 'resume',
  options: CommonOptions,
): Promise<ExitCode> {
  const session = openSession(options);
  const trigger = await session.client.send<Trigger>('POST', `${pathOf(name)}/${act}`, {});
  print(session, trigger, () => triggerLine(trigger));
  return EXIT.complete;
}

export async function deleteTrigger(name: string, options: CommonOptions): Promise<ExitCode> {
  const session = openSession(options);
  const ended = await session.client.send<Trigger>('DELETE', pathOf(name), {});
  print(session, ended, () => `deleted ${ended.name}: its address answers as one that never was`);
  return EXIT.complete;
}
