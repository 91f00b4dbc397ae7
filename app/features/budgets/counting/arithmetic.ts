/** Numbers as a count needs them: doubles for speed, fractions to be certain. */
export interface Arithmetic<N> {
  /** @param divisor an integer; 1 by default */
  of: (integer: number, divisor?: number) => N
  add: (a: N, b: N) => N
  subtract: (a: N, b: N) => N
  multiply: (a: N, integer: number) => N
  divide: (a: N, integer: number) => N
  /** Negative if `a` is less, 0 if they are equal. */
  compare: (a: N, b: N) => number
  toNumber: (a: N) => number
}

const TOLERANCE = 1e-9

/** Doubles count as equal within a relative tolerance of 1e-9. */
export const DOUBLES: Arithmetic<number> = {
  of: (integer, divisor = 1) => integer / divisor,
  add: (a, b) => a + b,
  subtract: (a, b) => (Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b)) ? 0 : a - b),
  multiply: (a, integer) => a * integer,
  divide: (a, integer) => a / integer,
  compare: (a, b) => (Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b)) ? 0 : a - b),
  toNumber: (a) => a,
}

interface Fraction {
  over: bigint
  under: bigint
}

function findGcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b]
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}

/** @param under positive */
function reduceFraction(over: bigint, under: bigint): Fraction {
  const divisor = findGcd(over, under)
  return divisor > 1n ? { over: over / divisor, under: under / divisor } : { over, under }
}

export const FRACTIONS: Arithmetic<Fraction> = {
  of: (integer, divisor = 1) => reduceFraction(BigInt(integer), BigInt(divisor)),
  add: (a, b) =>
    a.under === b.under ? reduceFraction(a.over + b.over, a.under) : reduceFraction(a.over * b.under + b.over * a.under, a.under * b.under),
  subtract: (a, b) =>
    a.under === b.under ? reduceFraction(a.over - b.over, a.under) : reduceFraction(a.over * b.under - b.over * a.under, a.under * b.under),
  multiply: (a, integer) => reduceFraction(a.over * BigInt(integer), a.under),
  divide: (a, integer) => reduceFraction(a.over, a.under * BigInt(integer)),
  compare: (a, b) => {
    const [left, right] = [a.over * b.under, b.over * a.under]
    return left < right ? -1 : left > right ? 1 : 0
  },
  toNumber: ({ over, under }) => {
    const whole = over / under
    return Number(whole) + Number(((over - whole * under) * 1_000_000_000n) / under) / 1e9
  },
}
