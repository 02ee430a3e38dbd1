/**
 * `node measure.mjs PEER DATABASE_URL`: turns of three persisted steps that do nothing, of one
 * workflow alone and of 50 at once, as JSON. What a turn takes is seen from inside: from its beginning
 * to the next one's.
 */
const [peer, databaseUrl] = process.argv.slice(2);
const [WARM_UP, ALONE, MANY, EACH] = [20, 100, 50, 10];

/** Restate's SDK expects Node 22, of which it needs this alone here. */
Promise.withResolvers ??= () => {
  let handles;
  const promise = new Promise((resolve, reject) => {
    handles = { resolve, reject };
  });
  return { promise, ...handles };
};

const begun = new Map();
const { open } = await import(`./${peer}.mjs`);
const { loop, close } = await open(databaseUrl, {
  step: async () => performance.now(),
  begin: (id) => begun.set(id, [...(begun.get(id) ?? []), performance.now()]),
});
await loop(WARM_UP, 'warm-up');
await loop(ALONE, 'alone');
await Promise.all(Array.from({ length: MANY }, (_, one) => loop(EACH, `one-of-many-${one}`)));

const alone = begun.get('alone');
const many = [...begun].flatMap(([id, at]) => (id.startsWith('one-of-many') ? at : []));
const seconds = (Math.max(...many) - Math.min(...many)) / 1000;
console.log(
  JSON.stringify({
    turns: alone.slice(1).map((at, index) => at - alone[index]),
    perSecond: (MANY * EACH) / seconds,
  }),
);
await close();
process.exit(0);
