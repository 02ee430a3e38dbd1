import type { Script } from '../../demo/script.ts';
import { type ScriptedModel, startScriptedModel } from '../../demo/scripted-server.ts';
import type { ModelPort } from '../../src/contract/model.ts';
import { createModels, type ModelConfig } from '../../src/model/providers.ts';

/** The id that reaches the scripted server. */
export const SCRIPTED_MODEL = 'compatible/scripted';

/** A scripted server and the real providers pointed at it; `await using` closes it. */
export async function withScriptedModel(
  script: Script,
  config: Partial<ModelConfig> & { serverKey?: string } = {},
): Promise<AsyncDisposable & { server: ScriptedModel; models: ModelPort }> {
  const { serverKey, ...modelConfig } = config;
  const server = await startScriptedModel({
    script,
    ...(serverKey === undefined ? {} : { apiKey: serverKey }),
  });
  const models = createModels({
    openaiApiKey: 'test-key',
    anthropicApiKey: 'test-key',
    googleApiKey: 'test-key',
    compatibleBaseUrl: server.url,
    baseUrls: { openai: server.url, anthropic: server.url, google: server.url },
    ...modelConfig,
  });
  return { server, models, [Symbol.asyncDispose]: () => server.close() };
}
