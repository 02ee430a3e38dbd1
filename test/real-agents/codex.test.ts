import { join } from 'node:path';
import { reply } from '../../demo/script.ts';
import { documented } from './documented.ts';
import { driveAgent } from './drive.ts';
import { installed } from './install.ts';

driveAgent({
  title: 'Codex',
  settings(url) {
    const folder = installed('@zed-industries/codex-acp-linux-x64', '0.16.0');
    const told = documented('codex');
    return {
      ...told,
      command: join(folder, 'bin/codex-acp'),
      args: [...(told.args ?? []), '-c', `openai_base_url="${url}"`],
      reads: [folder],
      env: { OPENAI_API_KEY: 'none-needed' },
    };
  },
  words: 'codex-acp',
  shell: (cmd) => reply.call('exec_command', { cmd }),
  writeFile: (path, content) =>
    reply.call('exec_command', {
      cmd: `apply_patch <<'END'\n*** Begin Patch\n*** Add File: ${path}\n${content.replace(/^(?=.)/gm, '+')}*** End Patch\nEND`,
    }),
  goalTool: (name) => `mcp__goalkeeper__${name}`,
  ids: {
    ...{ proven: 'RAG-6', early: 'RAG-7', asks: 'RAG-8', paused: 'RAG-9', turns: 'RAG-10' },
    ...{ tokens: 'RAG-11', killed: 'RAG-12' },
    felled: 'RAG-31',
    signs: 'RAG-28',
    edits: 'RAG-23',
  },
});
