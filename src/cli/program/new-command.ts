import type { Command } from 'commander';
import { examplesText } from '../examples.ts';

export type OnExit = (exitCode: number) => void;

export const json = ['--json', 'print JSON on stdout'] as const;

export function command(program: Command, name: string, about: string): Command {
  return plainCommand(program, name, about).option(...json);
}

/** A command without `--json`. Its examples stand before its flags; a mistake shows how it is used. */
export function plainCommand(program: Command, name: string, about: string): Command {
  const made = program.command(name).summary(about);
  made.description(about + examplesText(pathOf(made)));
  return made.configureOutput({
    outputError: (text, write) =>
      write(
        `${text.replace(/^error: /, 'goalkeeper: ')}  usage: ${pathOf(made)} ${made.usage()}\n`,
      ),
  });
}

const pathOf = (made: Command): string =>
  made.parent === null ? made.name() : `${pathOf(made.parent)} ${made.name()}`;
