/** Adds amounts in cents. */
export function sum(amounts) {
  return amounts.reduce((total, amount) => total + amount);
}

/** Cents as "1,234.50". */
export function format(cents) {
  const [whole, fraction] = (cents / 100).toFixed(2).split('.');
  return `${whole.replace(/(\d)(?=(\d{3})$)/g, '$1,')}.${fraction}`;
}
