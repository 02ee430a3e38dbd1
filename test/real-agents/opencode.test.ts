import { join } from 'node:path';
import { reply } from '../../demo/script.ts';
import { documented } from './documented.ts';
import { driveAgent } from './drive.ts';
import { installed } from './install.ts';

driveAgent({
  title: 'OpenCode',
  settings(url) {
    const folder = installed('opencode-linux-x64', '1.18.33');
    const local = {
      npm: '@ai-sdk/openai-compatible',
      name: 'local',
      options: { baseURL: url, apiKey: 'none-needed' },
      models: { m: { name: 'm' } },
    };
    const told = documented('opencode');
    const config = {
      ...(JSON.parse(told.env?.OPENCODE_CONFIG_CONTENT ?? '{}') as object),
      provider: { local },
      ...{ model: 'local/m', small_model: 'local/m' },
    };
    return {
      ...told,
      command: join(folder, 'bin/opencode'),
      reads: [folder],
      env: {
        OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
        ...{ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      },
    };
  },
  words: 'bin/opencode',
  shell: (command) => reply.call('bash', { command, description: 'Works' }),
  writeFile: (filePath, content) => reply.call('write', { filePath, content }),
  goalTool: (name) => `goalkeeper_${name}`,
  ids: {
    ...{ proven: 'RAG-1', early: 'RAG-2', asks: 'RAG-3', paused: 'RAG-4', killed: 'RAG-5' },
    ...{ turns: 'RAG-20', tokens: 'RAG-21' },
    felled: 'RAG-30',
    signs: 'RAG-27',
    edits: 'RAG-22',
  },
});
