/** A rule of a Makefile. */
export interface Rule {
  readonly targets: readonly string[];
  readonly needs: readonly string[];
  readonly recipe: readonly string[];
}

const RULE = /^([^\s#:=][^#:=]*)::?(?!=)([^#]*?)(?:;(.*))?$/;

export function rulesOf(text: string): Rule[] {
  const rules: { targets: string[]; needs: string[]; recipe: string[] }[] = [];
  for (const line of text.replace(/\\\r?\n/g, ' ').split(/\r?\n/)) {
    if (line.startsWith('\t')) {
      rules.at(-1)?.recipe.push(line.trim());
      continue;
    }
    const [, targets, needs = '', recipe] = RULE.exec(line) ?? [];
    if (targets === undefined) continue;
    const own = recipe === undefined ? [] : [recipe.trim()];
    rules.push({ targets: wordsIn(targets), needs: wordsIn(needs), recipe: own });
  }
  return rules;
}

/** The recipes that making these targets runs; without any, those of the first. */
export function recipesFor(text: string, targets: readonly string[]): string[] {
  const rules = rulesOf(text).filter((rule) => !rule.targets.every((name) => name.startsWith('.')));
  const named = targets.filter((name) => rules.some((rule) => rule.targets.includes(name)));
  const wanted = new Set(named.length > 0 ? named : (rules[0]?.targets ?? []));
  for (const name of wanted) {
    for (const rule of rules) {
      if (rule.targets.includes(name)) for (const need of rule.needs) wanted.add(need);
    }
  }
  return rules
    .filter((rule) => rule.targets.some((name) => wanted.has(name)))
    .flatMap((rule) => rule.recipe);
}

const wordsIn = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
