export interface ReviewVerdict {
  readonly isPass: boolean;
  readonly findings: readonly string[];
}

const MOST_FINDINGS = 20;

/** Null if the answer is no verdict: only the agreed form counts, never prose. */
export function parseVerdict(text: string): ReviewVerdict | null {
  const json = /^\s*(?:```(?:json)?\s*)?(\{[\s\S]*\})\s*(?:```)?\s*$/.exec(text)?.[1];
  if (json === undefined) return null;
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    return null;
  }
  const { verdict, findings } = parsed as { verdict?: unknown; findings?: unknown };
  if (verdict !== 'pass' && verdict !== 'fail') return null;
  const named = Array.isArray(findings) ? findings : [];
  return {
    isPass: verdict === 'pass',
    findings: named.filter((one) => typeof one === 'string').slice(0, MOST_FINDINGS),
  };
}
