/** How much of a pot is used: one part for each chosen option; what goes beyond the pot is hatched. The figures beside it say the same. */
export function PotBar({ amount, costs }: { amount: number; costs: readonly number[] }) {
  const total = costs.reduce((sum, cost) => sum + cost, 0)
  const whole = Math.max(amount, total, 1)
  const over = Math.max(0, total - amount)
  const sumBefore = (at: number) => costs.slice(0, at).reduce((sum, cost) => sum + cost, 0)
  const parts = costs.map((cost, at) => Math.max(0, Math.min(cost, amount - sumBefore(at))))
  const toWidth = (part: number) => ({ width: `${(part / whole) * 100}%` })
  return (
    <div className={over > 0 ? 'pot-bar pot-bar-over' : 'pot-bar'} aria-hidden="true">
      {parts.map((part, at) => part > 0 && <span key={at} style={toWidth(part)} />)}
      {over > 0 && <span className="pot-bar-beyond" style={toWidth(over)} />}
    </div>
  )
}
