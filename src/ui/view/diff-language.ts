const byExtension: Readonly<Record<string, string>> = {
  ...{ js: 'javascript', mjs: 'javascript', cjs: 'javascript', jsx: 'javascript' },
  ...{ ts: 'typescript', mts: 'typescript', cts: 'typescript', tsx: 'typescript' },
  ...{ py: 'python', pyi: 'python', rb: 'ruby', go: 'go', rs: 'rust', java: 'java' },
  ...{ kt: 'kotlin', kts: 'kotlin', swift: 'swift', c: 'c', h: 'c', m: 'objectivec' },
  ...{ cc: 'cpp', cpp: 'cpp', cxx: 'cpp', hpp: 'cpp', hh: 'cpp', cs: 'csharp', vb: 'vbnet' },
  ...{ php: 'php', pl: 'perl', pm: 'perl', lua: 'lua', r: 'r', sql: 'sql' },
  ...{ sh: 'bash', bash: 'bash', zsh: 'bash', css: 'css', scss: 'scss', less: 'less' },
  ...{ html: 'xml', xml: 'xml', svg: 'xml', vue: 'xml', json: 'json', jsonc: 'json' },
  ...{ yml: 'yaml', yaml: 'yaml', toml: 'ini', ini: 'ini', cfg: 'ini', md: 'markdown' },
  ...{ graphql: 'graphql', gql: 'graphql', diff: 'diff', patch: 'diff', mk: 'makefile' },
};

/** The highlighter's name of a file's language; null where it has none. */
export function languageOf(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/^(?:gnu)?makefile$/i.test(name)) return 'makefile';
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(byExtension, extension) ? (byExtension[extension] ?? null) : null;
}
