import type { Figure } from '#app/lib/figure-definitions.ts'
import { StatCard, type StatCardProps } from '#app/ui/admin/stat-card.tsx'
import { useFigures } from './use-figures.ts'

interface FigureCardProps extends Pick<StatCardProps, 'value' | 'change' | 'link'> {
  figure: Figure
}

/** A figure under its name, with what it counts. */
export function FigureCard({ figure, ...shown }: FigureCardProps) {
  const { name, means } = useFigures()(figure)
  return <StatCard label={name} means={means} {...shown} />
}
