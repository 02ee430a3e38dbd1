interface Rule {
  readonly prerequisites: readonly string[];
  readonly recipe: readonly string[];
}

/** Recipe lines of these targets (the first one by default) and of their prerequisites. */
export function makeRecipes(text: string, targets: readonly string[]): string[] {
  const { rules, variables } = readMakefile(text);
  const [first] = rules.keys();
  const open = targets.length > 0 ? [...targets] : [first ?? ''];
  const seen = new Set<string>();
  const lines: string[] = [];
  for (let target = open.pop(); target !== undefined; target = open.pop()) {
    const rule = rules.get(target);
    if (rule === undefined || seen.has(target)) continue;
    seen.add(target);
    open.push(...rule.prerequisites);
    lines.push(...rule.recipe.map((line) => expand(line, variables)));
  }
  return lines;
}

function readMakefile(text: string) {
  const rules = new Map<string, Rule>();
  const variables = new Map<string, string>();
  let current: string[] = [];
  for (const line of text.replaceAll('\\\n', ' ').split('\n')) {
    const assignment = /^([\w.]+)\s*[:?+]?:?=\s*(.*)$/.exec(line);
    const rule = /^([^\s#:][^:=]*?)\s*::?(?!=)\s*([^=;#]*)(?:;(.*))?$/.exec(line);
    if (line.startsWith('\t')) current.push(line.trim().replace(/^[@+-]+/, ''));
    else if (assignment !== null) variables.set(assignment[1] ?? '', assignment[2] ?? '');
    else if (rule !== null) {
      current = rule[3] === undefined ? [] : [rule[3].trim()];
      const prerequisites = (rule[2] ?? '').split(/\s+/).filter((word) => word !== '');
      for (const target of (rule[1] ?? '').split(/\s+/)) {
        if (!target.startsWith('.')) rules.set(target, { prerequisites, recipe: current });
      }
    }
  }
  return { rules, variables };
}

const expand = (line: string, variables: ReadonlyMap<string, string>): string =>
  line
    .replace(/\$[({]([\w.]+)[)}]/g, (whole, name: string) =>
      name === 'MAKE' ? 'make' : (variables.get(name) ?? whole),
    )
    .replaceAll('$$', '$');
