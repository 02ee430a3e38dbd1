/** What a hook prints on its output: fields that Claude Code and Codex both take. */
export interface HookAnswer {
  readonly decision?: 'block';
  /** Never empty. */
  readonly reason?: string;
  /** Shown to the person. */
  readonly systemMessage?: string;
  readonly hookSpecificOutput?: {
    readonly hookEventName: string;
    readonly additionalContext: string;
  };
}

/** A reason that a session is given; a prompt that begins so is our own. */
export const MARK = 'Goalkeeper:';

const MOST_REASON = 20_000;

export const block = (words: string): HookAnswer => ({
  decision: 'block',
  reason: `${MARK} ${words}`.slice(0, MOST_REASON),
});

export const tell = (words: string): HookAnswer => ({ systemMessage: `${MARK} ${words}` });

export const context = (hookEventName: string, words: string): HookAnswer => ({
  hookSpecificOutput: { hookEventName, additionalContext: words },
});
