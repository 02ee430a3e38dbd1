import type { ServiceRules } from '../contract/service-rules.ts';

/** What follows from rules: the same for as long as they are the same. */
export function ofRules<Value>(
  rules: () => ServiceRules,
  make: (rules: ServiceRules) => Value,
): () => Value {
  let seen = rules();
  let made = make(seen);
  return () => {
    const present = rules();
    if (present === seen) return made;
    seen = present;
    made = make(present);
    return made;
  };
}

/** Two lists as one: the same for as long as both are the same. */
export function joined<Item>(
  first: () => readonly Item[],
  second: () => readonly Item[],
): () => readonly Item[] {
  let seen = [first(), second()] as const;
  let list = seen.flat();
  return () => {
    const present = [first(), second()] as const;
    if (present[0] === seen[0] && present[1] === seen[1]) return list;
    seen = present;
    list = present.flat();
    return list;
  };
}
