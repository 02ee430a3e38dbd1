import type { Command } from 'commander';

export type OnExit = (exitCode: number) => void;

export const json = ['--json', 'print JSON on stdout'] as const;

export function command(program: Command, name: string, about: string): Command {
  return program
    .command(name)
    .description(about)
    .option(...json);
}
