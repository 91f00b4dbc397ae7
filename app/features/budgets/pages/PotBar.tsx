const WIDTH = 1000
const HEIGHT = 10

/** How much of a pot is used: one part for each chosen option, and what goes beyond the pot in another colour. The figures beside it say the same. */
export function PotBar({ amount, costs }: { amount: number; costs: readonly number[] }) {
  const sumBefore = (at: number) => costs.slice(0, at).reduce((sum, cost) => sum + cost, 0)
  const total = sumBefore(costs.length)
  const toLength = (sum: number) => (sum / Math.max(amount, total, 1)) * WIDTH
  return (
    <svg className="pot-bar" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {costs.map((cost, at) => (
        <rect key={at} x={toLength(sumBefore(at))} width={Math.max(toLength(cost) - 3, 1)} height={HEIGHT} />
      ))}
      {total > amount && <rect className="pot-bar-beyond" x={toLength(amount)} width={toLength(total - amount)} height={HEIGHT} />}
    </svg>
  )
}
