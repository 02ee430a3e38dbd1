import type { ToolDefinition, ToolPin } from '../../schema/tool-pin.ts';
import { renderDiff } from '../proof/line-diff.ts';

/** One line where nothing waits; else the difference that a person accepts or not. */
export function pinText({ workspace, tool, pinned, pinnedAt, pinnedBy, offered }: ToolPin): string {
  const name = `${workspace} ${tool}`;
  const since = `since ${pinnedAt?.slice(0, 10)} by ${pinnedBy ?? 'its first use'}`;
  if (offered === null) return `${name} · ${pinned?.hash.slice(0, 12)} ${since}`;
  const what = pinned === null ? 'is new' : `changed, trusted ${since}`;
  const bytes = (definition: ToolDefinition | null) =>
    definition === null ? null : Buffer.from(definitionText(definition));
  const difference = renderDiff(bytes(pinned), bytes(offered));
  return [
    `${name} ${what}. Goals don't see it until somebody accepts:`,
    difference,
    `goalkeeper pins accept ${workspace} ${tool} --hash ${offered.hash}`,
  ].join('\n');
}

const definitionText = ({ description, readOnly, inputSchema }: ToolDefinition): string =>
  `${description}\n${readOnly ? 'only reads\n' : ''}${JSON.stringify(inputSchema, null, 2)}\n`;
