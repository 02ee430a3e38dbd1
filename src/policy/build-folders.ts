const built =
  /^(node_modules|dist|build|out|output|target|coverage|tmp|temp|\.(cache|next|nuxt|turbo|parcel-cache|nyc_output|pytest_cache|mypy_cache|ruff_cache|venv|gradle|svelte-kit|tox)|__pycache__|venv|logs?|reports?|artifacts|[\w.-]+\.egg-info)$/;

/** Something in a folder that a build makes again; what stands behind a wildcard lies in it. */
export function isBuilt(path: string): boolean {
  if (/^[/~$`]/.test(path) || /(^|\/)\.\.(\/|$)/.test(path)) return false;
  const known = path.split(/(?=[*?[{$`])/)[0] ?? '';
  const isCut = known.length < path.length;
  const parts = known.split('/').filter((part) => part !== '' && part !== '.');
  return (isCut ? (known.endsWith('/') ? parts : parts.slice(0, -1)) : parts).some((part) =>
    built.test(part),
  );
}
