/** Who reaches the embedded Temporal, in a line for `up` and `doctor`. */
export const openTemporal = (why: string): string =>
  `every process of this machine reaches the embedded one, as ${why}, and can stop goals, but neither complete nor read them: install bubblewrap, or name one with TLS (docs/security.md)`;

export const guardedTemporal =
  "the embedded one has a network of its own here, and only the service's own processes reach it";
