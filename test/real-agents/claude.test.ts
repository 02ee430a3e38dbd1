import { join } from 'node:path';
import { reply } from '../../demo/script.ts';
import { documented } from './documented.ts';
import { driveAgent } from './drive.ts';
import { installed } from './install.ts';

driveAgent({
  title: 'Claude Code',
  settings(url) {
    const adapter = installed('@agentclientprotocol/claude-agent-acp', '0.101.0');
    const claude = installed('@anthropic-ai/claude-code-linux-x64', '2.1.328');
    const told = documented('claude');
    return {
      ...told,
      command: process.execPath,
      args: [join(adapter, 'dist/index.js'), ...(told.args ?? [])],
      reads: [join(adapter, '../../..'), claude],
      env: {
        ...told.env,
        ANTHROPIC_BASE_URL: url.replace(/\/v1$/, ''),
        ANTHROPIC_API_KEY: 'none-needed',
        CLAUDE_CODE_EXECUTABLE: join(claude, 'claude'),
      },
    };
  },
  words: 'claude',
  shell: (command) => reply.call('Bash', { command, description: 'Works' }),
  writeFile: (file_path, content) => reply.call('Write', { file_path, content }),
  goalTool: (name) => `mcp__goalkeeper__${name}`,
  ids: {
    ...{ proven: 'RAG-13', early: 'RAG-14', asks: 'RAG-15', paused: 'RAG-16', turns: 'RAG-17' },
    ...{ tokens: 'RAG-18', killed: 'RAG-19' },
    felled: 'RAG-32',
    signs: 'RAG-29',
    edits: 'RAG-24',
  },
});
