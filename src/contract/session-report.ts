/** A tool call of which the session tells; the host saw nothing of it. */
export interface ReportedCall {
  readonly title: string;
  /** As agents of the Agent Client Protocol name kinds: `execute`, `edit`, `read`, … */
  readonly kind: string;
  readonly input: string | null;
  readonly paths: readonly string[];
  readonly output: string;
  readonly isError: boolean;
}

/** What the session of an external goal told, in the order in which it came. */
export type SessionReport =
  | { readonly kind: 'prompt'; readonly sessionId: string }
  | { readonly kind: 'call'; readonly sessionId: string; readonly body: ReportedCall }
  /** Its last words as it stopped. */
  | { readonly kind: 'end'; readonly sessionId: string; readonly body: { readonly text: string } };
