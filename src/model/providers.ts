import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV3, LanguageModelV3FunctionTool } from '@ai-sdk/provider';
import type { ModelSettings, Patience } from '../contract/config.ts';
import { Refusal } from '../contract/failures.ts';
import type { ModelAnswer, ModelPort, ModelRequest, ToolDeclaration } from '../contract/model.ts';
import { maskText } from '../secrets/mask.ts';
import { ANTHROPIC, baseUrlOf, GOOGLE, OPENAI, type Versioned } from './base-url.ts';
import { callModel } from './call.ts';
import { trouble } from './errors.ts';
import { createFetch } from './fetch.ts';
import { toPrompt } from './messages.ts';
import { loadPrices } from './prices.ts';
import { createTokenCounter } from './tokens.ts';

export interface ModelConfig extends ModelSettings {
  /** Models of an application with its own worker, by NAME; goals call them `own/NAME`. */
  readonly own?: Readonly<Record<string, LanguageModelV3>>;
}

/** Below the 300 s of silence at which Node's own client gives up, so that the error is ours. */
const PATIENCE: Patience = {
  firstByteTimeoutMs: 290_000,
  idleTimeoutMs: 290_000,
  outputTimeoutMs: 600_000,
  callTimeoutMs: 1_800_000,
};

/** @throws PriceFileError */
export function createModels(config: ModelConfig): ModelPort {
  const prices = loadPrices(config.pricesFile);
  const providers = createProviders(config);
  const instances = new Map<string, LanguageModelV3>();
  const patience = { ...PATIENCE, ...config.patience };
  const mask = maskOf(config);

  const instance = (model: string): LanguageModelV3 => {
    const known = instances.get(model);
    if (known !== undefined) return known;
    const [provider, name] = resolve(model, providers);
    const created = provider.model(name);
    instances.set(model, created);
    return created;
  };

  return {
    async call(request) {
      const usable = tryTo(() => instance(request.model));
      // Another process may have the key that this one lacks, so the goal must not fail.
      if (usable instanceof Refusal) return neverSent(usable);
      return callModel(usable, optionsOf(request), request, { patience, mask });
    },
    assertUsable: (model) => void resolve(model, providers),
    price: prices.price,
    contextWindow: prices.contextWindow,
    maxOutput: prices.maxOutput,
    sees: prices.sees,
    countTokens: createTokenCounter(),
  };
}

function tryTo<Result>(work: () => Result): Result | Refusal {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

const neverSent = ({ message }: Refusal): ModelAnswer => ({
  kind: 'trouble',
  trouble: trouble('auth', message),
  partialText: '',
  generated: '',
  hasStarted: false,
  reported: null,
});

/** Errors are masked: they may repeat a refused key or the address that failed. */
function maskOf(config: ModelConfig): (text: string) => string {
  const { openaiApiKey, anthropicApiKey, googleApiKey, compatibleApiKey } = config;
  const secrets = [openaiApiKey, anthropicApiKey, googleApiKey, compatibleApiKey].filter(
    (key): key is string => key !== undefined && key.length >= SHORTEST_SECRET,
  );
  return (text) => maskText(text, secrets).replace(/:\/\/[^/@\s]+@/g, '://[masked]@');
}

const SHORTEST_SECRET = 8;

interface Provider {
  /** The variable with the provider's key. */
  readonly variable: string;
  readonly isConfigured: boolean;
  readonly model: (name: string) => LanguageModelV3;
}

function createProviders(config: ModelConfig): Readonly<Record<string, Provider>> {
  const { openaiApiKey, anthropicApiKey, googleApiKey, compatibleBaseUrl, baseUrls } = config;
  const fetch = createFetch(process.env, config.mostBytes);
  const shared = (apiKey: string | undefined, url: string | undefined, versioned: Versioned) => ({
    apiKey: apiKey ?? '',
    fetch,
    ...(url === undefined ? {} : { baseURL: baseUrlOf(url, versioned) }),
  });
  const openai = createOpenAI(shared(openaiApiKey, baseUrls?.openai, OPENAI));
  const anthropic = createAnthropic(shared(anthropicApiKey, baseUrls?.anthropic, ANTHROPIC));
  const google = createGoogleGenerativeAI(shared(googleApiKey, baseUrls?.google, GOOGLE));
  const compatible = createOpenAICompatible({
    name: 'compatible',
    baseURL: compatibleBaseUrl ? baseUrlOf(compatibleBaseUrl, OPENAI) : '',
    includeUsage: true,
    fetch,
    ...(config.compatibleApiKey ? { apiKey: config.compatibleApiKey } : {}),
  });
  return {
    // The chat endpoint takes the whole conversation in the request and stores nothing.
    openai: provider('OPENAI_API_KEY', openaiApiKey, (name) => openai.chat(name)),
    anthropic: provider('ANTHROPIC_API_KEY', anthropicApiKey, (name) => anthropic(name)),
    google: provider('GOOGLE_GENERATIVE_AI_API_KEY', googleApiKey, (name) => google(name)),
    compatible: provider('OPENAI_COMPATIBLE_BASE_URL', compatibleBaseUrl, (name) =>
      compatible(name),
    ),
    ...(config.own === undefined ? {} : { own: ownProvider(config.own) }),
  };
}

function provider(
  variable: string,
  setting: string | undefined,
  model: (name: string) => LanguageModelV3,
): Provider {
  return { variable, isConfigured: setting !== undefined && setting !== '', model };
}

function ownProvider(own: NonNullable<ModelConfig['own']>): Provider {
  return {
    variable: 'createWorker({ models })',
    isConfigured: true,
    model: (name) => {
      const found = Object.hasOwn(own, name) ? own[name] : undefined;
      if (found !== undefined) return found;
      const known = Object.keys(own).map((key) => `own/${key}`);
      const detail = `This worker has no model own/${name}; it has ${known.join(', ')}.`;
      throw new Refusal('unknown_model', detail, { model: `own/${name}` });
    },
  };
}

function resolve(model: string, providers: Readonly<Record<string, Provider>>): [Provider, string] {
  const slash = model.indexOf('/');
  const [prefix, name] = [model.slice(0, slash), model.slice(slash + 1)];
  const found = Object.hasOwn(providers, prefix) ? providers[prefix] : undefined;
  if (slash < 1 || name === '' || found === undefined) {
    const known = Object.keys(providers).join(', ');
    throw new Refusal(
      'unknown_model',
      `"${model}" is no model: write provider/name with one of ${known}.`,
      {
        model,
      },
    );
  }
  if (!found.isConfigured) {
    throw new Refusal('model_key_missing', `${model} needs ${found.variable} to be set.`, {
      model,
      variable: found.variable,
    });
  }
  return [found, name];
}

function optionsOf(request: ModelRequest) {
  return {
    prompt: toPrompt(request.system, request.messages, request.hostMark),
    tools: functionTools(request.tools),
    maxOutputTokens: request.maxOutputTokens,
    ...(request.cacheKey === undefined
      ? {}
      : { providerOptions: { openai: { promptCacheKey: request.cacheKey } } }),
  };
}

const converted = new WeakMap<readonly ToolDeclaration[], LanguageModelV3FunctionTool[]>();

/** Converted once per list: the registry hands out the same one for every step. */
function functionTools(tools: readonly ToolDeclaration[]): LanguageModelV3FunctionTool[] {
  const known = converted.get(tools);
  if (known !== undefined) return known;
  const fresh = tools.map(({ name, description, parameters }) => ({
    type: 'function' as const,
    name,
    description,
    inputSchema: parameters,
  }));
  converted.set(tools, fresh);
  return fresh;
}
