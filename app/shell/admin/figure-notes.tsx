import type { Figure } from '#app/lib/figure-definitions.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { useFigures } from './use-figures.ts'

/** Below a table or chart: what its figures count. */
export function FigureNotes({ figures }: { figures: readonly Figure[] }) {
  const describe = useFigures()
  const { colon } = useFormat()
  return (
    <ul className="figure-notes meta">
      {figures.map((figure) => {
        const { name, means } = describe(figure)
        return (
          <li key={figure}>
            {name}
            {colon}
            {means}
          </li>
        )
      })}
    </ul>
  )
}
