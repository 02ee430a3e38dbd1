import { sum } from './money.js';

/** Total of an invoice in cents: lines, less the discount, plus tax. */
export function total({ lines, discountPercent = 0, taxPercent = 0 }) {
  const net = sum(lines.map((line) => line.quantity * line.unitCents));
  const discounted = net - net * (discountPercent / 100);
  return Math.floor(discounted + net * (taxPercent / 100));
}
