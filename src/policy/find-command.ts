const deleters = /^(.*\/)?(rm|unlink|shred|srm|rimraf)$/;

/** Is one of these words a program that deletes files? */
export const deletersNamed = (args: readonly string[]): boolean =>
  args.some((arg) => deleters.test(arg));

/** Deletes whatever `find` comes upon. */
export const deletesFound = (args: readonly string[]): boolean =>
  args.some(
    (arg, index) =>
      arg === '-delete' || (/^-(exec|ok)(dir)?$/.test(arg) && deleters.test(args[index + 1] ?? '')),
  );

/** Names what it looks for, and nothing else beside. */
export function isNarrow(args: readonly string[]): boolean {
  if (args.some((arg) => /^(!|-not|-o|-or|,)$/.test(arg))) return false;
  return args.some(
    (arg, index) => /^-i?(name|path|regex)$/.test(arg) && !/^[./*?+]*$/.test(args[index + 1] ?? ''),
  );
}

/** The folders in which `find` begins to look. */
export function startsOf(args: readonly string[]): readonly string[] {
  const own = args.filter((arg) => !/^-[HLP]$/.test(arg));
  const end = own.findIndex((arg) => /^[-(!]/.test(arg));
  return end < 0 ? own : own.slice(0, end);
}
