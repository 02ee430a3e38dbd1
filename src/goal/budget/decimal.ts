const pattern = /^(\d+)(?:\.(\d+))?$/;

/** `units` × 10^−`scale`. */
interface Scaled {
  readonly units: bigint;
  readonly scale: number;
}

/** Sum of two non-negative decimal strings, exact, without trailing zeros. */
export function addDecimals(left: string, right: string): string {
  const [a, b, scale] = align(left, right);
  return render({ units: a + b, scale });
}

/** `left − right`, or "0" where that would be negative. */
export function subtractDecimals(left: string, right: string): string {
  const [a, b, scale] = align(left, right);
  return a > b ? render({ units: a - b, scale }) : '0';
}

export function multiplyDecimals(left: string, right: string): string {
  const a = parse(left);
  const b = parse(right);
  return render({ units: a.units * b.units, scale: a.scale + b.scale });
}

/** Whole part of `left ÷ right`; `right` must not be zero. */
export function divideToWhole(left: string, right: string): bigint {
  const [a, b] = align(left, right);
  return a / b;
}

export function compareDecimals(left: string, right: string): -1 | 0 | 1 {
  const [a, b] = align(left, right);
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function align(left: string, right: string): [bigint, bigint, number] {
  const a = parse(left);
  const b = parse(right);
  const scale = Math.max(a.scale, b.scale);
  return [widen(a, scale), widen(b, scale), scale];
}

function widen(value: Scaled, scale: number): bigint {
  return value.units * 10n ** BigInt(scale - value.scale);
}

function parse(text: string): Scaled {
  const match = pattern.exec(text);
  if (!match) throw new RangeError(`not a decimal: "${text}"`);
  const fraction = match[2] ?? '';
  return { units: BigInt(`${match[1]}${fraction}`), scale: fraction.length };
}

function render({ units, scale }: Scaled): string {
  const digits = units.toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
