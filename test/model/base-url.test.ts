import { expect, test } from 'vitest';
import { reply } from '../../demo/script.ts';
import { startScriptedModel } from '../../demo/scripted-server.ts';
import { loadConfig } from '../../src/app/config.ts';
import { ANTHROPIC, baseUrlOf, GOOGLE, OPENAI } from '../../src/model/base-url.ts';
import { createModels } from '../../src/model/providers.ts';

test.each([
  [OPENAI, 'http://localhost:11434', 'http://localhost:11434/v1'],
  [OPENAI, 'http://localhost:11434/', 'http://localhost:11434/v1'],
  [OPENAI, 'https://gate.example.com/v1/', 'https://gate.example.com/v1'],
  [
    OPENAI,
    'https://gate.example.com/v1/account/openai',
    'https://gate.example.com/v1/account/openai',
  ],
  [ANTHROPIC, 'https://api.anthropic.com', 'https://api.anthropic.com/v1'],
  [
    ANTHROPIC,
    'https://gate.example.com/v1/account/anthropic',
    'https://gate.example.com/v1/account/anthropic/v1',
  ],
  [ANTHROPIC, 'https://gate.example.com/anthropic/v1', 'https://gate.example.com/anthropic/v1'],
  [GOOGLE, 'https://gate.example.com', 'https://gate.example.com/v1beta'],
  [GOOGLE, 'https://gate.example.com/gemini/v1beta', 'https://gate.example.com/gemini/v1beta'],
  [GOOGLE, 'https://gate.example.com/v1', 'https://gate.example.com/v1'],
])('WIRE-1 %j reads %s as %s', (versioned, url, read) => {
  expect(baseUrlOf(url, versioned)).toBe(read);
});

test.each([
  ['openai/gpt-4.1', 'OPENAI'],
  ['anthropic/claude-sonnet-4-5', 'ANTHROPIC'],
  ['google/gemini-2.5-pro', 'GOOGLE_GENERATIVE_AI'],
  ['compatible/scripted', 'OPENAI_COMPATIBLE'],
])(
  'WIRE-2 %s is asked at the gateway of %s_BASE_URL, with its version or without',
  async (model, variable) => {
    const server = await startScriptedModel({ script: () => reply.text('Here.'), apiKey: 'key' });
    const root = server.url.replace(/\/v1$/, '');
    for (const url of [root, `${root}/`, server.url]) {
      const environment = { [`${variable}_API_KEY`]: 'key', [`${variable}_BASE_URL`]: url };
      const models = createModels(loadConfig(environment).models);
      const answer = await models.call({
        ...{ model, system: 'Be terse.', tools: [], maxOutputTokens: 50 },
        messages: [{ seq: 1, turn: 1, step: null, voice: 'person', content: { text: 'Where?' } }],
        signal: new AbortController().signal,
      });
      expect([url, answer]).toMatchObject([url, { kind: 'answer', text: 'Here.' }]);
    }
    await server.close();
  },
);
