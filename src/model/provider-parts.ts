import type {
  LanguageModelV3ReasoningPart,
  LanguageModelV3StreamPart,
  SharedV3ProviderMetadata,
} from '@ai-sdk/provider';

/**
 * Parts that a provider wants back verbatim: signed reasoning, and signatures on calls by the
 * provider's call id. Keyed by provider, so that other providers' clients leave them out.
 */
interface ProviderParts {
  readonly reasoning: readonly LanguageModelV3ReasoningPart[];
  readonly callOptions: Readonly<Record<string, SharedV3ProviderMetadata>>;
}

/** Keeps only parts that carry a signature; no provider takes back unsigned reasoning. */
export function createPartsCollector() {
  const texts = new Map<string, string>();
  const options = new Map<string, SharedV3ProviderMetadata>();
  const callOptions: Record<string, SharedV3ProviderMetadata> = {};

  return {
    take(part: LanguageModelV3StreamPart): void {
      if (part.type === 'tool-call' && part.providerMetadata !== undefined) {
        callOptions[part.toolCallId] = part.providerMetadata;
      }
      if (!isReasoning(part)) return;
      const delta = part.type === 'reasoning-delta' ? part.delta : '';
      texts.set(part.id, (texts.get(part.id) ?? '') + delta);
      if (part.providerMetadata !== undefined) {
        options.set(part.id, { ...options.get(part.id), ...part.providerMetadata });
      }
    },
    result(): { providerParts?: ProviderParts } {
      const reasoning = [...options].map(([id, providerOptions]) => ({
        type: 'reasoning' as const,
        text: texts.get(id) ?? '',
        providerOptions,
      }));
      const isEmpty = reasoning.length === 0 && Object.keys(callOptions).length === 0;
      return isEmpty ? {} : { providerParts: { reasoning, callOptions } };
    },
  };
}

type ReasoningStreamPart = Extract<LanguageModelV3StreamPart, { type: `reasoning-${string}` }>;

function isReasoning(part: LanguageModelV3StreamPart): part is ReasoningStreamPart {
  return part.type.startsWith('reasoning-');
}

/** Stored parts come from JSON of an earlier version, so their shape is checked again. */
export function asProviderParts(stored: unknown): ProviderParts {
  const { reasoning, callOptions } = (stored ?? {}) as Partial<ProviderParts>;
  return { reasoning: Array.isArray(reasoning) ? reasoning : [], callOptions: callOptions ?? {} };
}
