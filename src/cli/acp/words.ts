import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { Goal } from '../../../schema/goal.ts';
import { nextStep } from '../next-step.ts';
import { printable } from '../terminal.ts';
import { unfit } from './refused.ts';

export const COMMANDS = [
  { name: 'watch', description: 'follow the goal, and ask again what waits for you' },
  { name: 'resume', description: 'let a goal that is paused go on' },
  { name: 'clear', description: 'end the goal; what you say next starts another' },
];

export type CommandName = 'watch' | 'resume' | 'clear';

export const commandIn = (text: string): CommandName | null =>
  (COMMANDS.find(({ name }) => text === `/${name}`)?.name as CommandName | undefined) ?? null;

/** What a person said, with the names of what they point at. */
export function promptText(prompt: readonly ContentBlock[]): string {
  const parts = prompt.map((block) => {
    if (block.type === 'text') return block.text;
    if (block.type === 'resource_link') return pathOf(block.uri) ?? block.uri;
    throw unfit('prompt', `A goal takes no ${block.type} here.`, 'Name the file instead.');
  });
  const text = parts.join('').trim();
  if (/[\p{Letter}\p{Number}]/u.test(text)) return text;
  throw unfit('prompt', 'The prompt says nothing.', 'Say what is to be reached.');
}

const pathOf = (uri: string): string | null =>
  uri.startsWith('file://') ? decodeURI(uri.slice('file://'.length)) : null;

interface Question {
  readonly text: string;
  readonly options: readonly string[];
}

/** How the goal stands when nothing goes on by itself, and what leads on. */
export function standsWords(goal: Goal, question: Question | null): string {
  return printable(linesOf(goal, question).join('\n\n'));
}

function linesOf(goal: Goal, question: Question | null): readonly string[] {
  const { completion, pause } = goal;
  if (completion !== undefined) {
    const files = completion.changedFiles.map((path) => `- \`${path}\``).join('\n');
    return [`**Complete (${completion.verification}).** ${completion.result}`, files];
  }
  if (goal.archivedAt !== undefined) return ['**The goal is over.**'];
  if (question !== null) {
    const options = question.options.map((option, index) => `${index + 1}. ${option}`).join('\n');
    return [`**${question.text}**`, options];
  }
  if (pause === undefined) return [`**${goal.activity.reason}**`, ...next(goal)];
  const missing = pause.missing.map((one) => `- ${one}`).join('\n');
  return [`**Paused:** ${pause.message}`, missing, 'Say something, or /resume.'];
}

function next(goal: Goal): readonly string[] {
  const step = nextStep(goal);
  return step === null ? [] : [step];
}
