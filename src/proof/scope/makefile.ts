/** A rule of a Makefile. */
interface Rule {
  readonly targets: readonly string[];
  readonly needs: readonly string[];
  readonly recipe: readonly string[];
}

const RULE = /^([^\s:=][^:=]*)::?(?!=)(.*?)(?:;(.*))?$/;
const VARIABLE = /^([\w.]+)\s*[:?+]?:?=\s*(.*)$/;

function readMakefile(text: string) {
  const rules: { targets: string[]; needs: string[]; recipe: string[] }[] = [];
  const variables = new Map<string, string>();
  for (const line of text.replace(/\\\r?\n/g, ' ').split(/\r?\n/)) {
    if (line.startsWith('\t')) {
      rules.at(-1)?.recipe.push(line.trim());
      continue;
    }
    const said = line.replace(/^([^#;]*)#.*/, '$1');
    const [, variable, value = ''] = VARIABLE.exec(said) ?? [];
    if (variable !== undefined) variables.set(variable, value);
    const [, targets, needs = '', recipe] = RULE.exec(said) ?? [];
    if (targets === undefined || variable !== undefined) continue;
    const own = recipe === undefined ? [] : [recipe.trim()];
    rules.push({ targets: wordsIn(targets), needs: wordsIn(needs), recipe: own });
  }
  const isMeant = ({ targets }: Rule) => !targets.every((name) => name.startsWith('.'));
  return { rules: rules.filter(isMeant), variables };
}

/** The recipes that making these targets runs; of words of which none is a target, those of the first. */
export function recipesFor(text: string, words: readonly string[]): string[] {
  const { rules } = readMakefile(text);
  const named = words.filter((name) => rules.some(({ targets }) => targets.includes(name)));
  return recipesMaking(rules, named);
}

/** The same for targets alone, as a shell is given them. */
export function recipesOfTargets(text: string, targets: readonly string[]): string[] {
  const { rules, variables } = readMakefile(text);
  return recipesMaking(rules, targets).map((line) =>
    line
      .replace(/^[@+-]+/, '')
      .replace(/\$[({]([\w.]+)[)}]/g, (whole, name: string) =>
        name === 'MAKE' ? 'make' : (variables.get(name) ?? whole),
      )
      .replaceAll('$$', '$'),
  );
}

/** Of the first target, where none is named. */
function recipesMaking(rules: readonly Rule[], named: readonly string[]): string[] {
  const wanted = new Set(named.length > 0 ? named : (rules[0]?.targets ?? []));
  const isMade = ({ targets }: Rule) => targets.some((name) => wanted.has(name));
  for (const name of wanted) {
    for (const { targets, needs } of rules) {
      if (targets.includes(name)) for (const need of needs) wanted.add(need);
    }
  }
  return rules.filter(isMade).flatMap(({ recipe }) => recipe);
}

const wordsIn = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
