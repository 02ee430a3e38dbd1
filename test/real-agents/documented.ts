import { readFileSync } from 'node:fs';
import type { AgentSettings } from '../../schema/agents.ts';

const page = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8');

/** The settings that the docs give people to paste. */
export function documented(name: string): AgentSettings {
  const line = page.split('\n').find((one) => one.startsWith(`{ "${name}": `));
  if (line === undefined) throw new Error(`docs/agents.md has no settings of ${name}`);
  return (JSON.parse(line) as Record<string, AgentSettings>)[name] as AgentSettings;
}

/** The lines of the first block of the docs that has such a line. */
export function documentedLines(part: string): string[] {
  const blocks = [...page.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].map(([, text = '']) => text);
  const block = blocks.find((text) => text.includes(part));
  if (block === undefined) throw new Error(`docs/agents.md has no block with ${part}`);
  return block.trimEnd().split('\n');
}
