import type { ModelSettings, Patience } from '../../contract/config.ts';
import type { Parsed } from './environment.ts';

export function modelConfig(parsed: Parsed): ModelSettings {
  const mostBytes = parsed.GOALKEEPER_MODEL_RESPONSE_BYTES;
  return {
    openaiApiKey: parsed.OPENAI_API_KEY,
    anthropicApiKey: parsed.ANTHROPIC_API_KEY,
    googleApiKey: parsed.GOOGLE_GENERATIVE_AI_API_KEY,
    compatibleBaseUrl: parsed.OPENAI_COMPATIBLE_BASE_URL,
    compatibleApiKey: parsed.OPENAI_COMPATIBLE_API_KEY,
    baseUrls: {
      openai: parsed.OPENAI_BASE_URL,
      anthropic: parsed.ANTHROPIC_BASE_URL,
      google: parsed.GOOGLE_GENERATIVE_AI_BASE_URL,
    },
    pricesFile: parsed.GOALKEEPER_PRICES,
    patience: patienceOf(parsed),
    ...(mostBytes === undefined ? {} : { mostBytes }),
  };
}

function patienceOf(parsed: Parsed): Partial<Patience> {
  const silence = parsed.GOALKEEPER_MODEL_SILENCE_SECONDS;
  const output = parsed.GOALKEEPER_MODEL_OUTPUT_SECONDS;
  return {
    ...(silence === undefined
      ? {}
      : { firstByteTimeoutMs: silence * 1000, idleTimeoutMs: silence * 1000 }),
    ...(output === undefined ? {} : { outputTimeoutMs: output * 1000 }),
  };
}
