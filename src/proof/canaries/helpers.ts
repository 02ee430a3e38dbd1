import type { Judge, JudgeText } from './judge.ts';
import type { Reading } from './literals.ts';
import { askedIn, type Part } from './parts.ts';
import { failedStatements, pinsOf } from './pins.ts';
import type { Places } from './places.ts';
import type { Span } from './spans.ts';

/**
 * The statement of a helper at which tests failed that say no demand themselves, where it is the only
 * one: each of them failed there.
 */
export function helpedIn(
  { texts, failedAt }: Judge,
  named: readonly Part[],
  places: Places,
  reads: (judge: JudgeText) => Reading,
): { readonly helper: Part; readonly by: readonly Part[] }[] {
  if (failedAt === undefined || named.length === 0) return [];
  const failing = texts.flatMap((judge): Part[] => {
    const begins = [...(places.get(judge)?.values() ?? [])].flat();
    const to = Math.min(judge.text.length, ...begins);
    const part = { judge, from: 0, to, cases: [] };
    return failedStatements(askedIn(part, failedAt)).length > 0 ? [part] : [];
  });
  const [helper] = failing;
  if (helper === undefined || failing.length > 1) return [];
  const { text } = helper.judge;
  const asked = askedIn(helper, failedAt);
  const isDemand = (span: Span) =>
    pinsOf({ ...asked, failedAt: [lineOf(text, span)] }, reads(helper.judge), () => 0).length > 0;
  const failed = failedStatements(asked);
  const [demand, ...others] = failed.filter(isDemand);
  if (demand === undefined || others.length > 0) return [];
  // Functions in which it stands, and those that called them.
  const names = new Set(namesAround(text, demand[0]));
  for (let size = 0; size < names.size; ) {
    size = names.size;
    for (const span of failed.filter((one) => calls(text.slice(...one), names))) {
      for (const name of namesAround(text, span[0])) names.add(name);
    }
  }
  const by = named.filter((part) => {
    const own = askedIn(part, failedAt);
    const said = failedStatements(own).map((span) => part.judge.text.slice(...span));
    return (
      said.some((one) => calls(one, names)) && pinsOf(own, reads(part.judge), () => 0).length === 0
    );
  });
  const cases = [...new Set(by.flatMap((part) => part.cases))];
  return cases.length === 0
    ? []
    : [
        {
          helper: { ...helper, cases, lines: [lineOf(text, demand)], isRest: true, isHelper: true },
          by,
        },
      ];
}

const lineOf = (text: string, [begin]: Span): number => text.slice(0, begin).split('\n').length;

const calls = (statement: string, names: ReadonlySet<string>): boolean =>
  (statement.match(/[A-Za-z_]\w*(?=\s*\()/g) ?? []).some((name) => names.has(name));

const FUNCTION =
  /\b(?:function\s*\*?|def|func|fn|sub)\s+([A-Za-z_]\w*)|(?:\b(?:const|let|var)\s+|\bexports\.)([A-Za-z_]\w*)\s*=\s*(?:async\b|function\b|\(|\w+\s*=>)/;

/** Functions in whose bodies this place stands. */
function namesAround(text: string, at: number): string[] {
  const found: string[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const line of text
    .slice(0, at + 1)
    .split('\n')
    .reverse()) {
    const indent = line.search(/\S/);
    if (indent < 0 || indent >= least) continue;
    least = indent;
    const [, own, other] = FUNCTION.exec(line) ?? [];
    found.push(...[own ?? other].filter((name) => name !== undefined));
  }
  return found;
}
