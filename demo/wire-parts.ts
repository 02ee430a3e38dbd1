import type { ScriptedReply } from './script.ts';

export const rawInput = (input: unknown): string =>
  typeof input === 'string' ? input : JSON.stringify(input);

export function finishReasonOf(reply: ScriptedReply): string | null {
  if (reply.finishReason !== undefined) return reply.finishReason;
  return reply.calls?.length ? 'tool_calls' : 'stop';
}

export interface GooglePart {
  text?: string;
  functionCall?: { name: string; args?: unknown };
  functionResponse?: { name: string; response?: { content?: unknown } };
}

export interface GoogleContent {
  role?: string;
  parts?: GooglePart[];
}

/** What Google's format has in a request instead of `messages`. */
export interface GoogleBody {
  contents?: GoogleContent[];
  systemInstruction?: GoogleContent;
  generationConfig?: { maxOutputTokens?: number };
}

export interface ResponsesItem {
  type: string;
  role?: string;
  content?: { type: string; text?: string }[] | string;
  name?: string;
  namespace?: string;
  arguments?: string;
  call_id?: string;
  output?: { type: string; text?: string }[] | string;
}

/** What OpenAI's Responses has in a request instead of `messages`. */
export interface ResponsesBody {
  input?: ResponsesItem[];
  instructions?: string;
  max_output_tokens?: number;
}
